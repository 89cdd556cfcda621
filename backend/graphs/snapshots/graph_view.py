"""Read access to a graph: a snapshot, or a snapshot with changes."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.format import Relation
from backend.graphs.snapshots.records import (
    AdjacencyRow,
    EdgeRecord,
    EntityRecord,
    EntitySummary,
    NeighbourPage,
    RelationDegree,
)
from backend.graphs.source_records import Section

MIN_NUMPY_COUNT = 300  # below this, a Counter is faster than numpy


class GraphView(ABC):
    """Entities by number, and their edges in both directions.

    Numbers start at 0; an unknown number raises IndexError.
    """

    types: tuple[str, ...]
    relations: tuple[Relation, ...]
    type_of: NDArray[np.uint8] | NDArray[np.uint16]

    @property
    @abstractmethod
    def entity_count(self) -> int: ...
    @property
    @abstractmethod
    def edge_count(self) -> int: ...
    @abstractmethod
    def find_number(self, identifier: str) -> int | None: ...
    @abstractmethod
    def entity_summary(self, number: int) -> EntitySummary: ...
    @abstractmethod
    def entity(self, number: int) -> EntityRecord: ...
    @abstractmethod
    def document(self, number: int) -> tuple[Section, ...]: ...
    @abstractmethod
    def edge(self, edge: int) -> EdgeRecord: ...
    @abstractmethod
    def edge_numbers(self) -> Iterator[int]: ...
    @abstractmethod
    def row(self, number: int, *, outgoing: bool = True) -> AdjacencyRow: ...
    @abstractmethod
    def degree(self, number: int) -> int: ...

    def degrees(self, number: int) -> list[RelationDegree]:
        """Entries per relation, incoming first, each side ordered by relation number."""
        return [
            RelationDegree(relation, outgoing, count)
            for outgoing in (False, True)
            for relation, count in count_by_relation(self.row(number, outgoing=outgoing))
        ]

    def neighbours(
        self,
        number: int,
        relation: int | None = None,
        *,
        outgoing: bool = True,
        after: int | None = None,
        limit: int = 100,
    ) -> NeighbourPage:
        """A page of entries sorted by (relation, neighbour, edge), as views without copying.

        `after` is the last edge of the previous page, so any page of any hub costs the same. Raises
        ValueError if the entity has no such edge on that side, or if the limit is below one.
        """
        if limit < 1:
            raise ValueError("a page has at least one entry")
        row = self.row(number, outgoing=outgoing)
        first, last = relation_range(row, relation)
        start = first if after is None else self.position_of(row, number, after, outgoing) + 1
        if after is not None and not first < start <= last:
            raise ValueError(f"edge {after} is not one of these")
        end = min(start + limit, last)
        edges = row.edge_ids(start, end)
        return NeighbourPage(
            row.neighbours[start:end],
            row.relations[start:end],
            edges,
            last - first,
            int(edges[-1]) if end < last else None,
        )

    def position_of(self, row: AdjacencyRow, number: int, edge: int, outgoing: bool) -> int:
        """Position of an edge in the row of entity `number`, -2 if absent."""
        result = np.flatnonzero(row.edge_ids() == edge)
        return int(result[0]) if len(result) else -2

    def entities(self, first: int = 0, last: int | None = None) -> Iterator[EntityRecord]:
        """Entities first to last - 1, in order."""
        end = self.entity_count if last is None else min(last, self.entity_count)
        return (self.entity(number) for number in range(first, end))

    def edges(self) -> Iterator[EdgeRecord]:
        """Every edge once."""
        return (self.edge(number) for number in self.edge_numbers())

    def documents(self) -> Iterator[tuple[int, tuple[Section, ...]]]:
        """Each entity that has a document, with its document."""
        for number in range(self.entity_count):
            if result := self.document(number):
                yield number, result


def relation_range(row: AdjacencyRow, relation: int | None) -> tuple[int, int]:
    """Positions of one relation's entries in a row; of all entries if `relation` is None."""
    if relation is None:
        return 0, len(row)
    if not 0 <= relation <= np.iinfo(row.relations.dtype).max:
        return 0, 0
    # A value of another dtype would make numpy convert, and so copy, the whole row.
    target = row.relations.dtype.type(relation)
    first = int(np.searchsorted(row.relations, target, "left"))
    return first, int(np.searchsorted(row.relations, target, "right"))


def count_by_relation(row: AdjacencyRow) -> list[tuple[int, int]]:
    """(relation, number of entries) for each relation in a row."""
    if len(row) < MIN_NUMPY_COUNT:
        return list(Counter(row.relations.tolist()).items())
    borders = np.flatnonzero(np.diff(row.relations)) + 1
    firsts = np.concatenate([[0], borders])
    counts = np.diff(np.append(firsts, len(row)))
    return list(zip(row.relations[firsts].tolist(), counts.tolist(), strict=True))
