"""The socket of a board: each new standing, each change of its release. Public, as the board is."""

from typing import Any

from channels.db import database_sync_to_async

from backend.accounts.models import User
from backend.benchmarks.announcements import board_group
from backend.benchmarks.policies import visible_releases
from backend.common.consumers import CLOSE_NOT_ALLOWED, NotificationConsumer


class BoardConsumer(NotificationConsumer):
    async def close_code(self) -> int | None:
        may_receive = await database_sync_to_async(self.may_receive)(self.scope["user"])
        return None if may_receive else CLOSE_NOT_ALLOWED

    def may_receive(self, user: Any) -> bool:
        releases = visible_releases(user if isinstance(user, User) else None)
        slug = self.scope["url_route"]["kwargs"]["slug"]
        self.release_id = releases.filter(slug=slug).values_list("pk", flat=True).first()
        return self.release_id is not None

    def group_name(self) -> str:
        assert self.release_id is not None
        return board_group(self.release_id)
