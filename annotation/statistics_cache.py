"""The statistics of a study as a worker last computed them.

They live in Redis and may be lost: then reading them requests them again.
"""

import uuid
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.core.cache import cache
from django.utils import timezone

from annotation.blinding import record_readings
from annotation.models import Assignment, Judge
from annotation.progress import revision_count
from annotation.quality_statistics import QUESTION_CHECKS
from annotation.statistics import compute_statistics
from annotation.threads import blind_questions
from annotation.work_requests import request_statistics
from backend.accounts.models import User
from backend.common.queue import CONNECTION_ERRORS
from backend.studies.models import Study
from backend.studies.notifications import notify

TTL_S = 30 * 24 * 3600


class CachedStatistics(TypedDict):
    """sections: as plain values, which a newer version can read. basis: of which answers, and
    whether the study was open."""

    sections: list[dict[str, Any]]
    computed_at: datetime
    basis: str


@dataclass(frozen=True)
class StatisticsState:
    """sections are None until they were computed once. stale: a worker computes anew."""

    sections: list[dict[str, Any]] | None
    computed_at: datetime | None
    stale: bool


def read_statistics(study: Study, *, max_age: timedelta = timedelta(0)) -> StatisticsState:
    """Reading outdated statistics requests new ones; those of less than max_age are not."""
    try:
        cached: CachedStatistics | None = cache.get(_key(study.id))
    except CONNECTION_ERRORS:
        cached = None
    is_recent = cached is not None and timezone.now() - cached["computed_at"] < max_age
    is_stale = not is_recent and (cached is None or cached["basis"] != _basis(study))
    if is_stale:
        request_statistics(study.id)
    if cached is None:
        return StatisticsState(None, None, is_stale)
    return StatisticsState(cached["sections"], cached["computed_at"], is_stale)


def show_statistics(state: StatisticsState, study: Study, reader: User) -> StatisticsState:
    """Without figures about questions that the reader adjudicates blind. Figures about the result
    of a question are answers that the reader has read."""
    shown = _hide_blind_questions(state, study, reader)
    results = {
        figure["question"]
        for section in shown.sections or []
        if section["name"] != QUESTION_CHECKS
        for figure in section["figures"]
        if figure.get("question")
    }
    record_readings(reader, study, map(uuid.UUID, results))
    return shown


def _hide_blind_questions(state: StatisticsState, study: Study, reader: User) -> StatisticsState:
    blind = {str(one) for one in blind_questions(study, reader)}
    if not blind or state.sections is None:
        return state
    sections = [
        {**one, "figures": [it for it in one["figures"] if it.get("question") not in blind]}
        for one in state.sections
    ]
    return replace(state, sections=sections)


def recompute_statistics(study_id: uuid.UUID) -> None:
    """Safe to repeat: requests that waited together compute once. The basis is read first: the
    figures may be newer than it, never older."""
    study = Study.objects.filter(id=study_id).first()
    if study is None:
        return
    basis = _basis(study)
    cached: CachedStatistics | None = cache.get(_key(study_id))
    if cached is not None and cached["basis"] == basis:
        return
    sections = [asdict(one) for one in compute_statistics(study)]
    result = CachedStatistics(sections=sections, computed_at=timezone.now(), basis=basis)
    cache.set(_key(study_id), result, timeout=TTL_S)
    notify(study_id, "agreement")


def _basis(study: Study) -> str:
    revisions = Assignment.objects.filter(study=study).aggregate(count=revision_count())["count"]
    imports = Judge.objects.filter(study=study).values_list("imported_at", flat=True)
    return " ".join(map(str, (revisions, study.status, *imports)))


def _key(study_id: uuid.UUID) -> str:
    return f"study-statistics:{study_id}"
