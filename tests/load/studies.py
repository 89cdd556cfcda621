"""A study of its own for each journey, and what its export says of every assignment."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tests.load import people
from tests.load.http import Browser
from tests.load.people import Work, expect

COORDINATOR = "coordinator@demo.example"


async def new_study(address: str, questions: int = 6, candidates: int = 4) -> tuple[Browser, str]:
    coordinator = await people.sign_in(address, COORDINATOR)
    name = f"Load {uuid.uuid4().hex[:8]}"
    files = {"batch1.json": people.questionnaire(questions, candidates)}
    return coordinator, await people.import_study(coordinator, name, files)


async def first_work(coordinator: Browser, study: str) -> Work:
    """The first question of a new expert."""
    [expert] = await people.experts_of(coordinator, study, 1)
    return (await people.work_of(expert))[0]


async def exported(coordinator: Browser, study: str) -> list[dict[str, Any]]:
    """Every assignment of the study, with its revisions and events."""
    questions = await exported_questions(coordinator, study)
    return [assignment for question in questions for assignment in question["assignments"]]


async def exported_questions(coordinator: Browser, study: str) -> list[dict[str, Any]]:
    answered = await coordinator.get(f"/api/v1/studies/{study}/export.json")
    batches = expect(200, answered)["batches"]
    return [question for batch in batches for question in batch["questions"]]


@asynccontextmanager
async def board_socket(coordinator: Browser, study: str) -> AsyncIterator[ClientConnection]:
    """A coordinator's open board, from when it hears what changes."""
    address = coordinator.address.replace("http", "ws", 1) + f"/ws/studies/{study}"
    headers = {"Cookie": f"sessionid={coordinator.cookies['sessionid']}"}
    origin = Origin(coordinator.address)
    async with connect(address, additional_headers=headers, origin=origin) as socket:
        await _wait_until_it_hears(coordinator, study, socket)
        yield socket


async def _wait_until_it_hears(coordinator: Browser, study: str, socket: ClientConnection) -> None:
    """The server opens the socket before it listens for it, so something is told until it does."""
    async with asyncio.timeout(60):
        while True:
            expect(
                200, await coordinator.ask("PATCH", f"/api/v1/studies/{study}", {"status": "open"})
            )
            with suppress(TimeoutError):
                return await _hear(socket, 1.0)


async def _hear(socket: ClientConnection, seconds: float) -> None:
    async with asyncio.timeout(seconds):
        await socket.recv()
