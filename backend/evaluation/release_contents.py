"""What a release has, counted: items and clusters by split, items by slice, what they resolve."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from backend.benchmarks.models import Item, Release, ReleaseSplit
from backend.benchmarks.release_slices import read_slices
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.release_items import load_items, shown_slices
from backend.science.evaluation.resolution import resolution_floor


@dataclass(frozen=True)
class SplitContents:
    """clusters: units that a split never divides and that intervals are drawn from.

    slices: number of items by slice. resolution_floor: the smallest difference of the main metric
    that the items tell apart in the worst case, before there are entries; None below two clusters.
    """

    split: ReleaseSplit
    items: int
    clusters: int
    slices: Mapping[str, int]
    main_metric: str
    resolution_floor: float | None


def count_contents(release: Release) -> Sequence[SplitContents]:
    """Of each split that has items."""
    splits = Item.objects.filter(release=release).order_by().values_list("split", flat=True)
    return [_count_split(release.pk, split) for split in sorted(splits.distinct(), reverse=True)]


@lru_cache(maxsize=100)
def _count_split(release_id: uuid.UUID, split: str) -> SplitContents:
    """Counted once in a process: the items of a release never change."""
    release = Release.objects.get(pk=release_id)
    track = get_track_or_raise(release.track)
    counted = count_items(release_id, split)
    masks = shown_slices(read_slices(release, split), track.overall, split)
    return SplitContents(
        split=ReleaseSplit(split),
        items=counted.items,
        clusters=counted.clusters,
        slices={name: int(mask.sum()) for name, mask in masks.items()},
        main_metric=track.main_metric,
        resolution_floor=counted.resolution_floor,
    )


@dataclass(frozen=True)
class SplitItems:
    """The fields of SplitContents that items alone determine."""

    items: int
    clusters: int
    resolution_floor: float | None


@lru_cache(maxsize=100)
def count_items(release_id: uuid.UUID, split: str) -> SplitItems:
    loaded = load_items(Release.objects.get(pk=release_id), split)
    track = loaded.track
    sizes = np.bincount(track.cluster_ids(loaded.table.items)).astype(np.float64)
    metric = track.get_metric(track.main_metric)
    nothing = np.zeros((0, len(sizes), len(track.components)))
    floor = resolution_floor(nothing, metric.formula, sizes)
    return SplitItems(
        items=len(loaded.table.items),
        clusters=len(sizes),
        resolution_floor=None if floor is None else metric.scale * floor,
    )
