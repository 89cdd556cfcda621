"""What the organiser of a release reads about its unjudged answers. Nobody else may."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.track_catalogue import get_pooled_track_or_raise, get_track_or_raise
from backend.evaluation.answer_pools import find_pool, find_pool_job, is_outdated
from backend.evaluation.models import AnswerPool, PooledAnswer, PoolStudy, Submission
from backend.evaluation.pool_items import AnswerCatalogue
from backend.evaluation.pool_studies import leave_out_studied
from backend.evaluation.pool_verdicts import VerdictCounts, count_verdicts, read_verdicts
from backend.jobs.models import Job
from backend.tracks.pooled_track import PooledTrack

SHOWN = 50


@dataclass(frozen=True)
class RankingEntry:
    """rank: of the answer in the entry's list, from 1."""

    model: str
    rank: int


@dataclass(frozen=True)
class AnswerToJudge:
    """answer: as predictions write it. effect: expected change of the order, of the first 1."""

    position: int
    item: str
    question: str
    answer: str
    name: str
    effect: float
    entries: list[RankingEntry]


@dataclass(frozen=True)
class PoolSummary:
    """answers: distinct ones among the first `depth` of any entry. is_partial: of more entries."""

    depth: int
    entries: int
    answers: int
    unjudged: int
    is_partial: bool
    is_outdated: bool
    created_at: datetime


@dataclass(frozen=True)
class StudyOfPool:
    """corrected_as: the release that has its verdicts, which is a draft until it is scored."""

    id: uuid.UUID
    name: str
    kind: str
    split: str
    verdicts: VerdictCounts
    corrected_as: str | None


@dataclass(frozen=True)
class PoolOverview:
    """is_pooled: whether answers of the track are ranked. job: the latest that pooled the board."""

    release: str
    split: str
    is_pooled: bool
    pool: PoolSummary | None
    job: Job | None
    answers: list[AnswerToJudge]
    studies: list[StudyOfPool]
    corrected_by: str | None


def read_pool_overview(release: Release, split: ReleaseSplit) -> PoolOverview:
    pool = find_pool(release, split)
    later: Release | None = Release.objects.filter(corrects=release).first()
    return PoolOverview(
        release=release.slug,
        split=split,
        is_pooled=isinstance(get_track_or_raise(release.track), PooledTrack),
        pool=None if pool is None else summarize_pool(pool),
        job=find_pool_job(release, split),
        answers=[] if pool is None else list_answers(pool),
        studies=[describe_study(one) for one in find_pool_studies(release)],
        corrected_by=None if later is None else later.slug,
    )


def summarize_pool(pool: AnswerPool) -> PoolSummary:
    return PoolSummary(
        pool.depth,
        pool.entries,
        pool.answers,
        pool.unjudged,
        pool.is_partial,
        is_outdated(pool),
        pool.created_at,
    )


def list_answers(pool: AnswerPool) -> list[AnswerToJudge]:
    """The next in the order of judging, without those judged or in a study since.

    Effects are those of the pool, which is computed again once its verdicts are in a release.
    """
    stored = list(pool.pooled.select_related("item"))
    rows = leave_out_studied(pool.release.chain(), stored)[:SHOWN]
    track = get_pooled_track_or_raise(pool.release.track)
    catalogue = AnswerCatalogue(pool.release)
    schema: TypeAdapter[Any] = TypeAdapter(track.item_schema)
    models = name_models(rows)
    most = max((row.effect for row in rows), default=0.0) or 1.0
    return [
        AnswerToJudge(
            row.position,
            ", ".join(map(str, json.loads(row.item.key))),
            track.question_text(schema.validate_python(row.item.content)),
            str(row.answer),
            catalogue.name(row.answer),
            row.effect / most,
            [
                RankingEntry(models[key], rank)
                for key, rank in sorted(row.ranks.items(), key=lambda one: (one[1], one[0]))
            ],
        )
        for row in rows
    ]


def name_models(rows: Sequence[PooledAnswer]) -> Mapping[str, str]:
    """Names of the models by their submissions."""
    ids = {key for row in rows for key in row.ranks}
    named = Submission.objects.filter(pk__in=ids).values_list("pk", "model__name")
    return {str(pk): name for pk, name in named}


def find_pool_studies(release: Release) -> Sequence[PoolStudy]:
    studies = PoolStudy.objects.filter(release=release)
    return list(studies.select_related("study", "corrected_as"))


def describe_study(one: PoolStudy) -> StudyOfPool:
    return StudyOfPool(
        one.study_id,
        one.study.name,
        one.study.kind,
        one.split,
        count_verdicts(read_verdicts(one)),
        None if one.corrected_as is None else one.corrected_as.slug,
    )
