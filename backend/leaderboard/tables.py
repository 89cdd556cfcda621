"""Puts figures into tables: columns and rows in the order of print, best and second marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from backend.benchmarks.printed_models import models_by_printed_name
from backend.benchmarks.track_catalogue import METRICS
from backend.leaderboard.result_values import PublishedResultsFault, ReportedValue
from backend.leaderboard.table_layout import Layout, TableLayout
from backend.science import display_ranks
from backend.science.display_ranks import Direction
from backend.tracks.metrics import Metric
from backend.validation.faults import Fault

Highlight = Literal["best", "second"]
NO_HIGHLIGHTS = display_ranks.Highlights(frozenset(), frozenset())


@dataclass(frozen=True)
class ResultColumn:
    key: str
    slice: str
    metric: str
    label: str
    direction: Direction | None
    unit: str
    scale: str
    decimals: int


@dataclass(frozen=True)
class ResultCell:
    """One place in a row; a value that the paper does not give is None, and its text is empty."""

    column: str
    value: float | None
    text: str
    place: Highlight | None


@dataclass(frozen=True)
class ResultRow:
    """model_label: as printed. model_name: of the model itself, where it has a page.

    sample: the part of the items that the row is over; all where it is empty.
    """

    id: str
    model: str
    model_slug: str | None
    model_name: str | None
    sample: str
    setting: str
    model_label: str
    setting_label: str
    provenance: Literal["published"]
    cells: tuple[ResultCell, ...]


@dataclass(frozen=True)
class TableSlice:
    key: str
    label: str


@dataclass(frozen=True)
class ResultTable:
    id: str
    name: str
    paper: str
    table: str
    title: str
    note: str
    source: str
    source_url: str
    year: int
    main_column: str
    is_ranked: bool
    slices: tuple[TableSlice, ...]
    metrics: tuple[Metric, ...]
    columns: tuple[ResultColumn, ...]
    rows: tuple[ResultRow, ...]


def tables_of_track(
    track: str, figures: Sequence[ReportedValue], layout: Layout
) -> tuple[ResultTable, ...]:
    mine = [figure for figure in figures if figure.track == track]
    return tuple(
        _table(part, plan, layout)
        for plan in layout.tables
        if (part := [figure for figure in mine if belongs_to_table(figure, plan)])
    )


def belongs_to_table(figure: ReportedValue, plan: TableLayout) -> bool:
    same_table = (figure.paper, figure.table) == (plan.paper, plan.table)
    return same_table and (not plan.settings or figure.setting in plan.settings)


def check_layout(figures: Sequence[ReportedValue], layout: Layout) -> None:
    """Every figure has exactly one table, one column and the table's number of decimals.

    Raises PublishedResultsFault with every fault at once.
    """
    faults = [fault for figure in figures for fault in _misplaced(figure, layout)]
    faults += [fault for plan in layout.tables for fault in _empty_columns(plan, figures)]
    if faults:
        raise PublishedResultsFault(faults)


def _misplaced(figure: ReportedValue, layout: Layout) -> Iterator[Fault]:
    plans = [plan for plan in layout.tables if belongs_to_table(figure, plan)]
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


def _empty_columns(plan: TableLayout, figures: Sequence[ReportedValue]) -> Iterator[Fault]:
    filled = {(figure.slice, figure.metric) for figure in figures if belongs_to_table(figure, plan)}
    for slice_, metric in _pairs(plan):
        if (slice_, metric) not in filled:
            yield Fault(f"tables.json, {plan.id}", f"no figure for {slice_}, {metric}.")
    if (plan.main_slice, plan.main_metric) not in _pairs(plan):
        message = f"{plan.main_slice}, {plan.main_metric} is not one of its columns."
        yield Fault(f"tables.json, {plan.id}", message)


def _pairs(plan: TableLayout) -> list[tuple[str, str]]:
    return [(slice_, metric) for slice_ in plan.slices for metric in plan.metrics]


def _table(figures: Sequence[ReportedValue], plan: TableLayout, layout: Layout) -> ResultTable:
    columns = tuple(_column(slice_, metric, plan) for slice_, metric in _pairs(plan))
    return ResultTable(
        id=plan.id,
        name=plan.name,
        paper=plan.paper,
        table=plan.table,
        title=plan.title,
        note=plan.note,
        source=plan.source,
        source_url=plan.url,
        year=plan.year,
        main_column=f"{plan.main_slice}.{plan.main_metric}",
        is_ranked=plan.ranked,
        slices=tuple(TableSlice(key, layout.label(key)) for key in plan.slices),
        metrics=tuple(METRICS[metric] for metric in plan.metrics),
        columns=columns,
        rows=_rows(figures, columns, plan, layout),
    )


def _column(slice_: str, metric_id: str, plan: TableLayout) -> ResultColumn:
    metric = METRICS[metric_id]
    return ResultColumn(
        key=f"{slice_}.{metric_id}",
        slice=slice_,
        metric=metric_id,
        label=metric.label,
        direction=metric.direction,
        unit=metric.unit.id,
        scale=metric.unit.label,
        decimals=plan.decimals,
    )


def _rows(
    figures: Sequence[ReportedValue],
    columns: Sequence[ResultColumn],
    plan: TableLayout,
    layout: Layout,
) -> tuple[ResultRow, ...]:
    entries = list(dict.fromkeys((figure.model, figure.setting) for figure in figures))
    # An entry is known by its place in print, never by its name: two rows may share a label.
    ids = {entry: str(number) for number, entry in enumerate(entries, start=1)}
    texts = {(ids[f.model, f.setting], f"{f.slice}.{f.metric}"): f.text for f in figures}
    marks = {
        column.key: _highlights(column, list(ids.values()), texts) if plan.ranked else NO_HIGHLIGHTS
        for column in columns
    }
    return tuple(
        _row(
            ids[entry],
            entry,
            layout,
            tuple(_cell(ids[entry], column.key, texts, marks) for column in columns),
        )
        for entry in entries
    )


def _row(
    id_: str, entry: tuple[str, str], layout: Layout, cells: tuple[ResultCell, ...]
) -> ResultRow:
    printed, setting = entry
    model, sample = models_by_printed_name().get(printed, (None, ""))
    return ResultRow(
        id=id_,
        model=printed,
        model_slug=model.slug if model else None,
        model_name=model.name if model else None,
        sample=sample,
        setting=setting,
        model_label=layout.label(printed),
        setting_label=layout.label(setting),
        provenance="published",
        cells=cells,
    )


def _highlights(
    column: ResultColumn, ids: Sequence[str], texts: dict[tuple[str, str], str]
) -> display_ranks.Highlights:
    if column.direction is None:
        return NO_HIGHLIGHTS
    values = {id_: _value(texts.get((id_, column.key))) for id_ in ids}
    return display_ranks.highlight(display_ranks.Column(values, column.direction, column.decimals))


def _value(text: str | None) -> float | None:
    return None if text is None else float(text)


def _cell(
    id_: str,
    key: str,
    texts: dict[tuple[str, str], str],
    marks: dict[str, display_ranks.Highlights],
) -> ResultCell:
    text = texts.get((id_, key))
    place: Highlight | None = None
    if id_ in marks[key].best:
        place = "best"
    elif id_ in marks[key].second:
        place = "second"
    return ResultCell(key, _value(text), text or "", place)
