"""What an expert did for a study, as a text that others can cite."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Max, Min

from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, Response
from annotation.studies import coordinator_names
from backend.accounts.models import User
from backend.studies.policies import get_expert_membership_or_raise


@dataclass(frozen=True)
class Contribution:
    """answers: questions with a submitted answer; skips are none."""

    study: UUID
    study_name: str
    kind: str
    expert: str
    coordinators: list[str]
    answers: int
    questions: int
    first_at: datetime | None
    last_at: datetime | None
    version: Annotated[str, "Of this software."]


def read_contribution(*, actor: User, study_id: UUID) -> Contribution:
    study = get_expert_membership_or_raise(actor, study_id).study
    kind = get_kind_or_raise(study.kind)
    answered = [one.name for one in kind.outcomes if one.is_answer]
    own = Assignment.objects.for_experts().not_withdrawn().filter(study=study, expert=actor)
    counted = Response.objects.filter(assignment__in=own, submitted_outcome__in=answered).aggregate(
        answers=Count("id"), first_at=Min("submitted_at"), last_at=Max("submitted_at")
    )
    return Contribution(
        study=study.id,
        study_name=study.name,
        kind=kind.title,
        expert=actor.name,
        coordinators=coordinator_names([study.id])[study.id],
        questions=own.count(),
        version=settings.VERSION,
        **counted,
    )
