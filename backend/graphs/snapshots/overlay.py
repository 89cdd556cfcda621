"""A snapshot with edges removed, without copying its arrays."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from backend.graphs.snapshots.records import (
    AdjacencyRow,
    EdgeRecord,
    RelationDegree,
)
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.snapshots.snapshot_view import SnapshotView, select_entries

RowKey = tuple[int, bool]


class Overlay(SnapshotView):
    """Reads like a rebuilt graph, except that entities and edges keep their numbers.

    Rows of entities that lose an edge are built when first read. Raises IndexError for unknown
    entities or edges.
    """

    def __init__(self, base: Snapshot, removed: Iterable[int] = ()) -> None:
        super().__init__(base)
        self.removed_edges = frozenset(removed)
        self._removed_by_row: defaultdict[RowKey, list[int]] = defaultdict(list)
        self._rows: dict[RowKey, AdjacencyRow] = {}
        for edge in self.removed_edges:
            self._removed_by_row[base.source_of(edge), True].append(edge)
            self._removed_by_row[int(base.forward.neighbours[edge]), False].append(edge)

    @property
    def edge_count(self) -> int:
        return self.base.edge_count - len(self.removed_edges)

    def edge_numbers(self) -> Iterator[int]:
        return (edge for edge in self.base.edge_numbers() if edge not in self.removed_edges)

    def edge(self, edge: int) -> EdgeRecord:
        if edge in self.removed_edges:
            raise IndexError(f"there is no edge {edge} in this overlay")
        return self.base.edge(edge)

    def row(self, number: int, *, outgoing: bool = True) -> AdjacencyRow:
        side = (number, outgoing)
        if side not in self._removed_by_row:
            return self.base.row(number, outgoing=outgoing)
        if side not in self._rows:
            row = self.base.row(number, outgoing=outgoing)
            is_removed = np.isin(row.edge_ids(), self._removed_by_row[side])
            self._rows[side] = select_entries(row, ~is_removed)
        return self._rows[side]

    def degrees(self, number: int) -> list[RelationDegree]:
        touched = any((number, way) in self._removed_by_row for way in (True, False))
        return super().degrees(number) if touched else self.base.degrees(number)
