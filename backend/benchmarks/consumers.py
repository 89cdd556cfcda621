"""A page that waits for its computation."""

import uuid

from channels.db import database_sync_to_async

from backend.accounts.models import User
from backend.benchmarks.policies import get_computation_or_raise
from backend.benchmarks.serendipity.live import group_of
from backend.common.consumers import NOT_ALLOWED, SIGN_IN, Watching
from backend.common.errors import Missing


class ComputationConsumer(Watching):
    @property
    def computation_id(self) -> uuid.UUID:
        found: uuid.UUID = self.scope["url_route"]["kwargs"]["computation_id"]
        return found

    def group_wanted(self) -> str:
        return group_of(self.computation_id)

    async def refusal(self) -> int | None:
        user = self.scope["user"]
        if not isinstance(user, User) or not user.is_active:
            return SIGN_IN
        refusal: int | None = await database_sync_to_async(self._refused)(user)
        return refusal

    def _refused(self, user: User) -> int | None:
        try:
            get_computation_or_raise(user, self.computation_id)
        except Missing:
            return NOT_ALLOWED
        return None
