"""A study that pins the demo graph, and an expert of it."""

import asyncio
import json
import time
import uuid
from typing import Any

from tests.e2e.browser_helpers import TIMEOUT_MS
from tests.e2e.ranking_page import Expert, invite_expert
from tests.load import virtual_users
from tests.load.http import Browser
from tests.load.studies import COORDINATOR

GRAPH = "drug-repurposing-demo"
DRUGS = {"Bortezomib": "DB00188", "Thalidomide": "DB01041", "Lenalidomide": "", "Xyz-17": ""}


def question(number: int) -> dict[str, Any]:
    ranked = [
        {
            "entity_name": name,
            "llm_rank": rank,
            "entity_link": f"https://go.drugbank.com/drugs/{record}" if record else "",
        }
        for rank, (name, record) in enumerate(DRUGS.items(), 1)
    ]
    return {
        "question_number": number,
        "qid": number,
        "text": f"Which drugs are used to treat multiple myeloma, case {number}?",
        "category": "cancer:organ system cancer",
        "llm_ranking": ranked,
        "resource": [],
    }


async def new_expert(address: str, questions: int = 2) -> Expert:
    """Of a study that pins the demo graph, once a worker has looked its names up."""
    coordinator = await virtual_users.sign_in(address, COORDINATOR)
    listed = [question(number) for number in range(1, questions + 1)]
    files = {"batch1.json": json.dumps(listed).encode()}
    name = f"Evidence {uuid.uuid4().hex[:8]}"
    study = await virtual_users.import_study(coordinator, name, files)
    pin = await coordinator.put(f"/api/v1/studies/{study}/graph", {"graph": GRAPH})
    virtual_users.expect_status(200, pin)
    await linked_questions(coordinator, study)
    return await invite_expert(coordinator, study)


async def linked_questions(coordinator: Browser, study: str) -> None:
    limit = time.monotonic() + TIMEOUT_MS / 1000
    while time.monotonic() < limit:
        board = virtual_users.expect_status(
            200, await coordinator.get(f"/api/v1/studies/{study}/board")
        )
        if board["evidence"]["is_complete"]:
            return
        await asyncio.sleep(0.2)
    raise AssertionError("No worker looked the names up.")
