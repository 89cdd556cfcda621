"""What a request may bring, counted before any of it is kept."""

import asyncio
import json
import resource
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.utils import timezone

from backend.accounts.api_tokens import create_api_token
from backend.accounts.models import ApiToken, User
from backend.config.request_limits import LIMIT_MARGIN_BYTES, BodySizeLimiter, UploadLimit
from tests.personas import make_person

PATH, TOKEN_PATH, ELSEWHERE = "/upload", "/predictions", "/elsewhere"
PARTS_PATH = "/parts"
UPLOAD_LIMIT = "ada"
USUAL = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
LIMIT = 5 * USUAL


async def send(
    path: str,
    size: int,
    cookie: str = "",
    *,
    declares_length: bool = False,
    token: str = "",
    application: Any = None,
    method: str = "POST",
) -> tuple[int | None, int]:
    """The status with which it was refused, None if it was not, and the bytes that arrived."""
    arrived, answers, left = 0, [], [size]

    async def receive() -> Mapping[str, Any]:
        part = min(left[0], 1 << 20)
        left[0] -= part
        return {"type": "http.request", "body": b"x" * part, "more_body": left[0] > 0}

    async def answer(message: Mapping[str, Any]) -> None:
        answers.append(message)

    async def reading(scope: Any, receive: Any, send: Any) -> None:
        nonlocal arrived
        more = True
        while more:
            message = await receive()
            arrived += len(message["body"])
            more = message["more_body"]

    headers = [(b"cookie", cookie.encode())]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    if declares_length:
        headers.append((b"content-length", str(size).encode()))
    limits = {
        PATH: UploadLimit(LIMIT, is_allowed_user),
        TOKEN_PATH: UploadLimit(LIMIT, is_allowed_user, accepts_tokens=True),
        f"{PARTS_PATH}/*": UploadLimit(LIMIT, is_allowed_user, method="PATCH"),
    }
    bounded = BodySizeLimiter(application or reading, uploads=limits)
    await bounded(
        {"type": "http", "path": path, "method": method, "headers": headers}, receive, answer
    )
    return (answers[0]["status"] if answers else None), arrived


def is_allowed_user(user: User) -> bool:
    return user.email.startswith(UPLOAD_LIMIT)


def cookie_of(name: str) -> str:
    browser = make_person(name).browser
    return f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("declares_length", [False, True])
async def test_who_may_sends_files_up_to_the_limit(declares_length: bool) -> None:
    cookie = await sync_to_async(cookie_of)(UPLOAD_LIMIT)
    assert await send(PATH, LIMIT, cookie, declares_length=declares_length) == (None, LIMIT)
    status, arrived = await send(
        PATH, LIMIT + LIMIT_MARGIN_BYTES + 1, cookie, declares_length=declares_length
    )
    assert status == 413 and arrived <= LIMIT + LIMIT_MARGIN_BYTES
    assert (await send(ELSEWHERE, LIMIT, cookie, declares_length=declares_length))[0] == 413


@pytest.mark.django_db(transaction=True)
async def test_who_may_not_fills_no_disk_though_signed_in() -> None:
    cookie = await sync_to_async(cookie_of)("otto")
    status, arrived = await send(PATH, LIMIT, cookie)
    assert status == 413 and arrived <= USUAL + LIMIT_MARGIN_BYTES
    assert await send(PATH, USUAL, cookie) == (None, USUAL)


@pytest.mark.django_db(transaction=True)
async def test_a_part_of_an_upload_is_as_long_as_its_path_and_method_allow() -> None:
    cookie = await sync_to_async(cookie_of)(UPLOAD_LIMIT)
    assert await send(f"{PARTS_PATH}/1", LIMIT, cookie, method="PATCH") == (None, LIMIT)
    assert (await send(f"{PARTS_PATH}/1", 2 * LIMIT, cookie, method="PATCH"))[0] == 413
    for path, method in ((f"{PARTS_PATH}/1", "POST"), (f"{PARTS_PATH}/1/2", "PATCH")):
        assert (await send(path, LIMIT, cookie, method=method))[0] == 413
    stranger = await sync_to_async(cookie_of)("otto")
    assert (await send(f"{PARTS_PATH}/1", LIMIT, stranger, method="PATCH"))[0] == 413


def token_of(name: str) -> str:
    return create_api_token(actor=make_person(name).user, name="cluster", scope="submit")[1]


@pytest.mark.django_db(transaction=True)
async def test_a_token_sends_files_where_tokens_are_accepted() -> None:
    token = await sync_to_async(token_of)(UPLOAD_LIMIT)
    assert await send(TOKEN_PATH, LIMIT, token=token) == (None, LIMIT)
    assert (await send(PATH, LIMIT, token=token))[0] == 413
    assert (await send(TOKEN_PATH, LIMIT, token="srd_forged"))[0] == 413
    await ApiToken.objects.aupdate(revoked_at=timezone.now())
    assert (await send(TOKEN_PATH, LIMIT, token=token))[0] == 413


@pytest.mark.django_db(transaction=True)
async def test_a_deactivated_person_fills_no_disk() -> None:
    cookie = await sync_to_async(cookie_of)(UPLOAD_LIMIT)
    await User.objects.all().aupdate(is_active=False)
    assert (await send(PATH, LIMIT, cookie))[0] == 413


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "cookie", ["", "sessionid=", "sessionid=forged", "sessionid=" + "\x00" * 9]
)
async def test_a_stranger_fills_no_disk(cookie: str) -> None:
    status, arrived = await send(PATH, LIMIT, cookie)
    assert status == 413 and arrived <= USUAL + LIMIT_MARGIN_BYTES
    assert await send(PATH, USUAL, cookie) == (None, USUAL)


@pytest.mark.django_db(transaction=True)
async def test_uploads_of_one_person_under_way_have_a_limit_together() -> None:
    token = await sync_to_async(token_of)(UPLOAD_LIMIT)
    other = await sync_to_async(cookie_of)("ada-too")
    has_begun, may_end = asyncio.Event(), asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        has_begun.set()
        await may_end.wait()

    upload = UploadLimit(LIMIT, is_allowed_user, accepts_tokens=True, max_bytes_at_once=LIMIT)
    limiter = BodySizeLimiter(application, uploads={PATH: upload})

    async def start(size: int, header: tuple[bytes, bytes]) -> list[Mapping[str, Any]]:
        answers: list[Mapping[str, Any]] = []

        async def receive() -> Mapping[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def answer(message: Mapping[str, Any]) -> None:
            answers.append(message)

        headers = [header, (b"content-length", str(size).encode())]
        scope = {"path": PATH, "method": "POST", "headers": headers}
        await limiter(scope, receive, answer)
        return answers

    by_token = (b"authorization", f"Bearer {token}".encode())
    first = asyncio.create_task(start(LIMIT - 1, by_token))
    await has_begun.wait()
    head, body = await start(2, by_token)
    problem = json.loads(body["body"])
    assert (head["status"], problem["code"]) == (429, "too_many_uploads")
    assert (problem["bytes_allowed"], problem["bytes_under_way"]) == (LIMIT, LIMIT - 1)
    second = asyncio.create_task(start(LIMIT, (b"cookie", other.encode())))  # of somebody else
    may_end.set()
    assert [*await first, *await second] == []
    assert await start(2, by_token) == []


class Limited:
    """A limiter whose requests last until they may end; what they were answered with."""

    def __init__(self, upload: UploadLimit, stored: int) -> None:
        announced = replace(upload, announced_in=b"upload-length")
        limits = {PATH: upload, PARTS_PATH: announced}
        self._limiter = BodySizeLimiter(
            self._run,
            uploads={
                path: replace(one, count_stored=lambda _: stored) for path, one in limits.items()
            },
        )
        self.may_end = asyncio.Event()
        self.begun: asyncio.Queue[str] = asyncio.Queue()

    async def _run(self, scope: Any, receive: Any, send: Any) -> None:
        self.begun.put_nowait(scope["path"])
        await self.may_end.wait()

    async def send(self, path: str, cookie: str, **sizes: int) -> dict[str, Any] | None:
        """The problem with which a request was refused."""
        answers: list[Mapping[str, Any]] = []

        async def receive() -> Mapping[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def answer(message: Mapping[str, Any]) -> None:
            answers.append(message)

        named = [(name.replace("_", "-").encode(), str(it).encode()) for name, it in sizes.items()]
        headers = [(b"cookie", cookie.encode()), *named]
        await self._limiter({"path": path, "method": "POST", "headers": headers}, receive, answer)
        return json.loads(answers[1]["body"]) if answers else None


SHARED = UploadLimit(LIMIT, is_allowed_user, max_bytes_at_once=2 * LIMIT)


@pytest.mark.django_db(transaction=True)
async def test_what_is_stored_and_what_is_under_way_have_a_limit_together() -> None:
    cookie = await sync_to_async(cookie_of)(UPLOAD_LIMIT)
    limited = Limited(SHARED, stored=LIMIT)
    whole = asyncio.create_task(limited.send(PATH, cookie, content_length=LIMIT))
    assert await limited.begun.get() == PATH
    refused = await limited.send(PARTS_PATH, cookie, upload_length=1)
    assert refused is not None
    assert (refused["status"], refused["code"]) == (429, "too_many_uploads")
    assert (refused["bytes_under_way"], refused["bytes_stored"]) == (LIMIT, LIMIT)
    limited.may_end.set()
    assert await whole is None
    assert await limited.send(PARTS_PATH, cookie, upload_length=LIMIT) is None


@pytest.mark.django_db(transaction=True)
async def test_a_form_that_names_a_stored_upload_passes_where_no_file_would() -> None:
    cookie = await sync_to_async(cookie_of)(UPLOAD_LIMIT)
    limited = Limited(SHARED, stored=2 * LIMIT)
    limited.may_end.set()
    assert await limited.send(PATH, cookie, content_length=500) is None
    for refused in (
        await limited.send(PATH, cookie, content_length=LIMIT),
        await limited.send(PATH, cookie),  # of unknown length
        await limited.send(PARTS_PATH, cookie, upload_length=1),
    ):
        assert refused is not None and refused["code"] == "too_many_uploads"


@pytest.mark.django_db(transaction=True)
async def test_of_two_that_fit_only_alone_the_first_is_accepted() -> None:
    cookie = await sync_to_async(cookie_of)(UPLOAD_LIMIT)
    limited = Limited(SHARED, stored=LIMIT)
    requests = [limited.send(PARTS_PATH, cookie, upload_length=LIMIT) for _ in range(5)]
    tasks = [asyncio.create_task(one) for one in requests]
    await limited.begun.get()
    limited.may_end.set()
    refused = [await one for one in tasks]
    assert [one["code"] for one in refused if one is not None] == ["too_many_uploads"] * 4


@pytest.mark.django_db(transaction=True)
async def test_a_disk_that_is_full_while_a_body_arrives_is_reported() -> None:
    """Django's handler writes the body to a file that may not grow so far."""
    cookie = await sync_to_async(cookie_of)(UPLOAD_LIMIT)
    handler = ASGIHandler()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        status, _ = await send(PATH, LIMIT, cookie, application=handler)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert status == 507
