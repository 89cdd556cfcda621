"""The board's socket: for coordinators of that study, and only to say that something changed."""

import uuid
from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async

from tests.annotation.personas import Cast, write_answer
from tests.annotation.socket_client import open_socket

pytestmark = pytest.mark.django_db(transaction=True)


def dashboard_path(cast: Cast) -> str:
    return f"/ws/studies/{cast.study.id}"


async def test_a_coordinator_is_told_of_a_submission_and_of_its_agreement(
    committed_cast: Cast, run_queued_tasks: Callable[[], list[str]]
) -> None:
    cast = committed_cast
    page = await open_socket(dashboard_path(cast), cast.coordinator)
    await sync_to_async(write_answer)(await sync_to_async(cast.assignment)(), "agree")
    await sync_to_async(run_queued_tasks)()
    shown = [await page.expect_change() for _ in range(2)]
    assert [message["type"] for message in shown] == ["changed", "changed"]
    assert [message["what"] for message in shown] == ["board", "agreement"]
    assert shown[1]["version"] > shown[0]["version"]
    assert all(set(message) == {"type", "what", "version"} for message in shown)
    await page.disconnect()


async def test_a_draft_is_nobody_elses_news(committed_cast: Cast) -> None:
    page = await open_socket(dashboard_path(committed_cast), committed_cast.coordinator)
    assignment = await sync_to_async(committed_cast.assignment)()
    await sync_to_async(write_answer)(assignment, "save", comment="thinking")
    assert await page.expect_silence()
    await page.disconnect()


async def test_what_a_page_sends_is_not_heard(committed_cast: Cast) -> None:
    page = await open_socket(dashboard_path(committed_cast), committed_cast.coordinator)
    await page.send({"type": "websocket.receive", "text": "{not json"})
    await page.send({"type": "websocket.receive", "bytes": b"\0"})
    assert await page.expect_silence()
    await page.disconnect()


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
    page = await open_socket(dashboard_path(committed_cast), who)
    assert await page.next_message() == {"type": "websocket.close", "code": code}


async def test_a_study_that_is_not_there_is_like_one_of_others(committed_cast: Cast) -> None:
    page = await open_socket(f"/ws/studies/{uuid.uuid4()}", committed_cast.coordinator)
    assert (await page.next_message())["code"] == 4403
