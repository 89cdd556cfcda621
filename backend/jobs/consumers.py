"""The socket of jobs: the id and version of each job that changes."""

import uuid
from urllib.parse import parse_qs

from backend.accounts.models import User
from backend.common.consumers import NotificationConsumer
from backend.common.errors import NotFound
from backend.jobs.policies import get_job_or_raise
from backend.jobs.transitions import ADMINISTRATORS_GROUP, job_group, owner_group


class JobsConsumer(NotificationConsumer):
    """Without a query, the user's own jobs (for administrators, all); `?job=<id>`, that one job."""

    @property
    def job_id(self) -> str:
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        ids: list[str] = query.get("job", [""])
        return ids[0]

    def group_name(self) -> str:
        if self.job_id:
            return job_group(uuid.UUID(self.job_id))
        user: User = self.scope["user"]
        return ADMINISTRATORS_GROUP if user.is_administrator else owner_group(user.pk)

    def may_receive(self, user: User) -> bool:
        if not self.job_id:
            return self.group != ADMINISTRATORS_GROUP or user.is_administrator
        try:
            get_job_or_raise(user, uuid.UUID(self.job_id))
        except (NotFound, ValueError):
            return False
        return True
