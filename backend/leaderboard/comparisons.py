"""Paired comparison of two entries of a board, by slice."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.release_slices import read_slices
from backend.common.errors import Conflict, DomainError
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Evaluation
from backend.evaluation.release_items import (
    hidden_scores,
    load_items,
    shown_slices,
)
from backend.evaluation.scoring import SEED, sum_slices
from backend.leaderboard.paired_differences import PairedDifference, adjust_differences
from backend.science.evaluation.comparisons import compare_entries
from backend.science.evaluation.draws import ClusterDraws

MAX_ITEMS = 200

COMPARISONS_IN_MEMORY = 256


@dataclass(frozen=True)
class SliceComparison(PairedDifference):
    """Adjusted over the slices of the comparison."""

    slice: str


@dataclass(frozen=True)
class DifferingItem:
    """A public item with the metric's value of both entries."""

    key: str
    first: float
    second: float


@dataclass(frozen=True)
class DifferingItems:
    """The first items whose values differ, and how many do, of the `n` items of the split."""

    metric: str
    total: int
    n: int
    listed: list[DifferingItem]


def find_differing_items(
    release: Release, metric_id: str, first: Evaluation, second: Evaluation
) -> DifferingItems | None:
    """None on the test split, whose values by item are hidden, and without a metric by item.

    A metric that is no mean has no value by item; then those of the main metric are compared.
    """
    if {first.split, second.split} != {ReleaseSplit.DEV}:
        return None
    loaded = load_items(release, ReleaseSplit.DEV)
    track, items = loaded.track, loaded.table.items
    means = {metric.id for metric in track.metrics if metric.is_mean}
    chosen = next((one for one in (metric_id, track.main_metric) if one in means), None)
    if chosen is None:
        return None
    values = [track.item_values(load_components(one.key))[chosen] for one in (first, second)]
    differing = np.flatnonzero(values[0] != values[1])
    differing = differing[~np.isnan(values[0][differing]) & ~np.isnan(values[1][differing])]
    listed = [
        DifferingItem(track.key_text(items[at]), float(values[0][at]), float(values[1][at]))
        for at in differing[:MAX_ITEMS].tolist()
    ]
    return DifferingItems(chosen, len(differing), len(items), listed)


def compare_evaluations(
    release: Release, metric_id: str, first: Evaluation, second: Evaluation
) -> Sequence[SliceComparison]:
    """Both evaluations are of the release and of one split. Raises DomainError.

    Raises Conflict where the release got a new evaluator version between the two reads.
    """
    if first.evaluator_version != second.evaluator_version:
        raise Conflict("The board was scored again just now. Load it again.")
    return _compare(release.pk, metric_id, first.pk, second.pk)


@lru_cache(COMPARISONS_IN_MEMORY)
def _compare(
    release_id: uuid.UUID, metric_id: str, first_id: uuid.UUID, second_id: uuid.UUID
) -> Sequence[SliceComparison]:
    """Evaluations never change, and a comparison takes seconds of processor time."""
    release = Release.objects.get(pk=release_id)
    first, second = (Evaluation.objects.get(pk=one) for one in (first_id, second_id))
    loaded = load_items(release, first.split)
    track, items = loaded.track, loaded.table.items
    metrics = {metric.id: metric for metric in track.metrics}
    if metric_id not in metrics:
        raise DomainError(f"There is no metric '{metric_id}'. Known are: {', '.join(metrics)}.")
    metric = metrics[metric_id]
    masks = shown_slices(read_slices(release, first.split), track.overall, first.split)
    clusters = track.cluster_ids(items)
    draws = ClusterDraws(int(clusters.max()) + 1, SEED)
    components = [load_components(one.key) for one in (first, second)]
    # As of scores: differences of slices that nest would be those of single items.
    for one in components:
        hidden = hidden_scores(track, metric, one, masks, first.split)
        masks = {name: mask for name, mask in masks.items() if name not in hidden}
    sums = [sum_slices(track, one, clusters, masks) for one in components]
    counts = sums[0][:, :, metric.counted].sum(axis=1).astype(int)
    shown = np.flatnonzero(counts)
    comparisons = compare_entries(
        sums[0][shown], sums[1][shown], counts[shown].tolist(), metric.formula, draws
    )
    differences = adjust_differences(comparisons, metric.scale)
    names = np.array(list(masks))[shown].tolist()
    return [
        SliceComparison(**vars(one), slice=name)
        for name, one in zip(names, differences, strict=True)
    ]
