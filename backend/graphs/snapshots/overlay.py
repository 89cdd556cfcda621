"""A snapshot with edges removed, without copying its arrays."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.records import (
    AdjacencyRow,
    EdgeRecord,
    EntityRecord,
    EntitySummary,
    RelationDegree,
)
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.source_records import Section

RowKey = tuple[int, bool]


class Overlay(GraphView):
    """Reads like a rebuilt graph, except that entities and edges keep their numbers.

    Rows of entities that lose an edge are built when first read. Raises IndexError for unknown
    entities or edges.
    """

    def __init__(self, base: Snapshot, removed: Iterable[int] = ()) -> None:
        self.base = base
        self.types, self.relations, self.type_of = base.types, base.relations, base.type_of
        self.removed_edges = frozenset(removed)
        self._removed_by_row: defaultdict[RowKey, list[int]] = defaultdict(list)
        self._rows: dict[RowKey, AdjacencyRow] = {}
        for edge in self.removed_edges:
            self._removed_by_row[base.source_of(edge), True].append(edge)
            self._removed_by_row[int(base.forward.neighbours[edge]), False].append(edge)

    @property
    def entity_count(self) -> int:
        return self.base.entity_count

    @property
    def edge_count(self) -> int:
        return self.base.edge_count - len(self.removed_edges)

    def find_number(self, identifier: str) -> int | None:
        return self.base.find_number(identifier)

    def entity_summary(self, number: int) -> EntitySummary:
        return self.base.entity_summary(number)

    def entity(self, number: int) -> EntityRecord:
        return self.base.entity(number)

    def document(self, number: int) -> tuple[Section, ...]:
        return self.base.document(number)

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
            edges = row.edge_ids()
            unchanged = ~np.isin(edges, self._removed_by_row[side])
            self._rows[side] = AdjacencyRow(
                row.neighbours[unchanged], row.relations[unchanged], edges[unchanged]
            )
        return self._rows[side]

    def degree(self, number: int) -> int:
        return len(self.row(number)) + len(self.row(number, outgoing=False))

    def degrees(self, number: int) -> list[RelationDegree]:
        touched = any((number, way) in self._removed_by_row for way in (True, False))
        return super().degrees(number) if touched else self.base.degrees(number)
