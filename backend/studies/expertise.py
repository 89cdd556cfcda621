"""Tags of experts: their fields of expertise, as coordinators name them."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    get_coordinated_study_or_raise,
    lock_unfrozen,
)

MAX_TAGS = 20


@dataclass(frozen=True)
class ExpertReading:
    """read: the newest version of the guidelines that the expert has acknowledged; 0 for none."""

    id: uuid.UUID
    name: str
    email: str
    tags: list[str]
    read: int


def list_expert_readings(study: Study) -> list[ExpertReading]:
    experts = study.members.filter(role=Member.Role.EXPERT).order_by("user__name", "user__email")
    fields = ("user", "user__name", "user__email", "tags", "guidelines_number")
    return [ExpertReading(*row) for row in experts.values_list(*fields)]


def clean_tags(tags: Iterable[str]) -> list[str]:
    """In lower case, without spaces around them, each once, in order."""
    return sorted({cleaned for tag in tags if (cleaned := " ".join(tag.lower().split()))})


@transaction.atomic
def set_expert_tags(
    *, actor: User, study_id: uuid.UUID, expert_id: uuid.UUID, tags: Iterable[str]
) -> list[str]:
    get_coordinated_study_or_raise(actor, study_id)
    study = lock_unfrozen(study_id)
    experts = Member.objects.filter(study=study, user=expert_id, role=Member.Role.EXPERT)
    cleaned = clean_tags(tags)
    if not experts.update(tags=cleaned):
        raise NotFound(NOT_FOUND_MESSAGE)
    notify_on_commit(study.id, "board")
    return cleaned
