"""How much a request may bring, counted as it comes: before anything of it is kept or read."""

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

from backend.accounts.models import User
from backend.common.handlers import SENTENCES
from backend.common.problems import problem_body

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]

# A little more than the rooms allow, so that they answer what is just too large in their words.
MARGIN = 64 * 1024
# A browser reads the refusal only once it has sent all, so this much more is heard and forgotten.
HEARD_OUT = 64 * 1024 * 1024


@dataclass(frozen=True)
class Upload:
    """The files that a path takes: of so many bytes, from whom that says so."""

    largest: int
    may: Callable[[User], bool]


class TooLarge(Exception):
    """More came than this path takes."""


class BoundedBodies:
    """Django would write a body of any length to the disk before a view can refuse it."""

    def __init__(self, application: Application, *, uploads: Mapping[str, Upload]) -> None:
        """Files go to the disk as they come, so that only who may is heard at such length."""
        self.application = application
        self.uploads = uploads

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + MARGIN
        upload = self.uploads.get(scope["path"])
        if upload is not None and await _may_send(scope, upload):
            limit = upload.largest + MARGIN
        if _told_length(scope) > limit:
            await _refuse(receive, send)
            return
        try:
            await self.application(scope, _counted(receive, limit), send)
        except TooLarge:
            await _refuse(receive, send)


async def _may_send(scope: Any, upload: Upload) -> bool:
    """By whose session it comes with; the view looks closer, and says why not."""
    sent = dict(scope["headers"]).get(b"cookie", b"").decode("latin-1")
    key = parse_cookie(sent).get(settings.SESSION_COOKIE_NAME, "")
    return key.isalnum() and await database_sync_to_async(_may)(key, upload)


def _may(key: str, upload: Upload) -> bool:
    number = SessionStore(key).get(SESSION_KEY)
    user = User.objects.filter(pk=number, is_active=True).first() if number else None
    return user is not None and upload.may(user)


def _told_length(scope: Any) -> int:
    told = dict(scope["headers"]).get(b"content-length", b"")
    return int(told) if told.isdigit() else 0


def _counted(receive: Receive, limit: int) -> Receive:
    read = 0

    async def counting() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise TooLarge
        return message

    return counting


async def _refuse(receive: Receive, send: Send) -> None:
    heard, more = 0, True
    while more and heard < HEARD_OUT:
        message = await receive()
        heard += len(message.get("body", b""))
        more = message.get("more_body", False)
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    body = json.dumps(problem_body(status, *SENTENCES[status])).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
