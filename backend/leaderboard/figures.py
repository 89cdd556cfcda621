"""The data of three figures, of printed entries and of those that were evaluated here.

After SerenQA's appendix E.2: the scale of models against a score (Figure 5), the metrics of all its
tasks side by side (Figure 6), and scores by the complexity of the question (Figure 7). A figure is
a table of entries by axes; an axis is a metric over one part of a track's items.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, Literal

from backend.benchmarks.track_catalogue import METRICS, TRACKS
from backend.leaderboard.anonymity import reveal_names
from backend.leaderboard.models import StandingRow
from backend.leaderboard.published_models import headline_columns, published_models
from backend.leaderboard.published_results import load_published
from backend.leaderboard.tables import ResultTable
from backend.tracks.metrics import Metric
from backend.tracks.registry import load_tracks

FigureName = Literal["scale", "profile", "complexity"]
FIGURES: Sequence[FigureName] = ("scale", "profile", "complexity")
EntryKind = Literal["printed", "evaluated", "baseline", "simulated"]
MOST_ENTRIES = 200  # of a board, the first of its ranking
LEAST_AXES = 3


@dataclass(frozen=True)
class FigureAxis:
    """Axes of the track's main metric come first. low, high: the range of the unit; no high where
    it has none."""

    key: str
    track: str
    track_title: str
    metric: str
    label: str
    slice: str
    unit: str
    low: float
    high: float | None
    lower_is_better: bool


@dataclass(frozen=True)
class FigureValue:
    """low, high: of the 95% interval. slice: what the value is over, if not what the axis names.
    source: a paper's table, or a release."""

    axis: str
    value: float
    low: float | None
    high: float | None
    slice: str
    setting: str
    source: str
    submission: str | None


@dataclass
class FigureEntry:
    """name: None while the entry is anonymous. source: of all its values; empty in a profile, where
    each value has its own."""

    id: str
    name: str | None
    model: str | None
    setting: str
    kind: EntryKind
    parameters: int | None
    source: str
    values: list[FigureValue] = field(default_factory=list)


@dataclass(frozen=True)
class FigureData:
    """left_out: entries of the track's board after the first MOST_ENTRIES."""

    figure: FigureName
    track: str
    paper: str
    axes: Sequence[FigureAxis]
    entries: Sequence[FigureEntry]
    left_out: int


@dataclass(frozen=True)
class FigureBoard:
    """The present board of a release's test items. partition: of the release, if it is of one."""

    release: str
    standing: int
    partition: str = ""


Boards = Mapping[str, FigureBoard]  # by track


def figures_of_track(slug: str) -> Sequence[FigureName]:
    """Those that the track has, whatever was evaluated so far."""
    has_sizes = any(one.parameters is not None for one in _printed_entries(slug))
    is_there = {
        "scale": has_sizes or slug in load_tracks(),
        "profile": len([*_profile_metrics(slug)]) >= LEAST_AXES,
        "complexity": bool(_complexity(slug)),
    }
    return [name for name in FIGURES if is_there[name]]


def build_figure(figure: FigureName, slug: str, boards: Boards) -> FigureData:
    """boards: of the track, and for a profile of the other tracks of its paper."""
    if figure == "profile":
        axes, entries = _build_profile(slug, boards)
    else:
        axes, entries = _build_track(slug, boards.get(slug), _complexity(slug), figure)
    present = {value.axis for entry in entries for value in entry.values}
    shown = [axis for axis in axes if axis.key in present]
    left_out = _count_left_out(boards.get(slug))
    return FigureData(figure, slug, TRACKS[slug].paper, shown, entries, left_out)


def _count_left_out(board: FigureBoard | None) -> int:
    if board is None:
        return 0
    return StandingRow.objects.filter(standing=board.standing, position__gt=MOST_ENTRIES).count()


def _build_track(
    slug: str, board: FigureBoard | None, parts: Sequence[str], figure: FigureName
) -> tuple[list[FigureAxis], list[FigureEntry]]:
    is_by_part = figure == "complexity"
    entries = [*_printed_entries(slug), *_evaluated_entries(slug, board)]
    axes: dict[str, FigureAxis] = {}
    for entry in entries:
        if is_by_part:
            entry.values = [one for one in entry.values if one.slice in parts]
        for value in entry.values:
            metric = value.axis.split(" ")[1]
            axes.setdefault(value.axis, _axis(slug, METRICS[metric], value.slice))
    order = {name: at for at, name in enumerate(parts)} if is_by_part else {}
    main = _main_metric(slug)
    ordered = sorted(
        axes.values(), key=lambda axis: (axis.metric != main, order.get(axis.slice, 0))
    )
    needed = [one for one in entries if one.values and (is_by_part or one.parameters is not None)]
    return ordered, needed


def _build_profile(slug: str, boards: Boards) -> tuple[list[FigureAxis], list[FigureEntry]]:
    """One entry for each model: the best of its settings, and its values of every track."""
    axes = {
        (one.track, one.metric): one
        for track in _tracks_of_paper(slug)
        for one in _profile_axes(track)
    }
    entries: dict[tuple[str, EntryKind], FigureEntry] = {}
    for track in _tracks_of_paper(slug):
        board = boards.get(track)
        for one in [*_printed_entries(track), *_evaluated_entries(track, board)]:
            entry = entries.setdefault(
                (one.model or one.id, one.kind),
                FigureEntry(one.id, one.name, one.model, "", one.kind, one.parameters, ""),
            )
            partition = board.partition if board is not None and one.kind != "printed" else ""
            _add_best(entry, one, axes, track, partition)
    return [*axes.values()], [one for one in entries.values() if one.values]


def _add_best(
    entry: FigureEntry,
    one: FigureEntry,
    axes: Mapping[tuple[str, str], FigureAxis],
    track: str,
    partition: str,
) -> None:
    by_metric: dict[str, dict[str, FigureValue]] = {}
    for value in one.values:
        by_metric.setdefault(value.axis.split(" ")[1], {})[value.slice] = value
    for metric, values in by_metric.items():
        axis = axes.get((track, metric))
        chosen = None if axis is None else _choose(values, axis, track, partition)
        if axis is None or chosen is None:
            continue
        earlier = next((old for old in entry.values if old.axis == axis.key), None)
        if earlier is None or chosen.value > earlier.value:
            entry.values = [old for old in entry.values if old is not earlier]
            entry.values.append(replace(chosen, axis=axis.key, setting=one.setting))


def _choose(
    values: Mapping[str, FigureValue], axis: FigureAxis, slug: str, partition: str
) -> FigureValue | None:
    """Over the items of the axis; else over all that a board has, if of no other partition."""
    track = load_tracks().get(slug)
    is_other = partition not in ("", axis.slice)
    names = [axis.slice] if track is None or is_other else [axis.slice, track.overall]
    return next((values[name] for name in names if name in values), None)


def _profile_axes(slug: str) -> Iterator[FigureAxis]:
    column, track = headline_columns().get(slug), load_tracks().get(slug)
    slice_ = column.slice if column is not None else track.overall if track is not None else ""
    return (_axis(slug, METRICS[name], slice_) for name in _track_metrics(slug))


def _profile_metrics(slug: str) -> Iterator[str]:
    return (name for track in _tracks_of_paper(slug) for name in _track_metrics(track))


def _track_metrics(slug: str) -> list[str]:
    """Of the printed table that stands for the track, and of the evaluator if it computes none of
    them: those with a range, the higher the better."""
    table, track = _headline_table(slug), load_tracks().get(slug)
    printed = [one.id for one in table.metrics] if table is not None else []
    evaluated = [one.id for one in track.metrics] if track is not None else []
    has_both = not set(printed).isdisjoint(evaluated)
    names = printed if has_both else [*printed, *evaluated]
    return [name for name in names if _has_range(METRICS[name])]


def _has_range(metric: Metric) -> bool:
    return metric.direction == "higher" and isfinite(metric.unit.high)


def _tracks_of_paper(slug: str) -> list[str]:
    return [one.id for one in TRACKS.values() if one.paper == TRACKS[slug].paper]


def _main_metric(slug: str) -> str:
    column, track = headline_columns().get(slug), load_tracks().get(slug)
    return column.metric if column is not None else track.main_metric if track is not None else ""


def _complexity(slug: str) -> Sequence[str]:
    track = load_tracks().get(slug)
    return track.slices_by_complexity if track is not None else ()


def _headline_table(slug: str) -> ResultTable | None:
    column, results = headline_columns().get(slug), load_published().tracks.get(slug)
    tables = results.tables if results is not None and column is not None else ()
    return next((one for one in tables if column in one.columns), None)


def _axis_key(slug: str, metric: str, slice_: str) -> str:
    return f"{slug} {metric} {slice_}"


def _axis(slug: str, metric: Metric, slice_: str) -> FigureAxis:
    return FigureAxis(
        _axis_key(slug, metric.id, slice_),
        slug,
        TRACKS[slug].title,
        metric.id,
        metric.label,
        slice_,
        metric.unit.id,
        metric.unit.low,
        metric.unit.high if isfinite(metric.unit.high) else None,
        metric.direction == "lower",
    )


def _printed_entries(slug: str) -> Iterator[FigureEntry]:
    """Rows over all items of the table that stands for the track."""
    table = _headline_table(slug)
    if table is None:
        return
    places = {column.key: (column.slice, column.metric) for column in table.columns}
    for row in table.rows:
        if row.sample or row.model_slug is None:
            continue
        model = published_models()[row.model_slug]
        entry = FigureEntry(
            f"printed {table.id} {row.id}",
            row.model_name,
            row.model_slug,
            row.setting_label,
            "printed",
            model.parameters,
            f"{table.paper}, Table {table.table}",
        )
        for cell in row.cells:
            slice_, metric = places[cell.column]
            if cell.value is not None:
                key = _axis_key(slug, metric, slice_)
                setting = row.setting_label
                source = entry.source
                value = FigureValue(key, cell.value, None, None, slice_, setting, source, None)
                entry.values.append(value)
        yield entry


def _evaluated_entries(slug: str, board: FigureBoard | None) -> Iterator[FigureEntry]:
    """Entries over all items, of the present board."""
    if board is None:
        return
    rows = StandingRow.objects.filter(standing=board.standing, position__lte=MOST_ENTRIES)
    for row in reveal_names(rows.order_by("position").values_list("content", flat=True)):
        if row["rank"] is None:
            continue
        model: Mapping[str, Any] = row["model"] or {}
        entry = FigureEntry(
            f"submission {row['submission']}",
            model.get("name"),
            model.get("slug"),
            "",
            entry_kind(row),
            model.get("parameters"),
            board.release,
        )
        entry.values.extend(_scored_values(slug, row, board.release))
        yield entry


def _scored_values(slug: str, row: Mapping[str, Any], release: str) -> Iterator[FigureValue]:
    scores: Mapping[str, Sequence[float | None]] = row["scores"]
    for key, (score, low, high, *_) in scores.items():
        metric, _, slice_ = key.partition(" ")
        if score is not None and metric in METRICS:
            axis = _axis_key(slug, metric, slice_)
            submission = str(row["submission"])
            yield FigureValue(axis, score, low, high, slice_, "", release, submission)


def entry_kind(row: Mapping[str, Any]) -> EntryKind:
    if row["is_simulated"]:
        return "simulated"
    return "baseline" if row["provenance"] == "baseline" else "evaluated"


def figure_rows(data: FigureData) -> Iterable[Sequence[str | float | int | None]]:
    """The table of the figure, a line for each value, the names of the columns first."""
    yield (
        *("entry", "kind", "setting", "parameters", "track", "metric", "items"),
        *("value", "low", "high", "unit", "source", "submission"),
    )
    axes = {axis.key: axis for axis in data.axes}
    for entry in data.entries:
        for value in entry.values:
            if (axis := axes.get(value.axis)) is not None:
                yield (
                    *(entry.name or "Anonymous entry", entry.kind, value.setting),
                    *(entry.parameters, axis.track, axis.metric, value.slice),
                    *(value.value, value.low, value.high, axis.unit, value.source),
                    value.submission,
                )
