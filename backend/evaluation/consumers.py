"""Sockets of runs and of sessions of tool calls: that a step was added, and its version."""

import uuid

from backend.accounts.models import User
from backend.common.consumers import NotificationConsumer
from backend.common.errors import NotFound
from backend.evaluation.announcements import run_group, session_group
from backend.evaluation.runs.policies import get_run_or_raise
from backend.evaluation.tool_sessions import get_session_or_raise


class RunConsumer(NotificationConsumer):
    """Of whoever may see the run. Visitors see runs that have ended, where nothing is added."""

    @property
    def run_id(self) -> uuid.UUID:
        run_id: uuid.UUID = self.scope["url_route"]["kwargs"]["run_id"]
        return run_id

    def group_name(self) -> str:
        return run_group(self.run_id)

    def may_receive(self, user: User) -> bool:
        try:
            get_run_or_raise(user, self.run_id)
        except NotFound:
            return False
        return True


class ToolSessionConsumer(NotificationConsumer):
    @property
    def session_id(self) -> uuid.UUID:
        session_id: uuid.UUID = self.scope["url_route"]["kwargs"]["session_id"]
        return session_id

    def group_name(self) -> str:
        return session_group(self.session_id)

    def may_receive(self, user: User) -> bool:
        try:
            get_session_or_raise(user, self.session_id)
        except NotFound:
            return False
        return True
