"""Puts figures into tables: columns and rows in the order of print, best and second marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from backend.benchmarks.metrics import METRICS, Metric
from backend.common.errors import Fault
from backend.leaderboard.figures import Figure, PublishedResultsFault
from backend.leaderboard.layout import Layout, TableLayout
from backend.science import standings
from backend.science.standings import Direction

Place = Literal["best", "second"]
NOTHING = standings.Highlights(frozenset(), frozenset())


@dataclass(frozen=True)
class Column:
    key: str
    slice: str
    metric: str
    label: str
    direction: Direction | None
    unit: str
    scale: str
    decimals: int


@dataclass(frozen=True)
class Cell:
    """One place in a row; a value that the paper does not give is None, and its text is empty."""

    column: str
    value: float | None
    text: str
    place: Place | None


@dataclass(frozen=True)
class Row:
    id: str
    model: str
    setting: str
    model_label: str
    setting_label: str
    cells: tuple[Cell, ...]
    provenance: str = "published"


@dataclass(frozen=True)
class Slice:
    key: str
    label: str


@dataclass(frozen=True)
class Table:
    id: str
    name: str
    paper: str
    table: str
    title: str
    note: str
    source: str
    source_url: str
    main_slice: str
    slices: tuple[Slice, ...]
    metrics: tuple[Metric, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def tables_of_track(track: str, figures: Sequence[Figure], layout: Layout) -> tuple[Table, ...]:
    """The tables of one track, in the layout's order."""
    mine = [figure for figure in figures if figure.track == track]
    return tuple(
        _table(part, plan, layout)
        for plan in layout.tables
        if (part := [figure for figure in mine if belongs(figure, plan)])
    )


def belongs(figure: Figure, plan: TableLayout) -> bool:
    same_table = (figure.paper, figure.table) == (plan.paper, plan.table)
    return same_table and (not plan.settings or figure.setting in plan.settings)


def check_layout(figures: Sequence[Figure], layout: Layout) -> None:
    """Every figure has exactly one table, one column and the table's number of decimals.

    Raises PublishedResultsFault with every fault at once.
    """
    faults = [fault for figure in figures for fault in _misplaced(figure, layout)]
    faults += [fault for plan in layout.tables for fault in _empty_columns(plan, figures)]
    if faults:
        raise PublishedResultsFault(faults)


def _misplaced(figure: Figure, layout: Layout) -> Iterator[Fault]:
    plans = [plan for plan in layout.tables if belongs(figure, plan)]
    if len(plans) != 1:
        message = f"belongs to {len(plans)} tables of tables.json instead of one."
        yield Fault(figure.place, message)
    for plan in plans:
        if figure.slice not in plan.slices or figure.metric not in plan.metrics:
            message = f"{plan.id} has no column for {figure.slice}, {figure.metric}."
            yield Fault(figure.place, message)
        if figure.decimals != plan.decimals:
            message = f"value {figure.text} is not printed with {plan.decimals} decimals."
            yield Fault(figure.place, message)


def _empty_columns(plan: TableLayout, figures: Sequence[Figure]) -> Iterator[Fault]:
    filled = {(figure.slice, figure.metric) for figure in figures if belongs(figure, plan)}
    for slice_, metric in _pairs(plan):
        if (slice_, metric) not in filled:
            yield Fault(f"tables.json, {plan.id}", f"no figure for {slice_}, {metric}.")
    if plan.main_slice and plan.main_slice not in plan.slices:
        yield Fault(f"tables.json, {plan.id}", f"{plan.main_slice!r} is not one of its slices.")


def _pairs(plan: TableLayout) -> list[tuple[str, str]]:
    return [(slice_, metric) for slice_ in plan.slices for metric in plan.metrics]


def _table(figures: Sequence[Figure], plan: TableLayout, layout: Layout) -> Table:
    columns = tuple(_column(slice_, metric, plan) for slice_, metric in _pairs(plan))
    return Table(
        id=plan.id,
        name=plan.name,
        paper=plan.paper,
        table=plan.table,
        title=plan.title,
        note=plan.note,
        source=plan.source,
        source_url=plan.url,
        main_slice=plan.main_slice,
        slices=tuple(Slice(key, layout.label(key)) for key in plan.slices),
        metrics=tuple(METRICS[metric] for metric in plan.metrics),
        columns=columns,
        rows=_rows(figures, columns, plan, layout),
    )


def _column(slice_: str, metric_id: str, plan: TableLayout) -> Column:
    metric = METRICS[metric_id]
    return Column(
        key=f"{slice_}.{metric_id}",
        slice=slice_,
        metric=metric_id,
        label=metric.label,
        direction=metric.direction,
        unit=metric.unit.id,
        scale=metric.unit.words,
        decimals=plan.decimals,
    )


def _rows(
    figures: Sequence[Figure], columns: Sequence[Column], plan: TableLayout, layout: Layout
) -> tuple[Row, ...]:
    entries = list(dict.fromkeys((figure.model, figure.setting) for figure in figures))
    # An entry is known by its place in print, never by its name: two rows may share a label.
    ids = {entry: str(number) for number, entry in enumerate(entries, start=1)}
    texts = {(ids[f.model, f.setting], f"{f.slice}.{f.metric}"): f.text for f in figures}
    marks = {
        column.key: _marks(column, list(ids.values()), texts) if plan.ranked else NOTHING
        for column in columns
    }
    return tuple(
        Row(
            id=ids[entry],
            model=entry[0],
            setting=entry[1],
            model_label=layout.label(entry[0]),
            setting_label=layout.label(entry[1]),
            cells=tuple(_cell(ids[entry], column.key, texts, marks) for column in columns),
        )
        for entry in entries
    )


def _marks(
    column: Column, ids: Sequence[str], texts: dict[tuple[str, str], str]
) -> standings.Highlights:
    if column.direction is None:
        return NOTHING
    values = {id_: _value(texts.get((id_, column.key))) for id_ in ids}
    return standings.highlight(standings.Column(values, column.direction, column.decimals))


def _value(text: str | None) -> float | None:
    return None if text is None else float(text)


def _cell(
    id_: str,
    key: str,
    texts: dict[tuple[str, str], str],
    marks: dict[str, standings.Highlights],
) -> Cell:
    text = texts.get((id_, key))
    place: Place | None = None
    if id_ in marks[key].best:
        place = "best"
    elif id_ in marks[key].second:
        place = "second"
    return Cell(key, _value(text), text or "", place)
