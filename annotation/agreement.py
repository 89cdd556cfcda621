"""Agreement among the experts of a batch, from the newest submission of each."""

import time
import uuid
from typing import TypedDict

from django.db import transaction

from annotation.kinds.base import AnyKind
from annotation.kinds.measures import Measure
from annotation.kinds.registry import get_kind_or_raise
from annotation.kinds.submissions import ADAPTIVE, LatestSubmissions, read_latest_submissions
from annotation.models import SKIPPED, Assignment, Batch, BatchAgreement
from annotation.pool_places import fill_free_places
from annotation.selection import measure_information
from annotation.work_requests import clear_agreement_request, pause_agreement
from backend.studies.notifications import notify_on_commit


class AgreementData(TypedDict):
    """questions: those that two or more experts answered. left_out: answers that no measure
    uses, by outcome, and as 'adaptive' those to questions that were not drawn by chance."""

    measures: list[Measure]
    questions: int
    left_out: dict[str, int]


def recompute_agreement(*, batch_id: uuid.UUID) -> BatchAgreement | None:
    """Safe to repeat: older submissions never replace the statistics of newer ones.

    Others of the same submissions do: what of them counts may have changed.
    """
    began = time.monotonic()
    clear_agreement_request(batch_id)
    batch = Batch.objects.filter(id=batch_id).select_related("study").first()
    if batch is None:
        return None
    kind = get_kind_or_raise(batch.study.kind)
    fill_free_places(batch.study, batch_id, kind)
    latest = read_latest_submissions(Assignment.objects.filter(batch=batch), kind)
    statistics = measure_agreement(kind, latest, seed=batch.id.int % 2**32)
    information = measure_information(kind, batch, latest)
    pause_agreement(batch_id, time.monotonic() - began)
    return _store_agreement(batch, latest.revision_count, statistics, information)


def measure_agreement(kind: AnyKind, latest: LatestSubmissions, *, seed: int) -> AgreementData:
    """Of answers to questions that were drawn by chance, where others were not."""
    random = latest.random_part()
    unmeasured = [one.name for one in kind.outcomes if not one.is_measured]
    left_out = {name: random.left_out[name] for name in [*unmeasured, SKIPPED]}
    adaptive = {ADAPTIVE: number} if (number := random.left_out[ADAPTIVE]) else {}
    return {
        "measures": kind.agreement_of_raters(random.by_question(), seed=seed),
        "questions": random.compared_questions,
        "left_out": {**left_out, **adaptive},
    }


@transaction.atomic
def _store_agreement(
    batch: Batch, revision_count: int, statistics: AgreementData, information: dict[str, float]
) -> BatchAgreement:
    row, _ = BatchAgreement.objects.get_or_create(batch=batch, defaults={"statistics": {}})
    row = BatchAgreement.objects.select_for_update().get(id=row.id)
    there = (row.revision_count, row.statistics, row.information)
    is_newer = row.revision_count > revision_count
    if row.version and (is_newer or there == (revision_count, statistics, information)):
        return row
    row.statistics, row.revision_count = dict(statistics), revision_count
    row.information = information
    row.version += 1
    row.save()
    notify_on_commit(batch.study_id, "agreement")
    return row
