"""A coordinator's open board: it is told that something changed, and reads it over HTTP."""

import uuid
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from annotation.live import group_of
from annotation.policies import coordinates
from backend.accounts.models import User

SIGN_IN = 4401
NOT_ALLOWED = 4403


class BoardConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """Accepts before it refuses: a browser cannot read the reason of a refused handshake."""

    group: str | None = None

    async def connect(self) -> None:
        study_id: uuid.UUID = self.scope["url_route"]["kwargs"]["study_id"]
        refusal = await self._refusal(study_id)
        if refusal is not None:
            await self.accept()
            await self.close(code=refusal)
            return
        self.group = group_of(study_id)
        # Before the page hears that it is open: from then on it relies on being told.
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        if self.group is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing that a page sends here is heard, nor read as JSON."""

    async def changed(self, event: dict[str, Any]) -> None:
        await self.send_json(event)

    async def _refusal(self, study_id: uuid.UUID) -> int | None:
        user = self.scope["user"]
        if not isinstance(user, User) or not user.is_active:
            return SIGN_IN
        allowed = await database_sync_to_async(coordinates)(user, study_id)
        return None if allowed else NOT_ALLOWED
