"""Limits of request bodies, counted while they arrive and before any of it is stored."""

import json
from collections.abc import Awaitable, Callable, Mapping
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
from backend.common.problems import problem_body

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]

# More than any view allows, so that a view answers for bodies that are just too large.
LIMIT_MARGIN_BYTES = 64 * 1024
# A browser reads the response only after it has sent its body, so this much is read and dropped.
MAX_DRAINED_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class UploadLimit:
    """The size limit of uploads to a path, for users that `is_allowed` accepts."""

    max_bytes: int
    is_allowed: Callable[[User], bool]
    accepts_tokens: bool = False


class BodyTooLarge(Exception):
    """The body exceeds the limit of its path."""


class BodySizeLimiter:
    """Rejects large bodies early: Django would store them before a view can refuse them."""

    def __init__(self, application: Application, *, uploads: Mapping[str, UploadLimit]) -> None:
        """uploads: by path. Only users who may upload there get its higher limit."""
        self.application = application
        self.uploads = uploads

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + LIMIT_MARGIN_BYTES
        upload = self.uploads.get(scope["path"])
        if upload is not None and await _may_upload(scope, upload):
            limit = upload.max_bytes + LIMIT_MARGIN_BYTES
        if _declared_length(scope) > limit:
            await _send_too_large(receive, send)
            return
        try:
            await self.application(scope, _limit_body(receive, limit), send)
        except BodyTooLarge:
            await _send_too_large(receive, send)


async def _may_upload(scope: Any, upload: UploadLimit) -> bool:
    """By session or API token. The view checks again and gives the reason of a refusal."""
    headers = dict(scope["headers"])
    words = headers.get(b"authorization", b"").decode("latin-1").split()
    if upload.accepts_tokens and len(words) == 2 and words[0].lower() == "bearer":
        return bool(await database_sync_to_async(_is_token_allowed)(words[1], upload))
    sent = headers.get(b"cookie", b"").decode("latin-1")
    key = parse_cookie(sent).get(settings.SESSION_COOKIE_NAME, "")
    return key.isalnum() and await database_sync_to_async(_is_session_allowed)(key, upload)


def _is_token_allowed(secret: str, upload: UploadLimit) -> bool:
    token = find_usable_token(secret)
    return token is not None and upload.is_allowed(token.user)


def _is_session_allowed(key: str, upload: UploadLimit) -> bool:
    number = SessionStore(key).get(SESSION_KEY)
    user = User.objects.filter(pk=number, is_active=True).first() if number else None
    return user is not None and upload.is_allowed(user)


def _declared_length(scope: Any) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if length.isdigit() else 0


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


async def _send_too_large(receive: Receive, send: Send) -> None:
    drained, more = 0, True
    while more and drained < MAX_DRAINED_BYTES:
        message = await receive()
        drained += len(message.get("body", b""))
        more = message.get("more_body", False)
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    body = json.dumps(problem_body(status, *ERROR_SENTENCES[status])).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
