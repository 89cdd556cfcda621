"""What a release has, counted: items and clusters by split, items by slice, what they resolve."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.models import Item, Release, ReleaseSplit
from backend.benchmarks.release_graph_lookup import used_graphs
from backend.benchmarks.release_slices import read_slices
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.release_items import load_items, mark_left_out, shown_slices
from backend.science.evaluation.resolution import resolution_floor
from backend.tracks.item_table import ItemTable


@dataclass(frozen=True)
class SplitContents:
    """clusters: units that a split never divides and that intervals are drawn from.

    overall: the slice of all items. slices: number of items by slice. left_out: items whose
    question the masked graph leaves out; they count in no metric and in no cluster.
    resolution_floor: the smallest difference of the main metric that the other items tell apart in
    the worst case, before there are entries; None below two clusters.
    """

    split: ReleaseSplit
    items: int
    left_out: int
    clusters: int
    overall: str
    slices: Mapping[str, int]
    main_metric: str
    resolution_floor: float | None


def count_contents(release: Release) -> Sequence[SplitContents]:
    """Of each split that has items."""
    splits = Item.objects.filter(release=release).order_by().values_list("split", flat=True)
    graphs = _masked_graphs(release)
    return [
        _count_split(release.pk, split, graphs) for split in sorted(splits.distinct(), reverse=True)
    ]


def count_items(release: Release, split: str) -> "SplitItems":
    return _count_items(release.pk, split, _masked_graphs(release))


def _masked_graphs(release: Release) -> frozenset[int]:
    """Those that may leave questions out: they can be made after the release."""
    return frozenset(one.pk for one in used_graphs(release))


@lru_cache(maxsize=100)
def _count_split(release_id: uuid.UUID, split: str, graphs: frozenset[int]) -> SplitContents:
    """Counted once in a process for the same graphs: the items of a release never change."""
    release = Release.objects.get(pk=release_id)
    track = get_track_or_raise(release.track)
    counted = _count_items(release_id, split, graphs)
    masks = shown_slices(read_slices(release, split), track.overall, split)
    return SplitContents(
        split=ReleaseSplit(split),
        items=counted.items + counted.left_out,
        left_out=counted.left_out,
        clusters=counted.clusters,
        overall=track.overall,
        slices={name: int(mask.sum()) for name, mask in masks.items()},
        main_metric=track.main_metric,
        resolution_floor=counted.resolution_floor,
    )


@dataclass(frozen=True)
class SplitItems:
    """What items alone determine. items: those that count in metrics, without `left_out`."""

    items: int
    left_out: int
    clusters: int
    resolution_floor: float | None


@lru_cache(maxsize=100)
def _count_items(release_id: uuid.UUID, split: str, graphs: frozenset[int]) -> SplitItems:
    release = Release.objects.get(pk=release_id)
    loaded = mark_left_out(release, load_items(release, split))
    track, left_out = loaded.track, len(loaded.table.left_out)
    sizes = count_by_cluster(loaded.table, track.cluster_ids(loaded.table.items))
    metric = track.get_metric(track.main_metric)
    nothing = np.zeros((0, len(sizes), len(track.components)))
    floor = resolution_floor(nothing, metric.formula, sizes)
    return SplitItems(
        items=len(loaded.table.items) - left_out,
        left_out=left_out,
        clusters=int((sizes > 0).sum()),
        resolution_floor=None if floor is None else metric.scale * floor,
    )


def count_by_cluster(table: ItemTable[Any], clusters: NDArray[np.intp]) -> NDArray[np.float64]:
    """(clusters,), the items of each that count in metrics; 0 where all are left out."""
    counted = np.ones(len(clusters))
    counted[[*table.left_out]] = 0
    return np.bincount(clusters, weights=counted).astype(np.float64)
