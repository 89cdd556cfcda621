"""Strategies of guided exploration on one release (SerenQA, Figure 4): runs that differ by model
or setting and the baselines, each beside one of them.

Only entries that stand on the board are compared, as its comparison of two does: the differences
are sums over all items, and none of a single one is stated.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from django.db.models import Q

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import Conflict, DomainError, NotFound
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Evaluation, Provenance, Submission
from backend.evaluation.models.runs import Run
from backend.evaluation.models.submissions import have_names
from backend.evaluation.release_items import load_items
from backend.evaluation.runs.policies import public_runs
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.scoring import SEED, sum_slices
from backend.leaderboard.paired_differences import PairedDifference, adjust_differences
from backend.science.evaluation.comparisons import compare_entries
from backend.science.evaluation.draws import ClusterDraws
from backend.tracks.model_tasks import StepwiseTask
from backend.tracks.registry import load_model_tasks

MOST_STRATEGIES = 30
TABLES_IN_MEMORY = 64
USUAL_REFERENCE = "rns-beam"  # of the baselines


@dataclass(frozen=True)
class GuidedBeam:
    """relations, edges, width, depth: m, k, n and h of the paper's Algorithm 3."""

    relations: int
    edges: int
    width: int
    depth: int
    has_summaries: bool
    has_weights: bool


@dataclass(frozen=True)
class StrategyScore:
    """value: of the metric over all items, with its 95% interval, in its unit."""

    value: float
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Strategy:
    """answered_by: the endpoint's model, empty for a baseline, which has no beam either. run: its
    page. difference: None for the reference itself."""

    submission: uuid.UUID
    name: str
    answered_by: str
    run: uuid.UUID | None
    beam: GuidedBeam | None
    score: StrategyScore
    difference: PairedDifference | None


@dataclass(frozen=True)
class StrategyTable:
    """strategies: the best first. reference: None where fewer than two stand."""

    split: str
    metric: str
    reference: uuid.UUID | None
    strategies: list[Strategy]


@dataclass(frozen=True)
class Entrant:
    """An entry whose strategy is known. run: None for a baseline."""

    submission: Submission
    evaluation: Evaluation
    run: Run | None


def compare_strategies(
    actor: User | None,
    release: Release,
    split: str,
    metric_id: str = "",
    reference: uuid.UUID | None = None,
) -> StrategyTable:
    """Raises DomainError for an unknown metric, NotFound for a reference that is no strategy, and
    Conflict while the board is scored again."""
    track = get_track_or_raise(release.track)
    metric_id = metric_id or track.main_metric
    metrics = {metric.id for metric in track.metrics}
    if metric_id not in metrics:
        known = ", ".join(sorted(metrics))
        raise DomainError(f"There is no metric '{metric_id}'. Known are: {known}.")
    entrants = [*list_entrants(actor, release, split)]
    if not any(one.run for one in entrants):
        entrants = []  # baselines alone are no comparison of strategies
    chosen = choose_reference(entrants, reference)
    if chosen is None:
        return StrategyTable(split, metric_id, None, [])
    require_one_version(entrants)
    others = [one for one in entrants if one is not chosen]
    pairs = (chosen.evaluation.pk, *(one.evaluation.pk for one in others))
    differences = _compare(release.pk, metric_id, pairs) if others else []
    by_submission = dict(zip((one.submission.pk for one in others), differences, strict=True))
    strategies = [
        describe(one, metric_id, track.overall, by_submission.get(one.submission.pk))
        for one in entrants
    ]
    sign = -1 if track.get_metric(metric_id).direction == "higher" else 1
    strategies.sort(key=lambda one: sign * one.score.value)
    return StrategyTable(split, metric_id, chosen.submission.pk, strategies)


def list_entrants(actor: User | None, release: Release, split: str) -> Iterator[Entrant]:
    """The earliest baselines, and runs of stepwise tasks that the actor may see: no declared
    sample, no entry without a name."""
    tasks = {one.name for one in stepwise_tasks(release)}
    if not tasks:
        return
    runs = public_runs(actor).filter(release=release, task__in=tasks)
    by_submission = {
        one.pk: run
        for run in runs.prefetch_related("submissions").order_by("created_at")
        for one in run.submissions.all()
    }
    rows = Submission.objects.filter(have_names(), release=release, split=split)
    known = rows.filter(Q(pk__in=by_submission) | Q(provenance=Provenance.BASELINE))
    standing = known.standing().without_samples().select_related("model", "evaluation")
    for one in standing.order_by("created_at", "pk")[:MOST_STRATEGIES]:
        if one.evaluation is not None:
            yield Entrant(one, one.evaluation, by_submission.get(one.pk))


def stepwise_tasks(release: Release) -> Sequence[StepwiseTask[Any]]:
    track = get_track_or_raise(release.track)
    tasks = load_model_tasks(track).values()
    return [one for one in tasks if isinstance(one, StepwiseTask)]


def require_one_version(entrants: Sequence[Entrant]) -> None:
    """Raises Conflict while a release gets scores of a new evaluator version."""
    if len({one.evaluation.evaluator_version for one in entrants}) > 1:
        raise Conflict("The board is scored again just now. Load it again later.")


def choose_reference(entrants: Sequence[Entrant], identifier: uuid.UUID | None) -> Entrant | None:
    """The one of this id; without it the RNS beam, else the first baseline, else the first."""
    if identifier is not None:
        chosen = next((one for one in entrants if one.submission.pk == identifier), None)
        if chosen is None:
            raise NotFound("The reference is no strategy of this board.", code="no_strategy")
        return chosen
    usual = USUAL_REFERENCE.replace("-", " ")
    baselines = [one for one in entrants if one.run is None]
    named = [one for one in baselines if one.submission.model.name.endswith(usual)]
    return next(iter([*named, *baselines, *entrants]), None)


def describe(
    one: Entrant, metric: str, overall: str, difference: PairedDifference | None
) -> Strategy:
    score = one.evaluation.scores.get(metric=metric, slice=overall)
    return Strategy(
        submission=one.submission.pk,
        name=one.submission.model.name,
        answered_by="" if one.run is None else one.run.endpoint.model,
        run=None if one.run is None else one.run.pk,
        beam=None if one.run is None else beam_of(one.run),
        score=StrategyScore(score.value, score.low, score.high, score.n),
        difference=difference,
    )


def beam_of(run: Run) -> GuidedBeam:
    """Also of a setting that the run leaves at its default."""
    settings = RunSettings.model_validate(run.settings)
    return GuidedBeam(
        relations=settings.relations,
        edges=settings.edges,
        width=settings.width,
        depth=settings.depth,
        has_summaries=not settings.without_summaries,
        has_weights=not settings.without_weights,
    )


@lru_cache(TABLES_IN_MEMORY)
def _compare(
    release_id: uuid.UUID, metric_id: str, evaluation_ids: tuple[uuid.UUID, ...]
) -> Sequence[PairedDifference]:
    """Of the evaluations after the first one, minus the first: they never change."""
    release = Release.objects.get(pk=release_id)
    rows = Evaluation.objects.in_bulk(evaluation_ids)
    evaluations = [rows[one] for one in evaluation_ids]
    loaded = load_items(release, evaluations[0].split)
    track, items = loaded.track, loaded.table.items
    metric = track.get_metric(metric_id)
    clusters = track.cluster_ids(items)
    everything = {track.overall: np.ones(len(items), bool)}
    draws = ClusterDraws(int(clusters.max()) + 1, SEED)
    sums = np.concatenate(
        [sum_slices(track, load_components(one.key), clusters, everything) for one in evaluations]
    )
    counts = sums[1:, :, metric.counted].sum(axis=1).astype(int)
    reference = np.repeat(sums[:1], len(sums) - 1, axis=0)
    results = compare_entries(sums[1:], reference, counts.tolist(), metric.formula, draws)
    return adjust_differences(results, metric.scale)
