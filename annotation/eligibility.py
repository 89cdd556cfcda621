"""Who must not judge a study, by the rules of packages above.

A model with a one-to-one field to Study may have a class method `refuse_judge(study, user)` that
returns why this user must not judge the study, as a sentence; an empty text if they may.
"""

import uuid
from typing import Protocol, runtime_checkable

from backend.common.errors import Conflict
from backend.studies.models import Study


@runtime_checkable
class StudyRule(Protocol):
    @classmethod
    def refuse_judge(cls, study: uuid.UUID, user: uuid.UUID) -> str: ...


def require_eligible(study: uuid.UUID, user: uuid.UUID) -> None:
    """Raises Conflict for who must not judge any question of the study."""
    for relation in Study._meta.get_fields(include_hidden=True):
        model = relation.related_model if relation.auto_created else None
        reason = model.refuse_judge(study, user) if isinstance(model, StudyRule) else ""
        if reason:
            raise Conflict(reason, code="conflict_of_interest")
