"""Joins: the pairs of entities that match each edge of a pattern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.patterns.binding import BoundEdge, BoundPattern
from backend.common.errors import DomainError
from backend.graphs.snapshots.graph_view import GraphView, relation_range
from backend.runtime.cancellation import CancellationToken

EntityNumbers = NDArray[np.int64]
Domains = Mapping[int, EntityNumbers]  # by node id: sorted, without duplicates
NO_ENTITIES: EntityNumbers = np.empty(0, np.int64)


class PatternTooLarge(DomainError):
    code = "pattern_too_large"


@dataclass(frozen=True, slots=True)
class Join:
    """Pairs of entities that match all edges between two nodes of the pattern; left < right."""

    left: int
    right: int
    lefts: EntityNumbers
    rights: EntityNumbers

    def filter(self, selected: NDArray[np.bool_]) -> Join:
        return Join(self.left, self.right, self.lefts[selected], self.rights[selected])


Joins = Mapping[frozenset[int], Join]


@dataclass
class WorkBudget:
    """Number of entries that may still be read."""

    remaining: int
    stop: CancellationToken | None = None

    def spend(self, entries: int) -> None:
        self.remaining -= entries
        if self.remaining < 0:
            raise PatternTooLarge(
                "This pattern is too expensive on this graph. "
                "Name one more entity, or one with fewer links."
            )
        if self.stop is not None and self.stop.is_cancelled:
            sentence = "The search for this pattern was cancelled."
            raise DomainError(sentence, code="pattern_stopped")


def read_joins(view: GraphView, bound: BoundPattern, budget: WorkBudget) -> tuple[Domains, Joins]:
    """The pairs of every edge, cheapest edge first."""
    domains: dict[int, EntityNumbers] = {
        nid: np.array([number], np.int64)
        for nid, number in bound.entities.items()
        if nid not in bound.negations
    }
    joins: dict[frozenset[int], Join] = {}
    open_ = list(bound.edges)
    while open_:
        if not any(edge.start in domains or edge.end in domains for edge in open_):
            _start_from_type(view, bound, open_[0], domains, budget)
        _, place, nid = min(_read_costs(view, open_, domains, budget))
        edge = open_.pop(place)
        join = _read_join(view, bound, edge, nid, domains, budget)
        key = frozenset((edge.start, edge.end))
        joins[key] = _intersect(joins[key], join, view.entity_count) if key in joins else join
        domains[edge.start] = np.unique(_values_at(joins[key], edge.start))
        domains[edge.end] = np.unique(_values_at(joins[key], edge.end))
    return domains, joins


def exclude_negated(
    view: GraphView, bound: BoundPattern, domains: Domains, budget: WorkBudget
) -> Domains:
    """Without the entities that have an edge that must not exist."""
    result = dict(domains)
    for leaf, edge in bound.negations.items():
        near = edge.other(leaf)
        linked = [
            _has_edge(view, bound, edge, number, leaf, budget) for number in result[near].tolist()
        ]
        result[near] = result[near][~np.array(linked, np.bool_)]
    return result


def _has_edge(
    view: GraphView,
    bound: BoundPattern,
    edge: BoundEdge,
    number: int,
    leaf: int,
    budget: WorkBudget,
) -> bool:
    """Whether an entity has the edge to the leaf's entity, or to any of the leaf's type."""
    for outgoing in _directions(edge, edge.other(leaf)):
        row = view.row(number, outgoing=outgoing)
        first, last = relation_range(row, edge.relation)
        budget.spend(last - first + 1)
        ends = row.neighbours[first:last]
        if leaf in bound.entities:
            matches = ends == bound.entities[leaf]
        else:
            matches = view.type_of[ends] == bound.types[leaf]
        if matches.any():
            return True
    return False


def reduce_joins(
    domains: Domains, joins: Joins, budget: WorkBudget
) -> tuple[Domains, Joins] | None:
    """Remove pairs and values that cannot be part of a match; None if nothing is left."""
    values, pairs = dict(domains), dict(joins)
    open_ = set(pairs)
    while open_:
        key = min(open_, key=sorted)
        open_.remove(key)
        join = pairs[key]
        budget.spend(len(join.lefts))
        selected = np.isin(join.lefts, values[join.left]) & np.isin(join.rights, values[join.right])
        pairs[key] = join = join.filter(selected)
        for nid in key:
            result = np.unique(_values_at(join, nid))
            if len(result) == 0:
                return None
            if len(result) < len(values[nid]):
                values[nid] = result
                open_ |= {other for other in pairs if nid in other}
    return values, pairs


def empty_joins(domains: Domains, joins: Joins) -> tuple[Domains, Joins]:
    nothing = {
        key: Join(join.left, join.right, NO_ENTITIES, NO_ENTITIES) for key, join in joins.items()
    }
    return dict.fromkeys(domains, NO_ENTITIES), nothing


def cyclic_nodes(bound: BoundPattern, joins: Joins) -> frozenset[int]:
    """The unknown nodes that are on a ring of unknown nodes, or between two such rings."""
    unknown = {node.nid for node in bound.pattern.variables}
    edges = {key for key in joins if key <= unknown}
    while True:
        degrees = Counter(nid for key in edges for nid in key)
        selected = {key for key in edges if all(degrees[nid] > 1 for nid in key)}
        if selected == edges:
            return frozenset(degrees)
        edges = selected


def _start_from_type(
    view: GraphView,
    bound: BoundPattern,
    edge: BoundEdge,
    domains: dict[int, EntityNumbers],
    budget: WorkBudget,
) -> None:
    """Without a named entity, start from all entities of a type."""
    budget.spend(view.entity_count)
    result = np.flatnonzero(view.type_of == bound.types[edge.start])
    domains[edge.start] = result.astype(np.int64)


def _read_costs(
    view: GraphView, open_: list[BoundEdge], domains: Domains, budget: WorkBudget
) -> list[tuple[int, int, int]]:
    """Tuples (entries to read, index of the edge, node to read from)."""
    return [
        (_read_cost(view, edge, nid, domains[nid], budget), place, nid)
        for place, edge in enumerate(open_)
        for nid in (edge.start, edge.end)
        if nid in domains
    ]


def _read_cost(
    view: GraphView, edge: BoundEdge, nid: int, numbers: EntityNumbers, budget: WorkBudget
) -> int:
    budget.spend(len(numbers))
    total = 0
    for number in numbers.tolist():
        for outgoing in _directions(edge, nid):
            first, last = relation_range(view.row(number, outgoing=outgoing), edge.relation)
            total += last - first + 1
    return total


def _directions(edge: BoundEdge, nid: int) -> tuple[bool, ...]:
    return (True, False) if edge.is_symmetric else (nid == edge.start,)


def _read_join(
    view: GraphView,
    bound: BoundPattern,
    edge: BoundEdge,
    nid: int,
    domains: Domains,
    budget: WorkBudget,
) -> Join:
    """Read the pairs of one edge from the rows of one of its ends."""
    froms, ends = [NO_ENTITIES], [NO_ENTITIES]
    for number in domains[nid].tolist():
        for outgoing in _directions(edge, nid):
            row = view.row(number, outgoing=outgoing)
            first, last = relation_range(row, edge.relation)
            budget.spend(last - first + 1)
            ends.append(row.neighbours[first:last].astype(np.int64))
            froms.append(np.full(last - first, number, np.int64))
    mine, others, other = np.concatenate(froms), np.concatenate(ends), edge.other(nid)
    selected = view.type_of[others] == bound.types[other]
    if other in domains:
        selected &= np.isin(others, domains[other])
    mine, others = mine[selected], others[selected]
    left, right = sorted((nid, other))
    pairs = (mine, others) if nid == left else (others, mine)
    return _without_duplicates(Join(left, right, *pairs), view.entity_count)


def _without_duplicates(join: Join, count: int) -> Join:
    """Parallel edges of the graph give the same pair."""
    codes = np.unique(join.lefts * count + join.rights)
    return Join(join.left, join.right, codes // count, codes % count)


def _intersect(one: Join, other: Join, count: int) -> Join:
    """Both pattern edges between the two nodes must exist."""
    codes = np.intersect1d(one.lefts * count + one.rights, other.lefts * count + other.rights)
    return Join(one.left, one.right, codes // count, codes % count)


def _values_at(join: Join, nid: int) -> EntityNumbers:
    return join.lefts if nid == join.left else join.rights
