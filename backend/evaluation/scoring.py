"""Compute an evaluation: components of each item, scores by metric and slice, intervals."""

import hashlib
import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, BinaryIO, Self

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from backend.benchmarks.models import Release
from backend.benchmarks.release_graph_lookup import scored_snapshots
from backend.benchmarks.split_rows import load_answers
from backend.evaluation.component_files import store_components
from backend.evaluation.damaged_files import damaged_file, unread_file
from backend.evaluation.embedders import bind_embedder
from backend.evaluation.models import Evaluation, Score, Submission
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.query_execution import QueryExecution, QueryReport
from backend.evaluation.query_reports import store_query_report
from backend.evaluation.release_items import (
    ReleaseItems,
    hidden_scores,
    leave_out_conflicting,
    load_items,
    mark_left_out,
    published_slices,
)
from backend.evaluation.scored_answers import AnswerRecorder, ScoredAnswers, store_answers
from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import Estimate, estimate_metrics
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import Masks
from backend.tracks.metrics import Floats
from backend.tracks.pooled_track import QueriedTrack
from backend.tracks.prediction_check import CheckedPredictions
from backend.tracks.predictions import check_predictions
from backend.tracks.registry import load_tracks

SEED = 20_240_601
SUMS_AT_ONCE = 2**24  # cluster sums in memory: 128 MiB


@dataclass(frozen=True)
class ComputedEvaluation:
    """Rows that are not stored yet; the components already are."""

    evaluation: Evaluation
    scores: list[Score]
    queries: QueryReport


def evaluation_key(release: Release, split: str, predictions_digest: str, version: str) -> str:
    """SHA-256 of what the scores depend on."""
    parts = [predictions_digest, release.digest, split, release.track, version, SEED]
    parts += scored_snapshots(release)
    if release.cutoff and load_tracks()[release.track].has_queries:
        parts.append(f"until {release.cutoff}")
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True)
class ScoredSplit:
    """What the predictions for a split are scored against. `answers` are hidden."""

    release: Release
    split: str
    items: ReleaseItems
    answers: Sequence[Any]

    @classmethod
    def load(cls, release: Release, split: str) -> Self:
        items = mark_left_out(release, load_items(release, split))
        answers = leave_out_conflicting(release, items, load_answers(release, split))
        return cls(release, split, items, answers)

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """(items,), False for those whose question the masked graph leaves out."""
        counted = np.ones(len(self.answers), dtype=np.bool_)
        counted[[*self.items.table.left_out]] = False
        return counted

    @property
    def answers_by_key(self) -> Mapping[Hashable, Any]:
        track = self.items.track
        keys = map(track.key, self.items.table.items)
        return dict(zip(keys, self.answers, strict=True))


def compute_evaluation(
    submission: Submission, against: ScoredSplit, *, is_rescored: bool = False
) -> ComputedEvaluation:
    """Score a submission's file by the present evaluator. The same key gives the same bytes.

    is_rescored: against other items, or by another evaluator, than those of its submission.

    Raises DamagedFile if the stored file is not what was submitted.
    """
    scored = score_predictions(submission, against, is_rescored=is_rescored)
    store_components(scored.key, scored.components)
    checked = scored.checked
    evaluation = Evaluation(
        key=scored.key,
        release=against.release,
        split=against.split,
        predictions_digest=checked.digest,
        evaluator_version=against.items.track.version,
        seed=SEED,
        items=int(against.counted.sum()),
        answered=int((checked.answered & against.counted).sum()),
    )
    return ComputedEvaluation(
        evaluation,
        list(_scores(evaluation, against, checked, scored.components)),
        scored.report,
    )


@dataclass(frozen=True)
class ScoredPredictions:
    """answers: of a track whose predictions may be queries; they are stored by now."""

    key: str
    checked: CheckedPredictions
    components: Floats
    report: QueryReport
    answers: ScoredAnswers | None


def score_predictions(
    submission: Submission, against: ScoredSplit, *, is_rescored: bool
) -> ScoredPredictions:
    """The components of each item, and what queries answered. Raises DamagedFile."""
    release, items = against.release, against.items
    track = bind_embedder(items.track)
    recorder = open_recorder(track, against)
    with (
        open_predictions(submission, is_verified=is_rescored) as stream,
        QueryExecution(release, track, against.answers_by_key) as queries,
    ):
        checked = check_predictions(
            track,
            stream,
            submission.file_name,
            items.table,
            answers=against.answers,
            is_rescored=is_rescored,
            execute=queries.execute if recorder is None else recorder.execute(queries.execute),
        )
    is_changed = not is_rescored and checked.digest != submission.predictions_digest
    if checked.components is None or is_changed:
        raise unread_file(submission) if is_rescored else damaged_file(submission)
    key = evaluation_key(release, against.split, checked.digest, items.track.version)
    answers = None if recorder is None else recorder.finish()
    if answers is not None:
        store_answers(key, answers)
    return ScoredPredictions(key, checked, checked.components, queries.report, answers)


def open_recorder(track: AnyTrack, against: ScoredSplit) -> AnswerRecorder | None:
    """Where finding answers again would run queries again."""
    if isinstance(track, QueriedTrack):
        return AnswerRecorder(track, against.items.table)
    return None


@contextmanager
def open_predictions(submission: Submission, *, is_verified: bool) -> Iterator[BinaryIO]:
    """The stored file; is_verified: by the SHA-256 of its bytes."""
    try:
        stream = prediction_path(submission.file_digest).open("rb")
    except FileNotFoundError as error:
        raise damaged_file(submission) from error
    with stream:
        if is_verified:
            if hashlib.file_digest(stream, "sha256").hexdigest() != submission.file_digest:
                raise damaged_file(submission)
            stream.seek(0)
        yield stream


@transaction.atomic
def store_evaluation(key: str, computed: ComputedEvaluation | None) -> Evaluation:
    """One evaluation per key: of two jobs that computed the same, the first one stores it."""
    if computed is not None:
        Evaluation.objects.bulk_create([computed.evaluation], ignore_conflicts=True)
        if Evaluation.objects.filter(pk=computed.evaluation.pk).exists():
            Score.objects.bulk_create(computed.scores)
            store_query_report(computed.evaluation, computed.queries)
    return Evaluation.objects.get(key=key)


def sum_slices(
    track: AnyTrack, components: Floats, clusters: NDArray[np.intp], masks: Masks
) -> Floats:
    """Cluster sums (slices, clusters, k)."""
    count = int(clusters.max()) + 1
    return np.stack(
        [
            sum_by_cluster(track.within(components, mask), clusters, count, mask)
            for mask in masks.values()
        ]
    )


def estimate_slices(
    track: AnyTrack,
    components: Floats,
    clusters: NDArray[np.intp],
    masks: Masks,
    draws: ClusterDraws,
) -> Iterator[tuple[Sequence[Estimate], Floats]]:
    """For each slice its estimates, in the order of the metrics, and its cluster sums (C, k).

    Few slices at a time where there are many clusters; every slice meets the same draws.
    """
    formulas = [metric.formula for metric in track.metrics]
    waiting = iter(masks.items())
    size = max(1, SUMS_AT_ONCE // (draws.clusters * components.shape[1]))
    while part := dict(islice(waiting, size)):
        sums = sum_slices(track, components, clusters, part)
        counts = [int(mask.sum()) for mask in part.values()]
        yield from zip(estimate_metrics(sums, counts, formulas, draws), sums, strict=True)


def _scores(
    evaluation: Evaluation,
    against: ScoredSplit,
    checked: CheckedPredictions,
    components: Floats,
) -> Iterator[Score]:
    """Every metric over every slice, with the same draws of clusters."""
    track, items = against.items.track, against.items.table.items
    masks = published_slices(against.items, against.answers, evaluation.split)
    clusters = track.cluster_ids(items)
    draws = ClusterDraws(int(clusters.max()) + 1, SEED)
    hidden = {
        metric.id: hidden_scores(track, metric, components, masks, evaluation.split)
        for metric in track.metrics
    }
    rows = estimate_slices(track, components, clusters, masks, draws)
    for (name, mask), (row, row_sums) in zip(masks.items(), rows, strict=True):
        for metric, estimate in zip(track.metrics, row, strict=True):
            n = int(row_sums[:, metric.counted].sum())
            if metric.is_mean and not n:
                continue  # such as Recall@20 of queries with more answers
            if name in hidden[metric.id]:
                continue
            yield Score(
                evaluation=evaluation,
                metric=metric.id,
                slice=name,
                value=metric.scale * estimate.value,
                low=None if estimate.low is None else metric.scale * estimate.low,
                high=None if estimate.high is None else metric.scale * estimate.high,
                n=n,
                clusters=estimate.clusters,
                coverage=checked.coverage(mask & against.counted),
                method=estimate.method or "",
                reason=estimate.reason or "",
            )
