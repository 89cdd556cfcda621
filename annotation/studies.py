"""Studies as their coordinators and experts find them, and what changes in them."""

import uuid
from dataclasses import dataclass
from typing import Any, Literal

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from annotation.live import tell_on_commit
from annotation.models import Assignment, Batch, BatchQuestion, Member, Study
from annotation.policies import (
    CONSENT_VERSION,
    ConsentOutdated,
    get_coordinated_study_or_raise,
    get_expert_membership_or_raise,
    roles_in_study,
)
from annotation.progress import Progress, progress_by
from backend.accounts.models import User
from backend.common.errors import Fault

Role = Literal["expert", "coordinator"]


@dataclass(frozen=True)
class BatchOfMine:
    """A batch as its expert finds it on her home."""

    batch: Batch
    progress: Progress
    consent_needed: bool


@dataclass(frozen=True)
class StudyRow:
    study: Study
    roles: list[str]
    batches: int
    questions: int
    experts: int
    progress: Progress


@dataclass(frozen=True)
class BatchOfStudy:
    id: uuid.UUID
    number: int
    name: str
    questions: int


@dataclass(frozen=True)
class StudyView:
    """A study as one of its members finds it."""

    id: uuid.UUID
    name: str
    status: str
    is_demo: bool
    roles: list[str]
    batches: list[BatchOfStudy]


@transaction.atomic
def give_consent(*, actor: User, study_id: uuid.UUID, version: str) -> None:
    member = get_expert_membership_or_raise(actor, study_id)
    if version != CONSENT_VERSION:
        fault = Fault("version", "This is an older text.", "consent_outdated", CONSENT_VERSION)
        raise ConsentOutdated(
            "What the study records has been described anew. Load the page again and read it.",
            faults=[fault],
        )
    if member.consent_version == version:
        return
    member.consent_version, member.consented_at = version, timezone.now()
    member.save(update_fields=["consent_version", "consented_at"])
    tell_on_commit(study_id, "board")


@transaction.atomic
def change_status(*, actor: User, study_id: uuid.UUID, status: Study.Status) -> Study:
    study = get_coordinated_study_or_raise(actor, study_id)
    study.status = status
    study.save(update_fields=["status"])
    tell_on_commit(study.id, "board")
    return study


def batches_of(expert: User) -> list[BatchOfMine]:
    hers = Assignment.objects.filter(expert=expert)
    progress = progress_by(hers, "batch")
    batches = (
        Batch.objects.filter(id__in=[batch for (batch,) in progress])
        .select_related("study")
        .with_consent_of(expert)
        .order_by("study__created_at", "study_id", "number")
    )
    return [
        BatchOfMine(
            batch=batch,
            progress=progress[batch.id,],
            consent_needed=batch.consent_version != CONSENT_VERSION,
        )
        for batch in batches
    ]


def coordinated_studies(coordinator: User) -> list[StudyRow]:
    roles: dict[uuid.UUID, list[str]] = {}
    for member in Member.objects.filter(user=coordinator).order_by("role"):
        roles.setdefault(member.study_id, []).append(member.role)
    mine = [study for study, found in roles.items() if Member.Role.COORDINATOR in found]
    progress = progress_by(Assignment.objects.filter(study__in=mine), "study")
    batches = _counts(Batch.objects.filter(study__in=mine), "study")
    questions = _counts(BatchQuestion.objects.filter(batch__study__in=mine), "batch__study")
    experts = _counts(Member.objects.filter(study__in=mine, role=Member.Role.EXPERT), "study")
    return [
        StudyRow(
            study=study,
            roles=roles[study.id],
            batches=batches.get(study.id, 0),
            questions=questions.get(study.id, 0),
            experts=experts.get(study.id, 0),
            progress=progress.get((study.id,), Progress()),
        )
        for study in Study.objects.filter(id__in=mine).order_by("-created_at", "id")
    ]


def study_for(user: User, study: Study) -> StudyView:
    questions = _counts(BatchQuestion.objects.filter(batch__study=study), "batch")
    return StudyView(
        id=study.id,
        name=study.name,
        status=study.status,
        is_demo=study.is_demo,
        roles=sorted(roles_in_study(user, study.id)),
        batches=[
            BatchOfStudy(batch.id, batch.number, batch.name, questions.get(batch.id, 0))
            for batch in study.batches.order_by("number")
        ],
    )


def memberships_of(user: User) -> list[tuple[Study, list[Role]]]:
    """Every study she has a part in, with her roles there."""
    found: dict[uuid.UUID, tuple[Study, list[Role]]] = {}
    members = Member.objects.filter(user=user).select_related("study")
    for member in members.order_by("study__created_at", "study_id", "role"):
        _, roles = found.setdefault(member.study_id, (member.study, []))
        roles.append("expert" if member.role == Member.Role.EXPERT else "coordinator")
    return list(found.values())


def _counts(rows: QuerySet[Any], field: str) -> dict[uuid.UUID, int]:
    return dict(rows.order_by().values_list(field).annotate(Count("id")))
