"""Counts what a source gives and what it drops, and refuses a source that drops too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from backend.common.errors import DomainError, Fault
from backend.graphs.importers.making import REASONS
from backend.graphs.rows import EdgeRow, GraphSource, Malformed, NodeRow, RelationInfo

FIRST = 100
Row = TypeVar("Row", NodeRow, EdgeRow)


@dataclass(frozen=True, slots=True)
class Threshold:
    """An import is refused when more than this share, or this number, of its rows are dropped.

    The share is taken of nodes and of edges apart: a file of edges that is wrong throughout is
    not outweighed by a large file of nodes. None for the number sets no such bound.
    """

    share: float = 0.05
    number: int | None = None


class TooManyDropped(DomainError):
    code = "too_many_dropped"


@dataclass
class Report:
    """What one reading of a source kept and dropped; a second reading needs a second report."""

    threshold: Threshold = field(default_factory=Threshold)
    reasons: Counter[str] = field(default_factory=Counter)
    first: list[Malformed] = field(default_factory=list)
    kept: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)

    def nodes(self, rows: Iterable[NodeRow | Malformed]) -> Iterator[NodeRow]:
        """The good rows; what is dropped is counted, and the share judged at the end."""
        return (row for row in self.watch("nodes", rows) if not isinstance(row, Malformed))

    def edges(self, rows: Iterable[EdgeRow | Malformed]) -> Iterator[EdgeRow]:
        return (row for row in self.watch("edges", rows) if not isinstance(row, Malformed))

    def watch(self, what: str, rows: Iterable[Row | Malformed]) -> Iterator[Row | Malformed]:
        """All rows as they come, until too many of them are malformed."""
        kept = 0
        for row in rows:
            if isinstance(row, Malformed):
                self.drop(what, row)
            else:
                kept += 1
            yield row
        self.kept[what] += kept
        self._judge_share(what)

    def drop(self, what: str, row: Malformed) -> None:
        self.reasons[row.reason] += 1
        self.dropped[what] += 1
        if len(self.first) < FIRST:
            self.first.append(row)
        most = self.threshold.number
        if most is not None and self.dropped.total() > most:
            raise self._refused(f"More than {most:,} rows cannot be read.")

    def _judge_share(self, what: str) -> None:
        dropped, rows = self.dropped[what], self.dropped[what] + self.kept[what]
        if dropped > self.threshold.share * rows:
            raise self._refused(f"{dropped:,} of {rows:,} rows of {what} cannot be read.")

    def _refused(self, detail: str) -> TooManyDropped:
        return TooManyDropped(
            f"{detail} Nothing was imported.",
            faults=[
                Fault(
                    f"{row.file}, line {row.line}",
                    f"{REASONS.get(row.reason, row.reason)} {row.detail}",
                    code=row.reason,
                )
                for row in self.first
            ],
            data={"dropped": dict(self.reasons)},
        )


@dataclass
class Watched:
    """A source that is refused while it is read, as soon as it drops more than it may."""

    source: GraphSource
    report: Report

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        return self.source.relations

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        return self.report.watch("nodes", self.source.nodes())

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        return self.report.watch("edges", self.source.edges())
