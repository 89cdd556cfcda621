"""Sessions in the database, as Django's, for what every request reads."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from backend.common.prepared_queries import PreparedQuery

_session = PreparedQuery(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now),
    key="an example",
    now=timezone.now(),
)


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Any:
        session = _session.fetch_one(key=self.session_key, now=timezone.now())
        if session is None:
            self._session_key = None
        return session
