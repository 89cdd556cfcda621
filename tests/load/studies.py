"""A study of its own for each journey, and what its export says of every assignment."""

import uuid
from typing import Any

from tests.load import people
from tests.load.http import Browser
from tests.load.people import Work, expect

COORDINATOR = "coordinator@demo.example"


async def new_study(address: str, questions: int = 6) -> tuple[Browser, str]:
    coordinator = await people.sign_in(address, COORDINATOR)
    name = f"Load {uuid.uuid4().hex[:8]}"
    files = {"batch1.json": people.questionnaire(questions)}
    return coordinator, await people.import_study(coordinator, name, files)


async def first_work(coordinator: Browser, study: str) -> Work:
    """The first question of a new expert."""
    [expert] = await people.experts_of(coordinator, study, 1)
    return (await people.work_of(expert))[0]


async def exported(coordinator: Browser, study: str) -> list[dict[str, Any]]:
    """Every assignment of the study, with its revisions and events."""
    answered = await coordinator.get(f"/api/v1/studies/{study}/export.json")
    batches = expect(200, answered)["batches"]
    return [
        assignment
        for batch in batches
        for question in batch["questions"]
        for assignment in question["assignments"]
    ]
