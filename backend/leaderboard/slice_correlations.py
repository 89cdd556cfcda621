"""How alike a metric orders the entries over two slices: Pearson's r between their scores.

SerenQA's Figure 3 with partitions as slices: an entry is a model in a setting.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from backend.benchmarks.track_catalogue import METRICS
from backend.leaderboard.result_values import ReportedValue
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import Masks

MIN_ENTRIES = 3  # two points are always on a line
MOST_SLICES = 8
MOST_LISTED = 100


@dataclass(frozen=True)
class CorrelatedMetric:
    id: str
    label: str
    unit: str


@dataclass(frozen=True)
class SliceCorrelation:
    """correlation: None with a reason. n: entries with a score over both slices; 0 of a slice that
    contains the other (`contained`)."""

    first: str
    second: str
    correlation: float | None
    n: int
    reason: str = ""


@dataclass(frozen=True)
class EntryScores:
    """name: None while the entry is anonymous. values: in the order of the slices."""

    submission: str | None
    name: str | None
    setting: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class MetricCorrelations:
    """entries: the first of them; pairs are over all."""

    metric: CorrelatedMetric
    slices: tuple[str, ...]
    pairs: tuple[SliceCorrelation, ...]
    entries: tuple[EntryScores, ...]


def correlate(
    metric: CorrelatedMetric,
    slices: Sequence[str],
    entries: Iterable[EntryScores],
    masks: Masks | None = None,
) -> MetricCorrelations:
    """Every pair of slices, over the entries that have both. Entries without any score are out.

    A pair in which one slice contains the other has no correlation: the items of both would raise
    it, whatever the others do. masks: of a board's slices; without them none is known to.
    """
    rows = tuple(one for one in entries if any(value is not None for value in one.values))
    pairs = tuple(
        correlate_pair(slices[a], slices[b], [(row.values[a], row.values[b]) for row in rows])
        if masks is None or not _is_nested(masks, slices[a], slices[b])
        else SliceCorrelation(slices[a], slices[b], None, 0, "contained")
        for a, b in combinations(range(len(slices)), 2)
    )
    return MetricCorrelations(metric, tuple(slices), pairs, rows[:MOST_LISTED])


def _is_nested(masks: Masks, first: str, second: str) -> bool:
    if first not in masks or second not in masks:
        return False
    one, other = masks[first], masks[second]
    return bool((one <= other).all() or (other <= one).all())


def correlate_pair(
    first: str, second: str, values: Iterable[tuple[float | None, float | None]]
) -> SliceCorrelation:
    both = np.array([(a, b) for a, b in values if a is not None and b is not None], np.float64)
    n = len(both)
    if n < MIN_ENTRIES:
        return SliceCorrelation(first, second, None, n, "too_few_entries")
    centred = both - both.mean(axis=0)
    lengths = np.abs(centred).max(axis=0)
    if (lengths <= 1e-12 * np.abs(both).max(axis=0)).any():
        return SliceCorrelation(first, second, None, n, "constant")
    x, y = (centred / lengths).T
    r = float(x @ y / math.sqrt(float(x @ x) * float(y @ y)))
    return SliceCorrelation(first, second, max(-1.0, min(1.0, r)), n)


def board_correlations(
    track: AnyTrack, rows: Iterable[Mapping[str, Any]], masks: Masks | None = None
) -> list[MetricCorrelations]:
    """Of each metric that a standing's entries have over two slices or more.

    The slice of all items is left out, as it contains the others, and so are declared samples.
    """
    ranked = [row for row in rows if row["rank"] is not None]
    keys = dict.fromkeys(key for row in ranked for key in row["scores"])
    result = []
    for metric in track.metrics:
        named = [name for id_, _, name in (key.partition(" ") for key in keys) if id_ == metric.id]
        slices = [name for name in named if name != track.overall][:MOST_SLICES]
        if len(slices) > 1:
            about = CorrelatedMetric(metric.id, metric.label, metric.unit.id)
            entries = (_board_entry(row, metric.id, slices) for row in ranked)
            result.append(correlate(about, slices, entries, masks))
    return result


def merge_partitions(
    track: AnyTrack, boards: Iterable[tuple[str, Iterable[Mapping[str, Any]]]]
) -> list[Mapping[str, Any]]:
    """Rows of boards of one partition each as rows with a slice for each partition, by model.

    Anonymous entries are left out: they cannot be matched without naming them.
    """
    merged: dict[str, dict[str, Any]] = {}
    for method, rows in boards:
        for row in rows:
            if row["rank"] is None or not row["model"]:
                continue
            entry = merged.setdefault(row["model"]["slug"], {**row, "scores": {}})
            for metric in track.metrics:
                score = row["scores"].get(f"{metric.id} {track.overall}")
                if score is not None:
                    entry["scores"][f"{metric.id} {method}"] = score
    return list(merged.values())


def _board_entry(row: Mapping[str, Any], metric: str, slices: Sequence[str]) -> EntryScores:
    scores = [row["scores"].get(f"{metric} {name}") for name in slices]
    values = tuple(None if score is None else score[0] for score in scores)
    name = row["model"]["name"] if row["model"] else None
    return EntryScores(row["submission"], name, "", values)


def printed_correlations(values: Iterable[ReportedValue], track: str) -> list[MetricCorrelations]:
    """Of each metric that a paper's table prints over two slices or more."""
    tables: dict[tuple[str, str], list[ReportedValue]] = {}
    for value in values:
        if value.track == track:
            tables.setdefault((value.table, value.metric), []).append(value)
    result = []
    for (_, id_), printed in tables.items():
        slices = [*dict.fromkeys(value.slice for value in printed)][:MOST_SLICES]
        if len(slices) > 1:
            metric = METRICS[id_]
            about = CorrelatedMetric(metric.id, metric.label, metric.unit.id)
            result.append(correlate(about, slices, _printed_entries(printed, slices)))
    return result


def _printed_entries(
    printed: Sequence[ReportedValue], slices: Sequence[str]
) -> Iterator[EntryScores]:
    cells = {(one.model, one.setting, one.slice): float(one.text) for one in printed}
    for model, setting in dict.fromkeys((one.model, one.setting) for one in printed):
        values = tuple(cells.get((model, setting, name)) for name in slices)
        yield EntryScores(None, model, setting, values)
