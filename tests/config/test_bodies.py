"""What a request may bring, counted before any of it is kept."""

from collections.abc import Mapping
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings

from backend.accounts.models import User
from backend.config.bodies import MARGIN, BoundedBodies, Upload
from tests.personas import make_person

PATH, ELSEWHERE = "/upload", "/elsewhere"
HERS = "ada"
USUAL = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
LIMIT = 5 * USUAL


async def send(
    path: str, size: int, cookie: str = "", *, told: bool = False
) -> tuple[int | None, int]:
    """The status with which it was refused, None if it was not, and the bytes that arrived."""
    arrived, answers, left = 0, [], [size]

    async def receive() -> Mapping[str, Any]:
        part = min(left[0], 1 << 20)
        left[0] -= part
        return {"type": "http.request", "body": b"x" * part, "more_body": left[0] > 0}

    async def answer(message: Mapping[str, Any]) -> None:
        answers.append(message)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal arrived
        more = True
        while more:
            message = await receive()
            arrived += len(message["body"])
            more = message["more_body"]

    headers = [(b"cookie", cookie.encode())]
    if told:
        headers.append((b"content-length", str(size).encode()))
    bounded = BoundedBodies(application, uploads={PATH: Upload(LIMIT, is_hers)})
    await bounded({"path": path, "headers": headers}, receive, answer)
    return (answers[0]["status"] if answers else None), arrived


def is_hers(user: User) -> bool:
    return user.email.startswith(HERS)


def cookie_of(name: str) -> str:
    browser = make_person(name).browser
    return f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("told", [False, True])
async def test_who_may_sends_files_up_to_the_limit(told: bool) -> None:
    cookie = await sync_to_async(cookie_of)(HERS)
    assert await send(PATH, LIMIT, cookie, told=told) == (None, LIMIT)
    status, arrived = await send(PATH, LIMIT + MARGIN + 1, cookie, told=told)
    assert status == 413 and arrived <= LIMIT + MARGIN
    assert (await send(ELSEWHERE, LIMIT, cookie, told=told))[0] == 413


@pytest.mark.django_db(transaction=True)
async def test_who_may_not_fills_no_disk_though_signed_in() -> None:
    cookie = await sync_to_async(cookie_of)("otto")
    status, arrived = await send(PATH, LIMIT, cookie)
    assert status == 413 and arrived <= USUAL + MARGIN
    assert await send(PATH, USUAL, cookie) == (None, USUAL)


@pytest.mark.django_db(transaction=True)
async def test_a_deactivated_person_fills_no_disk() -> None:
    cookie = await sync_to_async(cookie_of)(HERS)
    await User.objects.all().aupdate(is_active=False)
    assert (await send(PATH, LIMIT, cookie))[0] == 413


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "cookie", ["", "sessionid=", "sessionid=forged", "sessionid=" + "\x00" * 9]
)
async def test_a_stranger_fills_no_disk(cookie: str) -> None:
    status, arrived = await send(PATH, LIMIT, cookie)
    assert status == 413 and arrived <= USUAL + MARGIN
    assert await send(PATH, USUAL, cookie) == (None, USUAL)
