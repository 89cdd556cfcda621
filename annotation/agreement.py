"""Agreement among the experts of a batch, from the newest submitted order of each."""

import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TypedDict

from django.db import transaction
from django.db.models import F, QuerySet

from annotation.live import take_agreement_request, tell_on_commit
from annotation.models import RANKED, Assignment, Batch, BatchAgreement, Revision, State
from backend.science.agreement import QuestionRankings, batch_agreement
from backend.science.rankings import Groups, ranked_ids
from backend.science.statistic import Reason, Statistic


class StatData(TypedDict):
    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: Reason | None
    interval_reason: Reason | None


class AgreementData(TypedDict):
    """questions: those that two or more experts put in order."""

    kendall_w: StatData
    tau_b: StatData
    top1: StatData
    questions: int
    not_sure_left_out: int
    skipped_left_out: int


@dataclass
class Submitted:
    """The newest submissions of some assignments; revisions counts the older ones as well."""

    rankings: dict[uuid.UUID, list[Groups]] = field(default_factory=lambda: defaultdict(list))
    not_sure: int = 0
    skipped: int = 0
    revisions: int = 0


def recompute_agreement(*, batch_id: uuid.UUID) -> BatchAgreement | None:
    """Safe to run twice: an older reading never replaces a newer one."""
    take_agreement_request(batch_id)
    batch = Batch.objects.filter(id=batch_id).first()
    if batch is None:
        return None
    submitted = read_submitted(Assignment.objects.filter(batch=batch))
    statistics = measure(submitted, seed=batch.id.int % 2**32)
    return _store(batch, submitted.revisions, statistics)


def read_submitted(assignments: QuerySet[Assignment]) -> Submitted:
    """One statement, so that the count of revisions and the orders are of the same moment."""
    found = Submitted()
    rows = Revision.objects.filter(
        response__assignment__in=assignments, number=F("response__submitted_number")
    ).values_list("response__assignment__question_id", "state", "ranking", "number")
    for question, state, ranking, number in rows.order_by("response_id"):
        found.revisions += number
        found.not_sure += state == State.NOT_SURE
        found.skipped += state == State.SKIPPED
        if state in RANKED:
            found.rankings[question].append(ranking)
    return found


def measure(submitted: Submitted, *, seed: int) -> AgreementData:
    questions = [
        QuestionRankings(ids=ranked_ids(rankings[0]), rankings=rankings)
        for _, rankings in sorted(submitted.rankings.items())
    ]
    average = batch_agreement(questions, seed=seed).average
    return {
        "kendall_w": _told(average.kendall_w),
        "tau_b": _told(average.tau_b),
        "top1": _told(average.top1),
        "questions": sum(len(question.rankings) > 1 for question in questions),
        "not_sure_left_out": submitted.not_sure,
        "skipped_left_out": submitted.skipped,
    }


@transaction.atomic
def _store(batch: Batch, revisions: int, statistics: AgreementData) -> BatchAgreement:
    row, _ = BatchAgreement.objects.get_or_create(batch=batch, defaults={"statistics": {}})
    row = BatchAgreement.objects.select_for_update().get(id=row.id)
    if row.version and row.revisions >= revisions:
        return row
    row.statistics, row.revisions = dict(statistics), revisions
    row.version += 1
    row.save()
    tell_on_commit(batch.study_id, "agreement")
    return row


def _told(found: Statistic) -> StatData:
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "reason": found.reason,
        "interval_reason": found.interval_reason,
    }
