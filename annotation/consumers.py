"""The socket of a coordinator's dashboard: it announces changes; the page reads them over HTTP."""

import uuid

from backend.accounts.models import User
from backend.common.consumers import NotificationConsumer
from backend.studies.notifications import study_group
from backend.studies.policies import is_coordinator


class DashboardConsumer(NotificationConsumer):
    @property
    def study_id(self) -> uuid.UUID:
        study_id: uuid.UUID = self.scope["url_route"]["kwargs"]["study_id"]
        return study_id

    def group_name(self) -> str:
        return study_group(self.study_id)

    def may_receive(self, user: User) -> bool:
        return is_coordinator(user, self.study_id)
