"""A browser's end of the socket of jobs. (Channels' own test helper needs another server.)"""

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser

from backend.accounts.models import User
from backend.jobs.consumers import JobsConsumer


def session_of(user: User | AnonymousUser) -> dict[str, str]:
    """What signing in stores in a session."""
    if not isinstance(user, User):
        return {}
    return {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }


class JobSocket:
    def __init__(self, user: User | AnonymousUser, query: str = "") -> None:
        scope: dict[str, Any] = {
            "type": "websocket",
            "path": "/ws/jobs",
            "query_string": query.encode(),
            "headers": [],
            "subprotocols": [],
            "user": user,
            "session": session_of(user),
        }
        communicator: Any = ApplicationCommunicator  # asgiref gives this class no types
        self._connection = communicator(JobsConsumer.as_asgi(), scope)

    async def connect(self) -> None:
        await self._connection.send_input({"type": "websocket.connect"})
        assert (await self._next())["type"] == "websocket.accept"

    async def receive(self) -> dict[str, Any]:
        return dict(json.loads((await self._next())["text"]))

    async def close_code(self) -> int:
        message = await self._next()
        assert message["type"] == "websocket.close"
        return int(message["code"])

    async def disconnect(self) -> None:
        await self._connection.send_input({"type": "websocket.disconnect", "code": 1000})
        await self._connection.wait()

    async def _next(self) -> dict[str, Any]:
        return dict(await self._connection.receive_output(timeout=10))
