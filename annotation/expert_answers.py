"""Submitted answers as coordinators read them."""

from dataclasses import dataclass
from datetime import datetime

from annotation.kinds.base import Payload
from backend.accounts.models import User


@dataclass(frozen=True)
class ExpertAnswer:
    """A submission, to the complete item; of an expert the newest.

    active_ms is the active time at the first answer. The outcome is of the complete item, as the
    payload is.
    """

    expert: User
    outcome: str
    payload: Payload
    comment: str
    active_ms: int | None
    submitted_at: datetime
