"""What a coordinator sees at one glance: counts as they are, statistics as last computed."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Min, OuterRef
from django.utils import timezone

from annotation.agreement import AgreementData
from annotation.live import ask_for_agreement, board_version
from annotation.models import (
    ANSWERED,
    Assignment,
    Batch,
    BatchAgreement,
    BatchQuestion,
    Member,
    Revision,
    Study,
)
from annotation.presence import Place, present_among
from annotation.progress import Progress, progress_by, progress_of
from backend.accounts.models import User
from backend.science.timing import estimate_finish

RECENT = 20
PACE_OVER = timedelta(days=7)


@dataclass(frozen=True)
class AgreementRow:
    statistics: AgreementData
    computed_at: datetime
    stale: bool


@dataclass(frozen=True)
class BatchRow:
    batch: Batch
    questions: int
    experts: int
    progress: Progress
    active: list[User]
    agreement: AgreementRow | None


@dataclass(frozen=True)
class BatchOfExpert:
    batch: Batch
    progress: Progress


@dataclass(frozen=True)
class ExpertRow:
    user: User
    consented: bool
    batches: list[BatchOfExpert]
    progress: Progress


@dataclass(frozen=True)
class Totals:
    progress: Progress
    experts: int
    active: list[User]
    finish_at: datetime | None


@dataclass(frozen=True)
class Board:
    study: Study
    version: int
    computed_at: datetime | None
    totals: Totals
    batches: list[BatchRow]
    recent: list[Revision]
    experts: list[ExpertRow]


@dataclass(frozen=True)
class _Read:
    """What the rows are made of, read once."""

    study: Study
    members: list[Member]
    by_place: dict[Place, Progress]
    active: set[Place]


def read_board(study: Study) -> Board:
    """The version is read first: a board may be newer than it says, never older."""
    version = board_version(study.id)
    read = _read(study)
    batches = _batch_rows(read)
    computed = [row.agreement.computed_at for row in batches if row.agreement]
    return Board(
        study=study,
        version=version,
        computed_at=max(computed, default=None),
        totals=_totals(read),
        batches=batches,
        recent=_recent(study),
        experts=_expert_rows(read, [row.batch for row in batches]),
    )


def _read(study: Study) -> _Read:
    members = study.members.filter(role=Member.Role.EXPERT).select_related("user")
    found = progress_by(Assignment.objects.filter(study=study), "batch", "expert")
    by_place: dict[Place, Progress] = {
        (batch, expert): row for (batch, expert), row in found.items()
    }
    return _Read(
        study=study,
        members=list(members.order_by("user__name", "user__email")),
        by_place=by_place,
        active=present_among(by_place),
    )


def _totals(read: _Read) -> Totals:
    progress = progress_of(Assignment.objects.filter(study=read.study))
    return Totals(
        progress=progress,
        experts=len(read.members),
        active=_people(read, {expert for _, expert in read.active}),
        finish_at=_finish_at(read.study, progress.left),
    )


def _finish_at(study: Study, left: int) -> datetime | None:
    if study.status != Study.Status.OPEN:
        return None
    now = timezone.now()
    answered = Revision.objects.filter(state__in=ANSWERED)
    earlier = answered.filter(response=OuterRef("response"), number__lt=OuterRef("number"))
    pace = answered.filter(
        ~Exists(earlier), response__assignment__study=study, submitted_at__gt=now - PACE_OVER
    ).aggregate(answers=Count("id"), first=Min("submitted_at"))
    return estimate_finish(now=now, first=pace["first"], answers=pace["answers"], left=left)


def _batch_rows(read: _Read) -> list[BatchRow]:
    entries = BatchQuestion.objects.filter(batch__study=read.study)
    questions = dict(entries.values_list("batch").annotate(Count("id")))
    progress = progress_by(Assignment.objects.filter(study=read.study), "batch")
    agreements = {
        row.batch_id: row for row in BatchAgreement.objects.filter(batch__study=read.study)
    }
    return [
        BatchRow(
            batch=batch,
            questions=questions.get(batch.id, 0),
            experts=sum(place[0] == batch.id for place in read.by_place),
            progress=progress.get((batch.id,), Progress()),
            active=_people(read, {expert for where, expert in read.active if where == batch.id}),
            agreement=_agreement_row(
                batch, progress.get((batch.id,), Progress()), agreements.get(batch.id)
            ),
        )
        for batch in read.study.batches.order_by("number")
    ]


def _agreement_row(
    batch: Batch, progress: Progress, stored: BatchAgreement | None
) -> AgreementRow | None:
    """Whatever was lost on the way to the worker is asked for again by whoever looks."""
    stale = progress.revisions > (stored.revisions if stored else 0)
    if stale:
        ask_for_agreement(batch.id)
    if stored is None or not stored.version:
        return None
    return AgreementRow(stored.statistics, stored.computed_at, stale)


def _expert_rows(read: _Read, batches: list[Batch]) -> list[ExpertRow]:
    progress = progress_by(Assignment.objects.filter(study=read.study), "expert")
    return [
        ExpertRow(
            user=member.user,
            consented=bool(member.consent_version),
            batches=[
                BatchOfExpert(batch, read.by_place[batch.id, member.user_id])
                for batch in batches
                if (batch.id, member.user_id) in read.by_place
            ],
            progress=progress.get((member.user_id,), Progress()),
        )
        for member in read.members
    ]


def _people(read: _Read, experts: set[uuid.UUID]) -> list[User]:
    return [member.user for member in read.members if member.user_id in experts]


def _recent(study: Study) -> list[Revision]:
    revisions = Revision.objects.filter(response__assignment__study=study).select_related(
        "response__assignment__expert",
        "response__assignment__batch",
        "response__assignment__question",
    )
    return list(revisions.order_by("-submitted_at", "-id")[:RECENT])
