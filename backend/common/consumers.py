"""Base of WebSocket consumers that notify a page of changes; the page then reads over HTTP."""

from typing import Any

from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

CLOSE_SIGN_IN = 4401
CLOSE_NOT_ALLOWED = 4403


class NotificationConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """Accepts before it closes: a browser cannot read the reason of a refused handshake."""

    group: str | None = None

    async def close_code(self) -> int | None:
        """The code to close the socket with; None if the user may receive notifications."""
        user = self.scope["user"]
        if not user.is_active:
            return CLOSE_SIGN_IN
        allowed = await database_sync_to_async(self.may_receive)(user)
        return None if allowed else CLOSE_NOT_ALLOWED

    def may_receive(self, user: Any) -> bool:
        raise NotImplementedError

    def group_name(self) -> str:
        raise NotImplementedError

    async def connect(self) -> None:
        code = await self.close_code()
        if code is not None:
            await self.accept()
            await self.close(code=code)
            return
        self.group = self.group_name()
        # Join before accepting: once open, the page relies on notifications.
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Ignore all messages from the page, without parsing them."""

    async def changed(self, event: dict[str, Any]) -> None:
        """Send the event, or close the socket if the user was signed out or lost access."""
        self.scope["user"] = await get_user(self.scope)
        code = await self.close_code()
        if code is None:
            await self.send_json(event)
        else:
            await self.close(code=code)
