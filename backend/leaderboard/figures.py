"""Reads `results.csv`: figures of known tracks and metrics, or every fault by its line."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from backend.benchmarks.catalogue import TRACKS
from backend.benchmarks.metrics import METRICS
from backend.common.errors import Fault
from backend.common.words import counted

HEADER = ["paper", "table", "track", "model", "setting", "slice", "metric", "value", "unit"]
NUMBER = re.compile(r"-?\d+(\.\d+)?")


class PublishedResultsFault(Exception):
    """A file of published results cannot be shown as it is: a fault of whoever changed it."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(f"{fault.place}: {fault.message}" for fault in faults))


@dataclass(frozen=True)
class Figure:
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


def read_figures(content: str) -> tuple[Figure, ...]:
    """Every figure in the order of the file.

    Raises PublishedResultsFault with every fault of the file at once.
    """
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    if next(reader, None) != HEADER:
        raise PublishedResultsFault([Fault("results.csv, line 1", _wrong_header())])
    figures, faults = [], []
    for cells in reader:
        if len(cells) != len(HEADER):
            message = f"has {counted(len(cells), 'cell')} instead of {len(HEADER)}."
            faults.append(Fault(f"results.csv, line {reader.line_num}", message))
            continue
        figure = Figure(reader.line_num, *cells)
        figures.append(figure)
        faults.extend(Fault(figure.place, message) for message in _wrong_in(figure))
    faults.extend(_repeated(figures))
    if faults:
        raise PublishedResultsFault(faults)
    return tuple(figures)


def _wrong_header() -> str:
    return f"the columns must be {','.join(HEADER)}."


def _wrong_in(figure: Figure) -> Iterator[str]:
    if not figure.model or not figure.slice:
        yield "model and slice must be named."
    track = TRACKS.get(figure.track)
    if track is None:
        yield f"track {figure.track!r} is not in the catalogue."
    elif track.paper != figure.paper:
        yield f"track {figure.track!r} belongs to {track.paper}, not to {figure.paper!r}."
    yield from _wrong_in_value(figure)


def _wrong_in_value(figure: Figure) -> Iterator[str]:
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


def _repeated(figures: list[Figure]) -> Iterator[Fault]:
    first_lines: dict[tuple[str, ...], int] = {}
    for figure in figures:
        entry = (figure.track, figure.table, figure.model, figure.setting)
        key = (*entry, figure.slice, figure.metric)
        first = first_lines.setdefault(key, figure.line)
        if first != figure.line:
            yield Fault(figure.place, f"repeats the figure of line {first}.")
