"""The items of a split as their track reads them, with and without the hidden answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.entity_spellings import edge_finder, entity_finder
from backend.benchmarks.models import HiddenAnswer, Item, Release, ReleaseSplit
from backend.benchmarks.release_graph_lookup import (
    find_used_graph,
    get_release_graph_or_raise,
    is_public,
    walked_graph,
)
from backend.benchmarks.split_rows import load_contents
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.shown_slices import MIN_TEST_ITEMS, safe_slices
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.graph_view import GraphView
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import ItemTable, Masks
from backend.tracks.metrics import EvaluatedMetric


@dataclass(frozen=True)
class ReleaseItems:
    """Items of one split in the order of the release, which is that of components."""

    track: AnyTrack
    table: ItemTable[Any]


def load_items(release: Release, split: str, *, with_candidates: bool = False) -> ReleaseItems:
    """with_candidates: also what the track's checks need of the release's graph."""
    track, items = get_track_or_raise(release.track), load_contents(release, split)
    version = release.graph_version
    is_known = with_candidates and track.predicts_entities and version is not None
    candidates = get_entity_keys(version).candidates if is_known and version else None
    is_typed = with_candidates and track.reads_entity_types and version is not None
    entities = entity_finder(open_version_snapshot(version)) if is_typed and version else None
    table = track.index_items(items, candidates, entities)
    if entities is not None and track.reads_edges and (walked := _open_walked(release)) is not None:
        table = replace(table, has_edge=edge_finder(walked))
    loaded = ReleaseItems(track, table)
    return mark_left_out(release, loaded) if with_candidates else loaded


def _open_walked(release: Release) -> GraphView | None:
    """The graph that paths are compared with, as it was known at the release's cut-off.

    None for the whole of a graph that not everybody may read: refusals would reveal its edges.
    """
    walked = walked_graph(release)
    version = release.graph_version if walked is None else walked.version
    if version is None or (walked is None and not is_public(release)):
        return None
    snapshot = open_version_snapshot(version)
    return snapshot if release.cutoff is None else DatedView(snapshot, release.cutoff)


def mark_left_out(release: Release, loaded: ReleaseItems) -> ReleaseItems:
    """With the positions of the items that count in no metric."""
    left_out = find_left_out(release, loaded.track, loaded.table.items)
    return replace(loaded, table=replace(loaded.table, left_out=left_out))


def find_left_out(release: Release, track: AnyTrack, items: Sequence[Any]) -> frozenset[int]:
    """Positions of the items whose question the masked graph leaves out; none without a graph."""
    methods = [track.masked_by(item) or release.partition for item in items]
    graphs = {method: find_used_graph(release, method) for method in {*methods} - {""}}
    included = {
        method: frozenset(graph.included) for method, graph in graphs.items() if graph is not None
    }
    return frozenset(
        at
        for at, (item, method) in enumerate(zip(items, methods, strict=True))
        if method in included and track.question_id(item) not in included[method]
    )


def load_answer(item: Item) -> Any:
    """The hidden answer of one item; None if it has none."""
    track = get_track_or_raise(item.release.track)
    row = HiddenAnswer.objects.filter(item=item).first()
    return None if row is None else TypeAdapter(track.answer_schema).validate_python(row.content)


def leave_out_conflicting(
    release: Release, marked: ReleaseItems, answers: Sequence[Any]
) -> Sequence[Any]:
    """The answers, with those marked whose question the masked graph leaves out, as the items are.

    Raises DomainError if the graph that the items are scored on is missing.
    """
    track, items = marked.track, marked.table.items
    for method in {track.masked_by(item) for item in items} - {""}:
        get_release_graph_or_raise(release, method)
    left_out = marked.table.left_out
    return [track.leave_out(one) if at in left_out else one for at, one in enumerate(answers)]


def published_slices(loaded: ReleaseItems, answers: Sequence[Any], split: str) -> Masks:
    """Masks of the slices whose scores are shown, the overall one first, see `shown_slices`."""
    masks = loaded.track.slices(loaded.table.items, answers)
    return shown_slices(masks, loaded.track.overall, split)


def shown_slices(masks: Masks, overall: str, split: str) -> Masks:
    """Those whose scores are shown: of the test split, those that reveal no score of few items."""
    if split == ReleaseSplit.DEV:
        return masks
    shown = safe_slices(masks, np.ones_like(masks[overall]), overall)
    return {name: mask for name, mask in masks.items() if name in shown}


def hidden_scores(
    track: AnyTrack,
    metric: EvaluatedMetric,
    components: NDArray[np.float64],
    masks: Masks,
    split: str,
) -> frozenset[str]:
    """Published slices of the test split in which the metric of an entry is not shown.

    components: (N, k), of its items. Those where few items count, or where few contribute to the
    value, such as the precision of one predicted link: that would be the score of an item. Which
    items do follows from the entry, so that neither is the score over all items shown then; of the
    main metric it is, in which all items count.
    """
    counted = components[:, metric.counted] > 0
    contributing = counted if metric.is_mean else metric.formula.contributes(components)
    is_main = metric.id == track.main_metric
    if split != ReleaseSplit.DEV and not is_main and is_chosen_few(contributing):
        return frozenset(masks)
    hidden = revealing_slices(masks, counted, track.overall, split)
    if metric.is_mean:
        return hidden
    some = {
        name: mask
        for name, mask in masks.items()
        if name == track.overall or (mask & contributing).any()
    }
    return hidden | revealing_slices(some, contributing, track.overall, split)


def is_chosen_few(flags: NDArray[np.bool_]) -> bool:
    """Some of the items, but so few that their common score is nearly that of one."""
    return 0 < int(flags.sum()) < min(MIN_TEST_ITEMS, len(flags))


def revealing_slices(
    masks: Masks, counted: NDArray[np.bool_], overall: str, split: str
) -> frozenset[str]:
    """Published slices of the test split whose values would reveal those of few counted items."""
    if split == ReleaseSplit.DEV:
        return frozenset()
    return frozenset(masks) - safe_slices(masks, counted, overall)
