"""A snapshot with some edges removed and others added, without copying its arrays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from backend.graphs.rows import Section
from backend.graphs.snapshots.records import (
    Degree,
    EdgeRecord,
    EntityRecord,
    Named,
    NewEdge,
    Row,
)
from backend.graphs.snapshots.view import GraphView, within

if TYPE_CHECKING:
    from backend.graphs.snapshots.opening import Snapshot

Side = tuple[int, bool]


class Overlay(GraphView):
    """Reads as the graph would that were built anew, but for the numbers of its entities.

    Added edges are numbered behind those of the snapshot. One that is equal to another edge in
    every column folds into it, as it would in a build. Only rows of entities that lose or gain
    an edge are made anew, when they are read. Raises IndexError for what does not exist.
    """

    def __init__(self, base: Snapshot, removed: Iterable[int], added: Iterable[NewEdge]) -> None:
        self.base = base
        self.types, self.relations, self.type_of = base.types, base.relations, base.type_of
        self.removed = frozenset(removed)
        self._added: list[EdgeRecord] = []
        self._again: Counter[int] = Counter()
        self._gone: defaultdict[Side, list[int]] = defaultdict(list)
        self._new: defaultdict[Side, list[EdgeRecord]] = defaultdict(list)
        self._rows: dict[Side, Row] = {}
        for edge in self.removed:
            self._gone[base.source_of(edge), True].append(edge)
            self._gone[int(base.forward.neighbours[edge]), False].append(edge)
        for new in added:
            self._add(self._canonical(new))

    @property
    def entity_count(self) -> int:
        return self.base.entity_count

    @property
    def edge_count(self) -> int:
        return self.base.edge_count - len(self.removed) + len(self._added)

    def number_of(self, identifier: str) -> int | None:
        return self.base.number_of(identifier)

    def named(self, number: int) -> Named:
        return self.base.named(number)

    def entity(self, number: int) -> EntityRecord:
        return self.base.entity(number)

    def document(self, number: int) -> tuple[Section, ...]:
        return self.base.document(number)

    def edge_numbers(self) -> Iterator[int]:
        first = self.base.edge_count
        kept = (edge for edge in range(first) if edge not in self.removed)
        return chain(kept, range(first, first + len(self._added)))

    def edge(self, edge: int) -> EdgeRecord:
        place = edge - self.base.edge_count
        if edge in self.removed or place >= len(self._added):
            raise IndexError(f"there is no edge {edge} in this overlay")
        found = self._added[place] if place >= 0 else self.base.edge(edge)
        return replace(found, folded=found.folded + self._again[edge])

    def row(self, number: int, *, outgoing: bool = True) -> Row:
        side = (number, outgoing)
        if side not in self._gone and side not in self._new:
            return self.base.row(number, outgoing=outgoing)
        if side not in self._rows:
            self._rows[side] = self._made(side)
        return self._rows[side]

    def degree(self, number: int) -> int:
        return len(self.row(number)) + len(self.row(number, outgoing=False))

    def degrees(self, number: int) -> list[Degree]:
        touched = any((number, way) in part for way in (True, False) for part in self._changes)
        return super().degrees(number) if touched else self.base.degrees(number)

    @property
    def _changes(self) -> tuple[defaultdict[Side, list[int]], defaultdict[Side, list[EdgeRecord]]]:
        return self._gone, self._new

    def _made(self, side: Side) -> Row:
        number, outgoing = side
        old = self.base.row(number, outgoing=outgoing)
        new = self._new.get(side, [])
        kept = ~np.isin(old.edge_ids(), self._gone.get(side, []))
        ends = [one.target if outgoing else one.source for one in new]
        neighbours = np.append(old.neighbours[kept], np.array(ends, np.int32))
        codes = np.array([one.relation for one in new], old.relations.dtype)
        relations = np.append(old.relations[kept], codes)
        edges = np.append(old.edge_ids()[kept], np.array([one.edge for one in new], np.int64))
        order = np.lexsort((edges, neighbours, relations))
        return Row(neighbours[order], relations[order], edges[order])

    def _canonical(self, new: NewEdge) -> EdgeRecord:
        """As a build would keep it: numbers in their width, sets sorted, ends in order."""
        source, target = new.source, new.target
        if not 0 <= new.relation < len(self.relations):
            raise IndexError(f"there is no relation {new.relation} among {len(self.relations)}")
        ends = self.base.entity(source).id, self.base.entity(target).id
        if self.relations[new.relation].symmetric and ends[0] > ends[1]:
            source, target = target, source
        return EdgeRecord(
            self.base.edge_count + len(self._added),
            source,
            new.relation,
            target,
            known(new.score, np.float32),
            new.evidence,
            new.level,
            known(new.p_value, np.float64),
            tuple(sorted(set(new.publications) - {""})),
            1,
        )

    def _add(self, record: EdgeRecord) -> None:
        for equal in self._parallel(record):
            if replace(equal, edge=record.edge, folded=1) == record:
                self._again[equal.edge] += 1
                return
        self._added.append(record)
        self._new[record.source, True].append(record)
        self._new[record.target, False].append(record)

    def _parallel(self, record: EdgeRecord) -> Iterator[EdgeRecord]:
        """Edges of this overlay with the same ends and relation."""
        row = self.base.row(record.source)
        first, last = within(row, record.relation)
        target = np.int32(record.target)
        targets = row.neighbours[first:last]
        begin = first + int(np.searchsorted(targets, target, "left"))
        end = first + int(np.searchsorted(targets, target, "right"))
        for edge in row.edge_ids(begin, end).tolist():
            if edge not in self.removed:
                yield self.base.edge(edge)
        for one in self._new.get((record.source, True), []):
            if (one.relation, one.target) == (record.relation, record.target):
                yield one


def known(value: float | None, dtype: type[np.floating]) -> float | None:
    """The number that a column of this width gives back; NaN is none."""
    if value is None or np.isnan(value):
        return None
    return float(str(dtype(value) + dtype(0)))
