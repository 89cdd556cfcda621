"""A coordinator's dashboard: current counts, and measures as a worker last computed them."""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Min, OuterRef, Subquery
from django.utils import timezone

from annotation.agreement import AgreementData
from annotation.board_results import (
    ANSWERED,
    are_results_shown,
    merge_answers,
    without_results,
)
from annotation.expert_flags import ExpertFlag, find_flags
from annotation.kinds.base import AnyKind
from annotation.kinds.measures import Measure
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, Batch, BatchAgreement, BatchQuestion, Revision
from annotation.presence import BatchExpert, find_present
from annotation.presentations import design_of
from annotation.progress import (
    StudyProgress,
    count_progress_by,
    no_progress,
    revision_count,
    with_requested,
)
from annotation.qualification import Qualification, read_qualifications
from annotation.study_graph import PinnedGraph, pinned_graph
from annotation.threads import blind_questions
from annotation.work_requests import request_agreement
from backend.accounts.models import User
from backend.runtime.eta import estimate_finish
from backend.studies.models import Member, Study
from backend.studies.notifications import dashboard_version

RECENT_COUNT = 20
PACE_WINDOW = timedelta(days=7)


@dataclass(frozen=True)
class BatchAgreementState:
    statistics: AgreementData
    computed_at: datetime
    stale: bool


@dataclass(frozen=True)
class BatchSummary:
    batch: Batch
    questions: int
    experts: int
    progress: StudyProgress
    shares: list[Measure]
    active: list[User]
    agreement: BatchAgreementState | None


@dataclass(frozen=True)
class ExpertBatch:
    batch: Batch
    progress: StudyProgress


@dataclass(frozen=True)
class ExpertSummary:
    user: User
    consented: bool
    reminded_at: datetime | None
    batches: list[ExpertBatch]
    progress: StudyProgress
    shares: list[Measure]
    flags: list[ExpertFlag]
    qualification: Qualification | None


@dataclass(frozen=True)
class StudyTotals:
    progress: StudyProgress
    shares: list[Measure]
    experts: int
    active: list[User]
    finish_at: datetime | None


@dataclass(frozen=True)
class RecentRevision:
    """outcome: 'answered' instead of one that is part of the answer: who watches the study can
    still adjudicate its questions blind."""

    revision: Revision
    outcome: str


@dataclass(frozen=True)
class Dashboard:
    """shows_results: whether outcomes, shares and measures have how questions were answered."""

    study: Study
    shows_results: bool
    version: int
    computed_at: datetime | None
    totals: StudyTotals
    batches: list[BatchSummary]
    recent: list[RecentRevision]
    experts: list[ExpertSummary]
    evidence: PinnedGraph | None


@dataclass(frozen=True)
class _DashboardData:
    """What several parts of the dashboard need, read once.

    revisions: of all answers of a batch, also of those that do not count.
    """

    study: Study
    shows_results: bool
    kind: AnyKind
    overlap: int | None
    questions: dict[uuid.UUID, int]
    revisions: dict[uuid.UUID, int]
    members: list[Member]
    by_batch_and_expert: dict[BatchExpert, StudyProgress]
    active: set[BatchExpert]


def read_dashboard(study: Study, reader: User) -> Dashboard:
    """The version is read first: the content may be newer than its version, never older."""
    version = dashboard_version(study.id)
    data = _load_data(study)
    batches = _batch_summaries(data)
    computed = [row.agreement.computed_at for row in batches if row.agreement]
    return Dashboard(
        study=study,
        shows_results=data.shows_results,
        version=version,
        computed_at=max(computed, default=None),
        totals=_totals(data),
        batches=batches,
        recent=_recent_revisions(data, reader),
        experts=_expert_summaries(data, [row.batch for row in batches]),
        evidence=pinned_graph(study),
    )


def _load_data(study: Study) -> _DashboardData:
    members = study.members.filter(role=Member.Role.EXPERT).select_related("user")
    entries = BatchQuestion.objects.filter(batch__study=study, known_answer=None)
    assigned = Assignment.objects.filter(batch=OuterRef("batch")).order_by().values("batch")
    revisions = assigned.annotate(count=revision_count()).values("count")
    counts = entries.values_list("batch", "batch__study__design__overlap").annotate(
        questions=Count("id"), revisions=Subquery(revisions)
    )
    result = count_progress_by(Assignment.objects.counted().filter(study=study), "batch", "expert")
    by_batch_and_expert: dict[BatchExpert, StudyProgress] = {
        (batch, expert): progress for (batch, expert), progress in result.items()
    }
    return _DashboardData(
        study=study,
        shows_results=are_results_shown(study),
        kind=get_kind_or_raise(study.kind),
        overlap=next((overlap for _, overlap, _, _ in counts), None),
        questions={batch: count for batch, _, count, _ in counts},
        revisions={batch: count or 0 for batch, _, _, count in counts},
        members=list(members.order_by("user__name", "user__email")),
        by_batch_and_expert=by_batch_and_expert,
        active=find_present(by_batch_and_expert),
    )


def _totals(data: _DashboardData) -> StudyTotals:
    counted = count_progress_by(Assignment.objects.counted().filter(study=data.study), "study")
    progress = with_requested(
        counted.get((data.study.id,), no_progress(data.kind.name)),
        data.overlap,
        sum(data.questions.values()),
    )
    return StudyTotals(
        progress=_shown_progress(data, progress),
        shares=_shown_shares(data, progress),
        experts=len(data.members),
        active=_members_by_id(data, {expert for _, expert in data.active}),
        finish_at=_finish_at(data, progress.remaining),
    )


def _finish_at(data: _DashboardData, remaining: int) -> datetime | None:
    if data.study.status != Study.Status.OPEN:
        return None
    now = timezone.now()
    answers = [one.name for one in data.kind.outcomes if one.is_answer]
    answered = Revision.objects.filter(outcome__in=answers)
    earlier = answered.filter(response=OuterRef("response"), number__lt=OuterRef("number"))
    pace = answered.filter(
        ~Exists(earlier),
        response__assignment__in=Assignment.objects.counted().filter(study=data.study),
        submitted_at__gt=now - PACE_WINDOW,
    ).aggregate(answers=Count("id"), first=Min("submitted_at"))
    return estimate_finish(
        now=now, started=pace["first"], completed=pace["answers"], remaining=remaining
    )


def _batch_summaries(data: _DashboardData) -> list[BatchSummary]:
    progress = count_progress_by(Assignment.objects.counted().filter(study=data.study), "batch")
    return [
        _batch_summary(
            data,
            batch,
            with_requested(
                progress.get((batch.id,), no_progress(data.kind.name)),
                data.overlap,
                data.questions.get(batch.id, 0),
            ),
            _agreement_state(data, batch),
        )
        for batch in data.study.batches.select_related("agreement").order_by("number")
    ]


def _batch_summary(
    data: _DashboardData,
    batch: Batch,
    progress: StudyProgress,
    agreement: BatchAgreementState | None,
) -> BatchSummary:
    experts = [expert for place, expert in data.by_batch_and_expert if place == batch.id]
    active = {expert for place, expert in data.active if place == batch.id}
    return BatchSummary(
        batch=batch,
        questions=data.questions.get(batch.id, 0),
        experts=len(experts),
        progress=_shown_progress(data, progress),
        shares=_shown_shares(data, progress),
        active=_members_by_id(data, active),
        agreement=agreement,
    )


def _shown_progress(data: _DashboardData, progress: StudyProgress) -> StudyProgress:
    if data.shows_results:
        return progress
    return replace(progress, outcomes=merge_answers(data.kind, progress.outcomes))


def _shown_shares(data: _DashboardData, progress: StudyProgress) -> list[Measure]:
    shares = data.kind.shares(progress.outcomes)
    return shares if data.shows_results else without_results(data.kind, shares)


def _agreement_state(data: _DashboardData, batch: Batch) -> BatchAgreementState | None:
    """Reading outdated measures requests new ones: an earlier request may have been lost."""
    stored: BatchAgreement | None = getattr(batch, "agreement", None)
    stale = data.revisions.get(batch.id, 0) > (stored.revision_count if stored else 0)
    if stale:
        request_agreement(batch.id)
    if stored is None or not stored.version:
        return None
    statistics = stored.statistics if data.study.has_ended else _of_open_study(stored.statistics)
    if not data.shows_results:
        measures = without_results(data.kind, statistics["measures"])
        statistics = {**statistics, "measures": measures}
    return BatchAgreementState(statistics, stored.computed_at, stale)


def _of_open_study(statistics: AgreementData) -> AgreementData:
    """An interval for one look is wrong where people look every day."""
    measures: list[Measure] = [
        {**one, "low": None, "high": None, "interval_reason": "still_open"}
        if one["low"] is not None
        else one
        for one in statistics["measures"]
    ]
    return {**statistics, "measures": measures}


def _expert_summaries(data: _DashboardData, batches: list[Batch]) -> list[ExpertSummary]:
    counted = count_progress_by(Assignment.objects.counted().filter(study=data.study), "expert")
    progress = {expert: one for (expert,), one in counted.items()}
    flags = find_flags(data.study, data.members, progress)
    experts = [member.user_id for member in data.members]
    qualifications = read_qualifications(design_of(data.study), experts)
    return [
        _expert_summary(
            data,
            member,
            batches,
            progress.get(member.user_id, no_progress(data.kind.name)),
            flags.get(member.user_id, []),
            qualifications.get(member.user_id),
        )
        for member in data.members
    ]


def _expert_summary(
    data: _DashboardData,
    member: Member,
    batches: list[Batch],
    progress: StudyProgress,
    flags: list[ExpertFlag],
    qualification: Qualification | None,
) -> ExpertSummary:
    return ExpertSummary(
        user=member.user,
        consented=bool(member.consent_version),
        reminded_at=member.reminded_at,
        batches=[
            ExpertBatch(batch, data.by_batch_and_expert[batch.id, member.user_id])
            for batch in batches
            if (batch.id, member.user_id) in data.by_batch_and_expert
        ],
        progress=_shown_progress(data, progress),
        shares=_shown_shares(data, progress),
        flags=flags,
        qualification=qualification,
    )


def _members_by_id(data: _DashboardData, experts: set[uuid.UUID]) -> list[User]:
    return [member.user for member in data.members if member.user_id in experts]


def _recent_revisions(data: _DashboardData, reader: User) -> list[RecentRevision]:
    """Of experts; without questions that the reader adjudicates blind."""
    assignments = Assignment.objects.for_experts().not_withdrawn().filter(study=data.study)
    revisions = Revision.objects.filter(
        response__assignment__in=assignments.exclude(
            question__in=blind_questions(data.study, reader)
        )
    ).select_related(
        "response__assignment__expert",
        "response__assignment__batch",
        "response__assignment__question",
    )
    return [
        RecentRevision(one, ANSWERED if data.kind.is_measured(one.outcome) else one.outcome)
        for one in revisions.order_by("-submitted_at", "-id")[:RECENT_COUNT]
    ]
