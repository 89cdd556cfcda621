"""A page that is told when something changed, and then reads it over HTTP."""

from typing import Any

from channels.auth import get_user
from channels.generic.websocket import AsyncJsonWebsocketConsumer

SIGN_IN = 4401
NOT_ALLOWED = 4403


class Watching(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """Accepts before it refuses: a browser cannot read the reason of a refused handshake."""

    group: str | None = None

    async def refusal(self) -> int | None:
        """The code with which this page is turned away; None for a page that may listen."""
        raise NotImplementedError

    def group_wanted(self) -> str:
        raise NotImplementedError

    async def connect(self) -> None:
        refusal = await self.refusal()
        if refusal is not None:
            await self.accept()
            await self.close(code=refusal)
            return
        self.group = self.group_wanted()
        # Before the page hears that it is open: from then on it relies on being told.
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing that a page sends here is heard, nor read as JSON."""

    async def changed(self, event: dict[str, Any]) -> None:
        """Who lost her place since, or was signed out, hears nothing more."""
        self.scope["user"] = await get_user(self.scope)
        refusal = await self.refusal()
        if refusal is None:
            await self.send_json(event)
        else:
            await self.close(code=refusal)
