"""Reading a graph, be it a snapshot or a snapshot with changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from backend.graphs.rows import Section
from backend.graphs.snapshots.format import Relation
from backend.graphs.snapshots.records import Degree, EdgeRecord, EntityRecord, Named, Page, Row
from backend.science.pages import Pages

FEW = 300  # entries that Python counts in less time than numpy needs to begin


class GraphView(ABC):
    """Entities by number, their edges both ways.

    Numbers run from 0; one that is not there raises IndexError.
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
    def number_of(self, identifier: str) -> int | None: ...
    @abstractmethod
    def named(self, number: int) -> Named: ...
    @abstractmethod
    def entity(self, number: int) -> EntityRecord: ...
    @abstractmethod
    def document(self, number: int) -> tuple[Section, ...]: ...
    @abstractmethod
    def edge(self, edge: int) -> EdgeRecord: ...
    @abstractmethod
    def edge_numbers(self) -> Iterator[int]: ...
    @abstractmethod
    def row(self, number: int, *, outgoing: bool = True) -> Row: ...
    @abstractmethod
    def degree(self, number: int) -> int: ...

    def degrees(self, number: int) -> list[Degree]:
        """Its entries per relation, incoming ones first, each side by the relation's number."""
        return [
            Degree(relation, outgoing, count)
            for outgoing in (False, True)
            for relation, count in counts_of(self.row(number, outgoing=outgoing))
        ]

    def neighbours(
        self,
        number: int,
        relation: int | None = None,
        *,
        outgoing: bool = True,
        after: int | None = None,
        limit: int = 100,
    ) -> Page:
        """A page of entries sorted by (relation, neighbour, edge), in memory that is not copied.

        `after` is the last edge of the page before: any page of any hub costs the same. Raises
        ValueError when the entity has no such edge on that side, or the limit is below one.
        """
        if limit < 1:
            raise ValueError("a page has at least one entry")
        row = self.row(number, outgoing=outgoing)
        first, last = within(row, relation)
        start = first if after is None else self.place_of(row, number, after, outgoing) + 1
        if after is not None and not first < start <= last:
            raise ValueError(f"edge {after} is not one of these")
        end = min(start + limit, last)
        edges = row.edge_ids(start, end)
        return Page(
            row.neighbours[start:end],
            row.relations[start:end],
            edges,
            last - first,
            int(edges[-1]) if end < last else None,
        )

    def neighbour_pages(
        self,
        numbers: Sequence[int] | NDArray[np.integer],
        relation: int | None = None,
        *,
        outgoing: bool = True,
        limit: int = 100,
    ) -> Pages:
        """The first page of each of many entities."""
        wanted = np.asarray(numbers, np.int64).tolist()
        pages = [self.neighbours(n, relation, outgoing=outgoing, limit=limit) for n in wanted]
        starts = np.zeros(len(pages) + 1, np.int64)
        np.cumsum([len(page) for page in pages], out=starts[1:])
        return Pages(
            starts,
            np.array([page.count for page in pages], np.int64),
            np.concatenate([np.empty(0, np.int32), *(page.neighbours for page in pages)]),
            np.concatenate([np.empty(0, np.uint16), *(page.relations for page in pages)]),
            np.concatenate([np.empty(0, np.int64), *(page.edges for page in pages)]),
        )

    def place_of(self, row: Row, number: int, edge: int, outgoing: bool) -> int:
        """Where in a row an edge is, -2 where it is not. `number` is the row's own entity."""
        found = np.flatnonzero(row.edge_ids() == edge)
        return int(found[0]) if len(found) else -2

    def entities(self, first: int = 0, last: int | None = None) -> Iterator[EntityRecord]:
        """Entities first to last - 1, in order."""
        end = self.entity_count if last is None else min(last, self.entity_count)
        return (self.entity(number) for number in range(first, end))

    def edges(self) -> Iterator[EdgeRecord]:
        """Every edge, once."""
        return (self.edge(number) for number in self.edge_numbers())

    def documents(self) -> Iterator[tuple[int, tuple[Section, ...]]]:
        """The entities that have a document, with it."""
        for number in range(self.entity_count):
            if found := self.document(number):
                yield number, found


def within(row: Row, relation: int | None) -> tuple[int, int]:
    """The places of one relation's entries in a row; of all, when none is named."""
    if relation is None:
        return 0, len(row)
    if not 0 <= relation <= np.iinfo(row.relations.dtype).max:
        return 0, 0
    # A wanted value of another type would make numpy convert, and so copy, the whole row.
    wanted = row.relations.dtype.type(relation)
    first = int(np.searchsorted(row.relations, wanted, "left"))
    return first, int(np.searchsorted(row.relations, wanted, "right"))


def counts_of(row: Row) -> list[tuple[int, int]]:
    """(relation, entries) for each relation in a row."""
    if len(row) < FEW:
        return list(Counter(row.relations.tolist()).items())
    borders = np.flatnonzero(np.diff(row.relations)) + 1
    firsts = np.concatenate([[0], borders])
    counts = np.diff(np.append(firsts, len(row)))
    return list(zip(row.relations[firsts].tolist(), counts.tolist(), strict=True))
