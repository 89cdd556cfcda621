"""A separate study for each journey, and its export of every assignment."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tests.load import virtual_users
from tests.load.http import Browser
from tests.load.virtual_users import ExpertSession, expect_status

COORDINATOR = "coordinator@demo.example"


async def new_study(address: str, questions: int = 6, candidates: int = 4) -> tuple[Browser, str]:
    coordinator = await virtual_users.sign_in(address, COORDINATOR)
    name = f"Load {uuid.uuid4().hex[:8]}"
    files = {"batch1.json": virtual_users.questionnaire(questions, candidates)}
    return coordinator, await virtual_users.import_study(coordinator, name, files)


async def first_assignment_work(coordinator: Browser, study: str) -> ExpertSession:
    """The first question of a new expert."""
    [expert] = await virtual_users.experts_of(coordinator, study, 1)
    return (await virtual_users.work_of(expert))[0]


async def export_responses(coordinator: Browser, study: str) -> list[dict[str, Any]]:
    """Every assignment of the study, with its revisions and events."""
    questions = await exported_questions(coordinator, study)
    return [assignment for question in questions for assignment in question["assignments"]]


async def exported_questions(coordinator: Browser, study: str) -> list[dict[str, Any]]:
    answered = await coordinator.get(f"/api/v1/studies/{study}/export.json")
    batches = expect_status(200, answered)["batches"]
    return [question for batch in batches for question in batch["questions"]]


@asynccontextmanager
async def board_socket(coordinator: Browser, study: str) -> AsyncIterator[ClientConnection]:
    """A coordinator's dashboard socket, once it receives notifications."""
    address = coordinator.address.replace("http", "ws", 1) + f"/ws/studies/{study}"
    headers = {"Cookie": f"sessionid={coordinator.cookies['sessionid']}"}
    origin = Origin(coordinator.address)
    async with connect(address, additional_headers=headers, origin=origin) as socket:
        await _wait_until_subscribed(coordinator, study, socket)
        yield socket


async def _wait_until_subscribed(
    coordinator: Browser, study: str, socket: ClientConnection
) -> None:
    """The server accepts the socket before it subscribes, so changes are made until one arrives."""
    async with asyncio.timeout(60):
        while True:
            expect_status(
                200, await coordinator.send("PATCH", f"/api/v1/studies/{study}", {"status": "open"})
            )
            with suppress(TimeoutError):
                return await _receive_message(socket, 1.0)


async def _receive_message(socket: ClientConnection, seconds: float) -> None:
    async with asyncio.timeout(seconds):
        await socket.recv()
