"""Reads `results.csv`: figures of known tracks and metrics, or every fault by its line."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from backend.benchmarks.track_catalogue import METRICS, TRACKS
from backend.common.pluralize import pluralize
from backend.validation.faults import Fault

HEADER = ["paper", "table", "track", "model", "setting", "slice", "metric", "value", "unit"]
NUMBER = re.compile(r"-?\d+(\.\d+)?")


class PublishedResultsFault(Exception):
    """A file of published results is invalid."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(f"{fault.place}: {fault.message}" for fault in faults))


@dataclass(frozen=True)
class ReportedValue:
    """One printed number; `text` is the value as printed."""

    line: int
    paper: str
    table: str
    track: str
    model: str
    setting: str
    slice: str
    metric: str
    text: str
    unit: str

    @property
    def place(self) -> str:
        return f"results.csv, line {self.line}"

    @property
    def decimals(self) -> int:
        return len(self.text.partition(".")[2])


def parse_reported_values(content: str) -> tuple[ReportedValue, ...]:
    """Every figure in the order of the file.

    Raises PublishedResultsFault with every fault of the file at once.
    """
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    if next(reader, None) != HEADER:
        raise PublishedResultsFault([Fault("results.csv, line 1", _header_message())])
    figures, faults = [], []
    for cells in reader:
        if len(cells) != len(HEADER):
            message = f"has {pluralize(len(cells), 'cell')} instead of {len(HEADER)}."
            faults.append(Fault(f"results.csv, line {reader.line_num}", message))
            continue
        figure = ReportedValue(reader.line_num, *cells)
        figures.append(figure)
        faults.extend(Fault(figure.place, message) for message in _check_reported_value(figure))
    faults.extend(_find_duplicates(figures))
    if faults:
        raise PublishedResultsFault(faults)
    return tuple(figures)


def _header_message() -> str:
    return f"the columns must be {','.join(HEADER)}."


def _check_reported_value(figure: ReportedValue) -> Iterator[str]:
    if not figure.model or not figure.slice:
        yield "model and slice must be named."
    track = TRACKS.get(figure.track)
    if track is None:
        yield f"track {figure.track!r} is not in the catalogue."
    elif track.paper != figure.paper:
        yield f"track {figure.track!r} belongs to {track.paper}, not to {figure.paper!r}."
    yield from _check_value(figure)


def _check_value(figure: ReportedValue) -> Iterator[str]:
    metric = METRICS.get(figure.metric)
    if metric is None:
        yield f"metric {figure.metric!r} is not in the catalogue."
        return
    unit = metric.unit
    if figure.unit != unit.id:
        yield f"{figure.metric} counts in {unit.id}, not in {figure.unit!r}."
    if not NUMBER.fullmatch(figure.text):
        yield f"value {figure.text!r} is not a plain decimal number."
    elif not unit.low <= float(figure.text) <= unit.high:
        yield f"value {figure.text} is outside {unit.low:g} to {unit.high:g}."


def _find_duplicates(figures: list[ReportedValue]) -> Iterator[Fault]:
    first_lines: dict[tuple[str, ...], int] = {}
    for figure in figures:
        entry = (figure.track, figure.table, figure.model, figure.setting)
        key = (*entry, figure.slice, figure.metric)
        first = first_lines.setdefault(key, figure.line)
        if first != figure.line:
            yield Fault(figure.place, f"repeats the figure of line {first}.")
