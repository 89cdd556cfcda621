"""Limits of request bodies, counted while they arrive and before any of it is stored."""

import json
import logging
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.http.cookie import parse_cookie

from backend.accounts.api_tokens import find_usable_token
from backend.accounts.models import User
from backend.common.error_views import ERROR_SENTENCES
from backend.common.errors import DISK_FULL_ERRNOS
from backend.common.problems import NO_SPACE, problem_body

logger = logging.getLogger(__name__)

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]
Refusal = tuple[HTTPStatus, str, str, dict[str, Any]]

TOO_LARGE = (
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    *ERROR_SENTENCES[HTTPStatus.REQUEST_ENTITY_TOO_LARGE],
)

# More than any view allows, so that a view answers for bodies that are just too large.
LIMIT_MARGIN_BYTES = 64 * 1024
LONGEST_NUMBER = 18  # digits: Python refuses to read thousands of them
# A browser reads the response only after it has sent its body, so this much is read and dropped.
MAX_DRAINED_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class UploadLimit:
    """The size limit of uploads to a path, for users that `is_allowed` accepts."""

    max_bytes: int
    is_allowed: Callable[[User], bool]
    accepts_tokens: bool = False
    # Of all uploads of one person that are under way: they are on the disk until they are answered.
    max_bytes_at_once: int | None = None
    method: str = "POST"
    # Limits of the same name have their bytes under way counted together.
    counted_as: str = "files"
    # What a person has stored; counts as well, beside what is too large to be a mere form.
    count_stored: Callable[[uuid.UUID], int] | None = None
    # Of the bytes that other requests will send, which count from now on.
    announced_in: bytes | None = None


class BodyTooLarge(Exception):
    """The body exceeds the limit of its path."""


class BodySizeLimiter:
    """Rejects large bodies early: Django would store them before a view can refuse them.

    A disk that is full while a body arrives is reported as such, by 507.
    """

    def __init__(self, application: Application, *, uploads: Mapping[str, UploadLimit]) -> None:
        """uploads: by path, in which `/*` stands for any last part.

        Only users who may upload there get its higher limit.
        """
        self.application = application
        self.uploads = uploads
        self._under_way: Counter[tuple[uuid.UUID, str]] = Counter()  # bytes, by person

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        usual = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + LIMIT_MARGIN_BYTES
        upload = self._find_limit(scope)
        uploader = None if upload is None else await _find_uploader(scope, upload)
        if upload is None or uploader is None:
            await self._pass_on(scope, receive, send, usual)
            return
        limit = usual if upload.announced_in else upload.max_bytes + LIMIT_MARGIN_BYTES
        if upload.max_bytes_at_once is None:
            await self._pass_on(scope, receive, send, limit)
            return
        size = _upload_bytes(scope, upload)
        is_file = size > usual or upload.announced_in is not None
        with self._count(uploader, upload, size) as others:
            # Counted before: what ends meanwhile is among what is stored.
            stored = await _count_stored(uploader, upload) if is_file else 0
            is_accepted = others + stored + size <= upload.max_bytes_at_once
            if is_accepted:
                await self._pass_on(scope, receive, send, limit)
        if not is_accepted:
            refusal = _too_many_bytes(upload.max_bytes_at_once, others, stored)
            await _refuse(receive, send, *refusal)

    def _find_limit(self, scope: Any) -> UploadLimit | None:
        folder = scope["path"].rpartition("/")[0]
        upload = self.uploads.get(scope["path"]) or self.uploads.get(f"{folder}/*")
        return upload if upload is not None and scope["method"] == upload.method else None

    @contextmanager
    def _count(self, uploader: uuid.UUID, upload: UploadLimit, size: int) -> Iterator[int]:
        """Count an upload as under way; yields the bytes of the person's others."""
        key = (uploader, upload.counted_as)
        others = self._under_way[key]
        self._under_way[key] += size
        try:
            yield others
        finally:
            self._under_way[key] -= size
            self._under_way += Counter()  # without those that are zero

    async def _pass_on(self, scope: Any, receive: Receive, send: Send, limit: int) -> None:
        if (_header_number(scope, b"content-length") or 0) > limit:
            await _refuse(receive, send, *TOO_LARGE)
            return
        has_begun = False

        async def noting(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.application(scope, _limit_body(receive, limit), noting)
        except BodyTooLarge:
            await _refuse(receive, send, *TOO_LARGE)
        except OSError as error:
            if has_begun or error.errno not in DISK_FULL_ERRNOS:
                raise
            logger.error("The disk is full, so an upload was refused.", exc_info=error)
            await _refuse(receive, send, HTTPStatus.INSUFFICIENT_STORAGE, *NO_SPACE)


def _too_many_bytes(at_once: int, under_way: int, stored: int) -> Refusal:
    megabytes = f"{at_once // 1_000_000:,} MB together"
    detail = (
        f"Your uploads may have {megabytes}. Delete one, or wait until one has ended."
        if stored
        else f"Your uploads under way may have {megabytes}. Send this file once one has ended."
    )
    data = {"bytes_allowed": at_once, "bytes_under_way": under_way, "bytes_stored": stored}
    return HTTPStatus.TOO_MANY_REQUESTS, "too_many_uploads", detail, data


async def _find_uploader(scope: Any, upload: UploadLimit) -> uuid.UUID | None:
    """By session or API token. The view checks again and gives the reason of a refusal."""
    headers = dict(scope["headers"])
    words = headers.get(b"authorization", b"").decode("latin-1").split()
    if upload.accepts_tokens and len(words) == 2 and words[0].lower() == "bearer":
        uploader: uuid.UUID | None = await database_sync_to_async(_allowed_by_token)(
            words[1], upload
        )
        return uploader
    sent = headers.get(b"cookie", b"").decode("latin-1")
    key = parse_cookie(sent).get(settings.SESSION_COOKIE_NAME, "")
    return await database_sync_to_async(_allowed_by_session)(key, upload) if key.isalnum() else None


def _allowed_by_token(secret: str, upload: UploadLimit) -> uuid.UUID | None:
    token = find_usable_token(secret)
    return token.user_id if token is not None and upload.is_allowed(token.user) else None


def _allowed_by_session(key: str, upload: UploadLimit) -> uuid.UUID | None:
    number = SessionStore(key).get(SESSION_KEY)
    user = User.objects.filter(pk=number, is_active=True).first() if number else None
    return user.pk if user is not None and upload.is_allowed(user) else None


async def _count_stored(uploader: uuid.UUID, upload: UploadLimit) -> int:
    if upload.count_stored is None:
        return 0
    stored: int = await database_sync_to_async(upload.count_stored)(uploader)
    return stored


def _upload_bytes(scope: Any, upload: UploadLimit) -> int:
    """Of the file. Without a length, it may be as large as any."""
    declared = _header_number(scope, upload.announced_in or b"content-length")
    return upload.max_bytes if declared is None else min(declared, upload.max_bytes)


def _header_number(scope: Any, name: bytes) -> int | None:
    text = dict(scope["headers"]).get(name, b"")
    return int(text) if text.isdigit() and len(text) <= LONGEST_NUMBER else None


def _limit_body(receive: Receive, limit: int) -> Receive:
    read = 0

    async def counting() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise BodyTooLarge
        return message

    return counting


async def _refuse(
    receive: Receive,
    send: Send,
    status: HTTPStatus,
    code: str,
    detail: str,
    data: dict[str, Any] | None = None,
) -> None:
    drained, more = 0, True
    while more and drained < MAX_DRAINED_BYTES:
        message = await receive()
        drained += len(message.get("body", b""))
        more = message.get("more_body", False)
    body = json.dumps(problem_body(status, code, detail, data=data)).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
