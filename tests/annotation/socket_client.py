"""A browser's end of a socket."""

import json
from typing import Any

from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from backend.accounts.models import User
from backend.config.asgi import application
from tests.annotation.personas import client_of


class SocketClient:
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
        assert (await self.next_message())["type"] == "websocket.accept"

    async def send(self, message: dict[str, Any]) -> None:
        await self.connection.send_input(message)

    async def next_message(self) -> dict[str, Any]:
        return dict(await self.connection.receive_output(timeout=10))

    async def expect_change(self) -> dict[str, Any]:
        return dict(json.loads((await self.next_message())["text"]))

    async def expect_silence(self) -> bool:
        return bool(await self.connection.receive_nothing(timeout=0.3))

    async def closed_with(self) -> int | None:
        """The code that the server closed it with; None if it stays open."""
        if await self.expect_silence():
            await self.disconnect()
            return None
        message = await self.next_message()
        return int(message["code"]) if message["type"] == "websocket.close" else None

    async def disconnect(self) -> None:
        await self.send({"type": "websocket.disconnect", "code": 1000})
        await self.connection.wait()


async def open_socket(path: str, person: User | None) -> SocketClient:
    client = await sync_to_async(client_of)(person)
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    headers = [(b"origin", b"http://127.0.0.1"), (b"host", b"127.0.0.1")]
    if cookie is not None:
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie.value}".encode()))
    page = SocketClient(path, headers)
    await page.connect()
    return page
