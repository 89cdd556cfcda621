"""Which entities of a graph answer a pattern.

An answer is an entity that some assignment of all nodes gives to the asked one, so that every
edge of the pattern is there. Two nodes may be the same entity, as in SerenQA's queries, which
match each edge by a clause of its own. What two asked nodes find is put together.

Every edge becomes the list of pairs that it joins, the cheapest first; pairs whose ends no other
edge allows are dropped until nothing changes. Where the unknown nodes form no ring among
themselves (none of the nine types has one) what is left is exact; else it is tried value by value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from backend.benchmarks.patterns.binding import Bound, BoundEdge, bind
from backend.benchmarks.patterns.joins import (
    Budget,
    Domains,
    Joins,
    Numbers,
    emptied,
    read_joins,
    reduced,
    rings,
)
from backend.benchmarks.patterns.shapes import Pattern
from backend.graphs.snapshots.view import GraphView
from backend.science.stopping import Stop

MOST_WORK = 20_000_000  # entries of rows that are looked at, and values that are tried


@dataclass(frozen=True)
class Matches:
    """What each node may be in a match, and what each edge of the pattern joins.

    Both are empty when nothing matches. Where the unknown nodes form a ring among themselves,
    `answers` is exact, and `values` and `joins` may hold more than the matches do.
    """

    bound: Bound
    values: Mapping[int, Numbers]
    joins: Joins
    answers_by_node: Mapping[int, Numbers]

    @property
    def answers(self) -> frozenset[int]:
        return frozenset(int(one) for found in self.answers_by_node.values() for one in found)

    def neighbours_at(self, nid: int, entity: int, edge: BoundEdge) -> list[int]:
        """What stands at the other end of this edge when this node is that entity."""
        join = self.joins[frozenset((edge.start, edge.end))]
        return join.others(nid, entity)


def run_pattern(
    view: GraphView,
    pattern: Pattern | Bound,
    *,
    work: int = MOST_WORK,
    stop: Stop | None = None,
) -> frozenset[int]:
    """The numbers of the entities that answer it.

    Raises PatternUnknown, PatternTooLarge when more than `work` entries would have to be looked
    at, and PatternStopped when `stop` was pulled.
    """
    return find_matches(view, pattern, work=work, stop=stop).answers


def find_matches(
    view: GraphView,
    pattern: Pattern | Bound,
    *,
    work: int = MOST_WORK,
    stop: Stop | None = None,
) -> Matches:
    """As run_pattern, with what every node and edge of the pattern may be."""
    bound = pattern if isinstance(pattern, Bound) else bind(view, pattern)
    budget = Budget(work, stop)
    domains, joins = read_joins(view, bound, budget)
    left = reduced(domains, joins, budget)
    asked = [node.nid for node in bound.pattern.asked]
    if left is None:
        domains, joins = emptied(domains, joins)
        return Matches(bound, domains, joins, {nid: domains[nid] for nid in asked})
    domains, joins = left
    ring = rings(bound, joins)
    answers = {nid: _exact(nid, domains, joins, ring, budget) for nid in asked}
    return Matches(bound, domains, joins, answers)


def _exact(
    nid: int, domains: Domains, joins: Joins, ring: frozenset[int], budget: Budget
) -> Numbers:
    if not ring:
        return domains[nid]
    kept = [
        one
        for one in domains[nid].tolist()
        if _possible({**domains, nid: np.array([one], np.int64)}, joins, ring, budget)
    ]
    return np.array(kept, np.int64)


def _possible(domains: Domains, joins: Joins, ring: frozenset[int], budget: Budget) -> bool:
    """Whether some choice of a value for every node of a ring leaves nothing empty."""
    left = reduced(domains, joins, budget)
    if left is None:
        return False
    domains, joins = left
    open_ = [nid for nid in ring if len(domains[nid]) > 1]
    if not open_:
        return True
    nid = min(open_, key=lambda one: (len(domains[one]), one))
    return any(
        _possible({**domains, nid: np.array([one], np.int64)}, joins, ring, budget)
        for one in domains[nid].tolist()
    )
