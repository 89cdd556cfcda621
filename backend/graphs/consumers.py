"""A page that waits for its import."""

import uuid

from channels.db import database_sync_to_async

from backend.accounts.models import User
from backend.common.consumers import NOT_ALLOWED, SIGN_IN, Watching
from backend.graphs.live import group_of
from backend.graphs.policies import own_imports


class ImportConsumer(Watching):
    @property
    def import_id(self) -> uuid.UUID:
        found: uuid.UUID = self.scope["url_route"]["kwargs"]["import_id"]
        return found

    def group_wanted(self) -> str:
        return group_of(self.import_id)

    async def refusal(self) -> int | None:
        user = self.scope["user"]
        if not isinstance(user, User) or not user.is_active:
            return SIGN_IN
        is_hers = database_sync_to_async(own_imports(user).filter(id=self.import_id).exists)
        return None if await is_hers() else NOT_ALLOWED
