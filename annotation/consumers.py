"""A coordinator's open board: it is told that something changed, and reads it over HTTP."""

import uuid

from channels.db import database_sync_to_async

from annotation.live import group_of
from annotation.policies import coordinates
from backend.accounts.models import User
from backend.common.consumers import NOT_ALLOWED, SIGN_IN, Watching


class BoardConsumer(Watching):
    @property
    def study_id(self) -> uuid.UUID:
        found: uuid.UUID = self.scope["url_route"]["kwargs"]["study_id"]
        return found

    def group_wanted(self) -> str:
        return group_of(self.study_id)

    async def refusal(self) -> int | None:
        user = self.scope["user"]
        if not isinstance(user, User) or not user.is_active:
            return SIGN_IN
        allowed = await database_sync_to_async(coordinates)(user, self.study_id)
        return None if allowed else NOT_ALLOWED
