"""Counts of links by year from a table: papers that mention both ends, or citations of those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as checked_dataclass

from backend.benchmarks.link_discoveries.dated_pairs import DatedPairs
from backend.common.errors import DomainError, NotFound
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.importance.dated_links import Floats, Longs
from backend.tracks.dyport.rows import Name
from backend.tracks.dyport.track import parse_number
from backend.validation.csv_escaping import unescape
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import RowSchema, read_rows

Year = Annotated[int, Field(ge=1, le=9_999)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]


@checked_dataclass(frozen=True, config=ConfigDict(extra="ignore"))
class YearlyCount:
    source: Name
    target: Name
    year: Year
    count: Count

    @property
    def ends(self) -> tuple[str, str]:
        return unescape(self.source), unescape(self.target)


SCHEMA = RowSchema(
    YearlyCount,
    Columns(
        ("source", "target", "year", "count"),
        parsers={"year": parse_number, "count": parse_number},
        ignores_others=True,
    ),
)


@dataclass(frozen=True)
class YearlyCounts:
    """links, years, counts int64 [m]: of links of the graph. unknown: rows of other pairs."""

    links: Longs
    years: Longs
    counts: Longs
    unknown: int

    def total(self, link_count: int, *, after: int, until: int) -> Floats:
        """[link_count]: the sum over the years after one and not after another."""
        chosen = (self.years > after) & (self.years <= until)
        weights = self.counts[chosen].astype(np.float64)
        return np.bincount(self.links[chosen], weights, minlength=link_count).astype(np.float64)


def read_yearly_counts(path: Path, graph: Snapshot, pairs: DatedPairs) -> YearlyCounts:
    """Raises NotFound without the file, DomainError with all its faults, or if no row is of a link
    of the graph.
    """
    if not path.is_file():
        raise NotFound(f"There is no file {path.name}. Check its path.", code="no_file")
    faults = RowFaultList()
    rows: list[YearlyCount] = []
    with path.open("rb") as file:
        for batch in read_rows(file, path.name, SCHEMA, faults):
            rows.extend(batch.values)
    if faults.total:
        listed = [one.as_fault() for one in faults.listed]
        message = f"{path.name} has faults. Correct the lines that are listed."
        raise DomainError(message, code="invalid_file", faults=listed)
    links = find_links(rows, graph, pairs)
    known = links >= 0
    if not known.any():
        message = f"No row of {path.name} is of a link of this graph. Check its identifiers."
        raise DomainError(message, code="no_links")
    years, counts = (np.array([getattr(row, it) for row in rows]) for it in ("year", "count"))
    return YearlyCounts(links[known], years[known], counts[known], int((~known).sum()))


def find_links(rows: Sequence[YearlyCount], graph: Snapshot, pairs: DatedPairs) -> Longs:
    """The number of the link of each row, -1 where the graph has none."""
    names = [end for row in rows for end in row.ends]
    ends = graph.find_numbers(names).reshape(-1, 2)
    result = np.full(len(rows), -1, np.int64)
    known = (ends >= 0).all(axis=1)
    result[known] = pairs.links.find(ends[known])
    return result
