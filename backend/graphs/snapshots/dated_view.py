"""A snapshot as it was known at a date: edges that were first seen later are left out.

Undated edges are left out, too, and documents, which have no dates. Entities and edges keep their
numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.errors import NoDates
from backend.graphs.snapshots.format import DATE_COLUMNS
from backend.graphs.snapshots.records import AdjacencyRow, EdgeRecord
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.snapshots.snapshot_view import SnapshotView, select_entries
from backend.graphs.source_records import Section

MAX_DATE = 2**32 - 1


@dataclass(frozen=True, slots=True)
class EdgeDates:
    """uint32 of each edge, 0 for an undated one; unit is `pmid` or `year`."""

    unit: str
    values: NDArray[np.uint32]

    def admits(self, edges: NDArray[np.int64], until: int) -> NDArray[np.bool_]:
        dates = self.values[edges]
        return (dates > 0) & (dates <= until)


def get_edge_dates(snapshot: Snapshot) -> EdgeDates | None:
    """PMIDs, else years, else None."""
    for name in DATE_COLUMNS:
        if (values := snapshot.arrays.get(f"edge.{name}")) is not None:
            return EdgeDates(name.removeprefix("first_"), values)
    return None


class DatedView(SnapshotView):
    """Reads like a graph of the edges first seen until a PMID or year.

    Raises NoDates if the snapshot has neither, and IndexError for unknown entities or edges.
    """

    def __init__(self, base: Snapshot, until: int) -> None:
        dates = get_edge_dates(base)
        if dates is None:
            raise NoDates()
        super().__init__(base)
        self.dates, self.until = dates, min(until, MAX_DATE)

    @property
    def edge_count(self) -> int:
        return int(np.count_nonzero(self.admitted_mask()))

    @property
    def undated_count(self) -> int:
        """Edges of the whole graph without a date."""
        return len(self.dates.values) - int(np.count_nonzero(self.dates.values))

    @property
    def later_count(self) -> int:
        """Edges of the whole graph that were first seen later."""
        return int(np.count_nonzero(self.dates.values > self.until))

    def count_undated(self, number: int, relation: int | None, *, outgoing: bool) -> int:
        """Entries of one side of an entity without a date, of one relation or of all."""
        row = self.base.row(number, outgoing=outgoing)
        undated = self.dates.values[row.edge_ids()] == 0
        if relation is not None:
            undated &= row.relations == relation
        return int(undated.sum())

    def admitted_mask(self) -> NDArray[np.bool_]:
        """Of each edge of the whole graph, whether it was known."""
        dates = self.dates.values
        return (dates > 0) & (dates <= self.until)

    def admitted(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        return edges[self.dates.admits(edges, self.until)]

    def edge_numbers(self) -> Iterator[int]:
        return iter(np.flatnonzero(self.admitted_mask()).tolist())

    def edge(self, edge: int) -> EdgeRecord:
        record = self.base.edge(edge)
        if not self._is_admitted(edge):
            raise IndexError(f"edge {edge} was not known at this date")
        return record

    def document(self, number: int) -> tuple[Section, ...]:
        """None: what was written when is unknown."""
        return ()

    def row(self, number: int, *, outgoing: bool = True) -> AdjacencyRow:
        row = self.base.row(number, outgoing=outgoing)
        return select_entries(row, self.dates.admits(row.edge_ids(), self.until))

    def _is_admitted(self, edge: int) -> bool:
        return 0 < int(self.dates.values[edge]) <= self.until
