"""Who must not judge a study, by the rules of packages above.

A model with a one-to-one field to Study may have a class method `refuse_judge(study, user)` that
returns why this user must not judge the study, as a sentence; an empty text if they may.
"""

import uuid
from collections.abc import Collection, Sequence
from functools import reduce
from operator import or_
from typing import Any, Protocol, runtime_checkable

from django.db.models import Exists, OuterRef, Q

from backend.common.errors import Conflict
from backend.studies.models import Study


@runtime_checkable
class StudyRule(Protocol):
    @classmethod
    def refuse_judge(cls, study: uuid.UUID, user: uuid.UUID) -> str: ...


def require_eligible(study: uuid.UUID, user: uuid.UUID) -> None:
    """Raises Conflict for who must not judge any question of the study."""
    if reason := find_refusal(study, user):
        raise Conflict(reason, code="conflict_of_interest")


def find_refusal(study: uuid.UUID, user: uuid.UUID) -> str:
    """Why the user must not judge any question of the study; empty if they may."""
    reasons = (model.refuse_judge(study, user) for model in _rules())
    return next((one for one in reasons if one), "")


def find_refused(study: uuid.UUID, users: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of the users who must not judge any question of the study."""
    if not is_ruled(study):
        return set()
    return {user for user in users if find_refusal(study, user)}


def has_rule() -> Q:
    """Of an assignment: whether its study is one that any rule is about."""
    return reduce(
        or_,
        (Exists(model._default_manager.filter(study=OuterRef("study"))) for model in _rules()),
        Q(pk__in=[]),
    )


def is_ruled(study: uuid.UUID) -> bool:
    """Whether any rule is about the study."""
    return any(model._default_manager.filter(study=study).exists() for model in _rules())


def _rules() -> Sequence[Any]:
    """Models with `refuse_judge`."""
    fields = Study._meta.get_fields(include_hidden=True)
    models = (one.related_model for one in fields if one.auto_created)
    return [one for one in models if isinstance(one, StudyRule)]
