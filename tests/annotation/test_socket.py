"""The board's socket: for coordinators of that study, and only to say that something changed."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from annotation.models import Action
from backend.accounts.models import User
from backend.config.asgi import application
from tests.annotation.personas import Cast, answer, client_of

pytestmark = pytest.mark.django_db(transaction=True)


class Page:
    """A browser's end of the socket. (Channels' own test helper needs another server.)"""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        scope = {
            "type": "websocket",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "subprotocols": [],
        }
        # Any: asgiref gives this class no types.
        communicator: Any = ApplicationCommunicator
        self.connection = communicator(application, scope)

    async def connect(self) -> None:
        await self.send({"type": "websocket.connect"})
        assert (await self.next())["type"] == "websocket.accept"

    async def send(self, message: dict[str, Any]) -> None:
        await self.connection.send_input(message)

    async def next(self) -> dict[str, Any]:
        return dict(await self.connection.receive_output(timeout=10))

    async def told(self) -> dict[str, Any]:
        return dict(json.loads((await self.next())["text"]))

    async def hears_nothing(self) -> bool:
        return bool(await self.connection.receive_nothing(timeout=0.3))

    async def closed_with(self) -> int | None:
        """The code that the server closed it with; None if it stays open."""
        if await self.hears_nothing():
            await self.leave()
            return None
        message = await self.next()
        return int(message["code"]) if message["type"] == "websocket.close" else None

    async def leave(self) -> None:
        await self.send({"type": "websocket.disconnect", "code": 1000})
        await self.connection.wait()


async def opened(path: str, person: User | None) -> Page:
    client = await sync_to_async(client_of)(person)
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    headers = [(b"origin", b"http://127.0.0.1"), (b"host", b"127.0.0.1")]
    if cookie is not None:
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie.value}".encode()))
    page = Page(path, headers)
    await page.connect()
    return page


def board_of(cast: Cast) -> str:
    return f"/ws/studies/{cast.study.id}"


async def test_a_coordinator_is_told_of_a_submission_and_of_its_agreement(
    committed_cast: Cast, work_off: Callable[[], list[str]]
) -> None:
    cast = committed_cast
    page = await opened(board_of(cast), cast.coordinator)
    await sync_to_async(answer)(await sync_to_async(cast.assignment)(), Action.AGREE)
    await sync_to_async(work_off)()
    told = [await page.told() for _ in range(2)]
    assert [message["type"] for message in told] == ["changed", "changed"]
    assert [message["what"] for message in told] == ["board", "agreement"]
    assert told[1]["version"] > told[0]["version"]
    assert all(set(message) == {"type", "what", "version"} for message in told)
    await page.leave()


async def test_a_draft_is_nobody_elses_news(committed_cast: Cast) -> None:
    page = await opened(board_of(committed_cast), committed_cast.coordinator)
    assignment = await sync_to_async(committed_cast.assignment)()
    await sync_to_async(answer)(assignment, Action.SAVE, comment="thinking")
    assert await page.hears_nothing()
    await page.leave()


async def test_what_a_page_sends_is_not_heard(committed_cast: Cast) -> None:
    page = await opened(board_of(committed_cast), committed_cast.coordinator)
    await page.send({"type": "websocket.receive", "text": "{not json"})
    await page.send({"type": "websocket.receive", "bytes": b"\0"})
    assert await page.hears_nothing()
    await page.leave()


@pytest.mark.parametrize(
    ("person", "code"),
    [
        (None, 4401),
        ("expert", 4403),
        ("outsider", 4403),
        ("other_coordinator", 4403),
        ("other_expert", 4403),
    ],
)
async def test_everybody_else_is_told_why_and_closed(
    committed_cast: Cast, person: str | None, code: int
) -> None:
    who = getattr(committed_cast, person) if person else None
    page = await opened(board_of(committed_cast), who)
    assert await page.next() == {"type": "websocket.close", "code": code}


async def test_a_study_that_is_not_there_is_like_one_of_others(committed_cast: Cast) -> None:
    page = await opened(f"/ws/studies/{uuid.uuid4()}", committed_cast.coordinator)
    assert (await page.next())["code"] == 4403
