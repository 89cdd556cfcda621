"""Conflicts of interest: questions that an expert must not judge."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, BatchQuestion, ConflictOfInterest
from annotation.pool_places import return_places
from annotation.work_requests import request_agreement_on_commit
from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    get_coordinated_study_or_raise,
    lock_unfrozen,
)

MAX_REASON_LENGTH = 1_000


@dataclass(frozen=True)
class DeclaredConflict:
    expert: User
    question: str
    reason: str
    declared_at: datetime


@transaction.atomic
def declare_conflict(
    *,
    actor: User,
    study_id: uuid.UUID,
    expert_id: uuid.UUID,
    batch: int,
    question: int,
    reason: str,
) -> None:
    """By a coordinator, of one of the study's experts. batch and question: their numbers."""
    get_coordinated_study_or_raise(actor, study_id)
    study = lock_unfrozen(study_id)
    members = study.members.filter(user=expert_id, role=Member.Role.EXPERT)
    is_expert = members.select_for_update().exists()  # a lease of the expert ends, or waits
    entries = BatchQuestion.objects.filter(batch__study=study, batch__number=batch)
    entry = entries.filter(question__number=question).first()
    if not is_expert or entry is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    record_conflict(
        actor=actor, study=study, question=entry.question_id, expert=expert_id, reason=reason
    )


def list_conflicts(study: Study) -> list[DeclaredConflict]:
    rows = ConflictOfInterest.objects.filter(study=study).select_related("expert", "question")
    return [
        DeclaredConflict(one.expert, one.question.text, one.reason, one.declared_at) for one in rows
    ]


def withdraw_judge(*, actor: User, study: Study, expert: uuid.UUID, reason: str) -> int:
    """Record a conflict of interest for all that the expert has of the study: their answers count
    no more. Returns how many questions; the caller has begun a transaction."""
    own = Assignment.objects.not_withdrawn().filter(study=study, expert=expert)
    list(own.order_by("id").select_for_update(of=("self",)).values_list("id"))
    questions = sorted({*own.values_list("question", flat=True)})
    for question in questions:
        record_conflict(actor=actor, study=study, question=question, expert=expert, reason=reason)
    return len(questions)


def record_conflict(
    *, actor: User, study: Study, question: uuid.UUID, expert: uuid.UUID, reason: str
) -> None:
    """The first declaration stands. What the expert has of the question is withdrawn; the caller
    has checked the actor's permission and begun a transaction.

    Assignments are locked before the conflict is stored, because a second declaration waits for
    the first one's row, and may hold these locks meanwhile.
    """
    own = Assignment.objects.filter(study=study, question=question, expert=expert)
    rows = list(own.select_for_update(of=("self",)).order_by("id"))
    ConflictOfInterest.objects.get_or_create(
        study=study,
        question_id=question,
        expert_id=expert,
        defaults={"reason": reason, "declared_by": actor},
    )
    return_places(rows, get_kind_or_raise(study.kind), Assignment.State.WITHDRAWN)
    notify_on_commit(study.id, "board")
    for batch in {row.batch_id for row in rows}:
        request_agreement_on_commit(batch)
