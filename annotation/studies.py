"""Studies and batches as their coordinators and experts list them."""

import uuid
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal, get_args

from django.db.models import Count, QuerySet, Value
from django.db.models.functions import Coalesce

from annotation.models import (
    Assignment,
    AssignmentQuerySet,
    Batch,
    BatchQuestion,
    Status,
    StudyDesign,
)
from annotation.pool import count_available
from annotation.progress import StudyProgress, count_progress_by, no_progress, with_requested
from backend.accounts.models import User
from backend.studies.life_cycle import possible_moves
from backend.studies.models import Member, Study
from backend.studies.policies import CONSENT_VERSION, roles_in_study

TextToRead = Literal["introduction", "consent", "guidelines"]
TEXTS_TO_READ: tuple[TextToRead, ...] = get_args(TextToRead)


@dataclass(frozen=True)
class QuestionMark:
    """How far a question is. outcome: of the submission that counts, empty before the first."""

    number: int
    status: Status
    outcome: str


@dataclass(frozen=True)
class AssignedBatch:
    """A batch on its expert's home page. to_read: what the expert has to read before the next
    question: the introduction of a new study, or what has changed since they agreed to it."""

    batch: Batch
    progress: StudyProgress
    to_read: TextToRead | None
    marks: list[QuestionMark]


@dataclass(frozen=True)
class CoordinatedStudy:
    study: Study
    roles: list[str]
    batches: int
    questions: int
    experts: int
    progress: StudyProgress


@dataclass(frozen=True)
class StudyBatch:
    id: uuid.UUID
    number: int
    name: str
    questions: int


@dataclass(frozen=True)
class StudyDetails:
    """A study with its batches, and the roles of the member who reads it. moves: the states that
    it can be given next."""

    id: uuid.UUID
    name: str
    kind: str
    status: Study.Status
    moves: list[Study.Status]
    is_demo: bool
    description: str
    contact: str
    closes_on: date | None
    roles: list[Member.Role]
    batches: list[StudyBatch]


def assigned_batches(expert: User) -> list[AssignedBatch]:
    assignments = Assignment.objects.of_expert(expert).not_released()
    progress = count_progress_by(assignments, "batch")
    marks = _marks_by_batch(assignments)
    available = count_available(expert)
    agreed = _agreed_versions(expert)
    batches = (
        Batch.objects.filter(id__in={*available, *(batch for (batch,) in progress)})
        .exclude(study__status=Study.Status.DRAFT)
        .select_related("study")
        .with_consent_of(expert)
        .order_by("study__created_at", "study_id", "number")
    )
    return [
        AssignedBatch(
            batch=batch,
            progress=_with_available(batch, progress.get((batch.id,)), available.get(batch.id, 0)),
            to_read=None if batch.consent_version else _text_to_read(agreed.get(batch.study_id)),
            marks=marks[batch.id],
        )
        for batch in batches
    ]


def _agreed_versions(expert: User) -> dict[uuid.UUID, str]:
    """By study, the version of the consent text; empty before the first."""
    members = Member.objects.filter(user=expert, role=Member.Role.EXPERT)
    return dict(members.values_list("study", "consent_version"))


def _text_to_read(agreed_version: str | None) -> TextToRead:
    if not agreed_version:
        return "introduction"
    return "guidelines" if agreed_version == CONSENT_VERSION else "consent"


def _with_available(batch: Batch, assigned: StudyProgress | None, more: int) -> StudyProgress:
    """Of a pool, the total is what is assigned and what the expert could take besides."""
    progress = assigned or no_progress(batch.study.kind)
    return replace(progress, total=progress.total + more)


def _marks_by_batch(assignments: AssignmentQuerySet) -> dict[uuid.UUID, list[QuestionMark]]:
    result: dict[uuid.UUID, list[QuestionMark]] = defaultdict(list)
    number = Coalesce("number", "question__number")
    rows = assignments.order_by(number, "question__file_id").values_list(
        "batch",
        number,
        Coalesce("response__status", Value(Status.UNTOUCHED)),
        Coalesce("response__submitted_outcome", Value("")),
    )
    for batch, number, status, outcome in rows:
        result[batch].append(QuestionMark(number, Status(status), outcome))
    return result


def coordinator_names(study_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, list[str]]:
    """Who runs each study, by name."""
    result: dict[uuid.UUID, list[str]] = defaultdict(list)
    members = Member.objects.filter(study__in=study_ids, role=Member.Role.COORDINATOR)
    for study, name in members.order_by("joined_at").values_list("study", "user__name"):
        result[study].append(name)
    return result


def list_coordinated_studies(coordinator: User) -> list[CoordinatedStudy]:
    roles: dict[uuid.UUID, list[str]] = {}
    for member in Member.objects.filter(user=coordinator).order_by("role"):
        roles.setdefault(member.study_id, []).append(member.role)
    own = [study for study, study_roles in roles.items() if Member.Role.COORDINATOR in study_roles]
    progress = count_progress_by(Assignment.objects.counted().filter(study__in=own), "study")
    batches = _count_by(Batch.objects.filter(study__in=own), "study")
    entries = BatchQuestion.objects.filter(batch__study__in=own, known_answer=None)
    questions = _count_by(entries, "batch__study")
    designs = StudyDesign.objects.filter(study__in=own)
    overlaps = dict(designs.values_list("study", "overlap"))
    experts = _count_by(Member.objects.filter(study__in=own, role=Member.Role.EXPERT), "study")
    return [
        CoordinatedStudy(
            study=study,
            roles=roles[study.id],
            batches=batches.get(study.id, 0),
            questions=questions.get(study.id, 0),
            experts=experts.get(study.id, 0),
            progress=with_requested(
                progress.get((study.id,), no_progress(study.kind)),
                overlaps.get(study.id),
                questions.get(study.id, 0),
            ),
        )
        for study in Study.objects.filter(id__in=own).order_by("-created_at", "id")
    ]


def study_details(user: User, study: Study) -> StudyDetails:
    entries = BatchQuestion.objects.filter(batch__study=study, known_answer=None)
    questions = _count_by(entries, "batch")
    return StudyDetails(
        id=study.id,
        name=study.name,
        kind=study.kind,
        status=Study.Status(study.status),
        moves=possible_moves(study),
        is_demo=study.is_demo,
        description=study.description,
        contact=study.contact,
        closes_on=study.closes_on,
        roles=[Member.Role(one) for one in sorted(roles_in_study(user, study.id))],
        batches=[
            StudyBatch(batch.id, batch.number, batch.name, questions.get(batch.id, 0))
            for batch in study.batches.order_by("number")
        ],
    )


def _count_by(rows: QuerySet[Any], field: str) -> dict[uuid.UUID, int]:
    return dict(rows.order_by().values_list(field).annotate(Count("id")))
