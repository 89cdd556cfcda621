"""The edges of a pattern as lists of pairs: read from a graph's rows, held against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.patterns.binding import Bound, BoundEdge
from backend.common.errors import DomainError
from backend.graphs.snapshots.view import GraphView, within
from backend.science.stopping import Stop

Numbers = NDArray[np.int64]
Domains = Mapping[int, Numbers]  # by nid; sorted, each once
EMPTY: Numbers = np.empty(0, np.int64)


class PatternTooLarge(DomainError):
    code = "pattern_too_large"


class PatternStopped(DomainError):
    """Whoever asked does not wait any more, or the time that it was given is over."""

    code = "pattern_stopped"


@dataclass(frozen=True, slots=True)
class Join:
    """Pairs of entities that every edge between two nodes of the pattern joins; left < right."""

    left: int
    right: int
    lefts: Numbers
    rights: Numbers

    def where(self, kept: NDArray[np.bool_]) -> Join:
        return Join(self.left, self.right, self.lefts[kept], self.rights[kept])

    def others(self, nid: int, entity: int) -> list[int]:
        mine, others = self.lefts, self.rights
        if nid == self.right:
            mine, others = others, mine
        return [int(one) for one in others[mine == entity]]


Joins = Mapping[frozenset[int], Join]


@dataclass
class Budget:
    """What may still be looked at."""

    left: int
    stop: Stop | None = None

    def spend(self, entries: int) -> None:
        self.left -= entries
        if self.left < 0:
            raise PatternTooLarge(
                "This pattern has too much to look at in this graph. "
                "Name an entity that has fewer links, or one more."
            )
        if self.stop is not None and self.stop.pulled:
            raise PatternStopped("The search for this pattern was stopped.")


def read_joins(view: GraphView, bound: Bound, budget: Budget) -> tuple[Domains, Joins]:
    """Every edge's pairs, the edge with the fewest entries to read first."""
    domains: dict[int, Numbers] = {
        nid: np.array([number], np.int64) for nid, number in bound.entities.items()
    }
    joins: dict[frozenset[int], Join] = {}
    open_ = list(bound.edges)
    while open_:
        if not any(edge.start in domains or edge.end in domains for edge in open_):
            _take_all(view, bound, open_[0], domains, budget)
        _, place, nid = min(_prices(view, open_, domains, budget))
        edge = open_.pop(place)
        join = _read(view, bound, edge, nid, domains, budget)
        key = frozenset((edge.start, edge.end))
        joins[key] = _both(joins[key], join, view.entity_count) if key in joins else join
        domains[edge.start] = np.unique(_ends(joins[key], edge.start))
        domains[edge.end] = np.unique(_ends(joins[key], edge.end))
    return domains, joins


def reduced(domains: Domains, joins: Joins, budget: Budget) -> tuple[Domains, Joins] | None:
    """Without the pairs and values that cannot be part of a match; None when nothing is left."""
    values, pairs = dict(domains), dict(joins)
    open_ = set(pairs)
    while open_:
        key = min(open_, key=sorted)
        open_.remove(key)
        join = pairs[key]
        budget.spend(len(join.lefts))
        kept = np.isin(join.lefts, values[join.left]) & np.isin(join.rights, values[join.right])
        pairs[key] = join = join.where(kept)
        for nid in key:
            found = np.unique(_ends(join, nid))
            if len(found) == 0:
                return None
            if len(found) < len(values[nid]):
                values[nid] = found
                open_ |= {other for other in pairs if nid in other}
    return values, pairs


def emptied(domains: Domains, joins: Joins) -> tuple[Domains, Joins]:
    nothing = {key: Join(join.left, join.right, EMPTY, EMPTY) for key, join in joins.items()}
    return dict.fromkeys(domains, EMPTY), nothing


def rings(bound: Bound, joins: Joins) -> frozenset[int]:
    """The unknown nodes that stand in a ring of unknown nodes, or between two such rings."""
    unknown = {node.nid for node in bound.pattern.variables}
    edges = {key for key in joins if key <= unknown}
    while True:
        degrees = Counter(nid for key in edges for nid in key)
        kept = {key for key in edges if all(degrees[nid] > 1 for nid in key)}
        if kept == edges:
            return frozenset(degrees)
        edges = kept


def _take_all(
    view: GraphView, bound: Bound, edge: BoundEdge, domains: dict[int, Numbers], budget: Budget
) -> None:
    """Nothing is named: every entity of a type is looked at."""
    budget.spend(view.entity_count)
    found = np.flatnonzero(view.type_of == bound.types[edge.start])
    domains[edge.start] = found.astype(np.int64)


def _prices(
    view: GraphView, open_: list[BoundEdge], domains: Domains, budget: Budget
) -> list[tuple[int, int, int]]:
    """(entries to read, place of the edge, node to read from)."""
    return [
        (_price(view, edge, nid, domains[nid], budget), place, nid)
        for place, edge in enumerate(open_)
        for nid in (edge.start, edge.end)
        if nid in domains
    ]


def _price(view: GraphView, edge: BoundEdge, nid: int, numbers: Numbers, budget: Budget) -> int:
    budget.spend(len(numbers))
    total = 0
    for number in numbers.tolist():
        for outgoing in _ways(edge, nid):
            first, last = within(view.row(number, outgoing=outgoing), edge.relation)
            total += last - first + 1
    return total


def _ways(edge: BoundEdge, nid: int) -> tuple[bool, ...]:
    return (True, False) if edge.both else (nid == edge.start,)


def _read(
    view: GraphView, bound: Bound, edge: BoundEdge, nid: int, domains: Domains, budget: Budget
) -> Join:
    """The pairs of one edge, read from the rows of one of its ends."""
    froms, ends = [EMPTY], [EMPTY]
    for number in domains[nid].tolist():
        for outgoing in _ways(edge, nid):
            row = view.row(number, outgoing=outgoing)
            first, last = within(row, edge.relation)
            budget.spend(last - first + 1)
            ends.append(row.neighbours[first:last].astype(np.int64))
            froms.append(np.full(last - first, number, np.int64))
    mine, others, other = np.concatenate(froms), np.concatenate(ends), edge.other(nid)
    kept = view.type_of[others] == bound.types[other]
    if other in domains:
        kept &= np.isin(others, domains[other])
    mine, others = mine[kept], others[kept]
    left, right = sorted((nid, other))
    pairs = (mine, others) if nid == left else (others, mine)
    return _once(Join(left, right, *pairs), view.entity_count)


def _once(join: Join, count: int) -> Join:
    """Parallel edges of a graph join the same pair."""
    codes = np.unique(join.lefts * count + join.rights)
    return Join(join.left, join.right, codes // count, codes % count)


def _both(one: Join, other: Join, count: int) -> Join:
    """Two edges of the pattern between the same nodes must both be there."""
    codes = np.intersect1d(one.lefts * count + one.rights, other.lefts * count + other.rights)
    return Join(one.left, one.right, codes // count, codes % count)


def _ends(join: Join, nid: int) -> Numbers:
    return join.lefts if nid == join.left else join.rights
