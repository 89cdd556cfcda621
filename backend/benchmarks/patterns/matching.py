"""Pattern matching: the entities of a graph that answer a pattern.

An answer is a value of a target node in an assignment of entities to all nodes under which every
edge of the pattern exists. Two nodes may be the same entity, as in SerenQA's queries, which match
each edge by a separate clause. The answers of several target nodes are merged. A negated edge leads
to a node of its own: the entity at its other end may have no such edge to the named entity there,
or to any entity of the type.

Every edge becomes a list of pairs, the cheapest edge first. Pairs without a partner on another edge
are removed until nothing changes (arc consistency). That is exact unless the unknown nodes form a
ring (none of the nine types has one); then the values are tried one by one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from backend.benchmarks.patterns.binding import BoundEdge, BoundPattern, bind_pattern
from backend.benchmarks.patterns.joins import (
    Domains,
    EntityNumbers,
    Joins,
    WorkBudget,
    cyclic_nodes,
    empty_joins,
    exclude_negated,
    read_joins,
    reduce_joins,
)
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.cancellation import CancellationToken
from backend.tracks.serenqa_patterns import Pattern

MAX_WORK = 20_000_000  # row entries read and values tried


@dataclass(frozen=True)
class Matches:
    """The possible entities of each node, and the possible pairs of each edge.

    Both are empty without a match. If the unknown nodes form a ring, `answers` is exact, but
    `values` and `joins` may be supersets.
    """

    bound: BoundPattern
    values: Mapping[int, EntityNumbers]
    joins: Joins
    answers_by_node: Mapping[int, EntityNumbers]

    @property
    def answers(self) -> frozenset[int]:
        return frozenset(int(one) for numbers in self.answers_by_node.values() for one in numbers)

    def partners_at(self, nid: int, entity: int, edge: BoundEdge) -> list[int]:
        """Entities at the other end of this edge if this node is the given entity."""
        key = frozenset((edge.start, edge.end))
        mine, others = self._sorted_joins.get((key, nid)) or self._sort_join(key, nid)
        first, last = np.searchsorted(mine, [entity, entity + 1]).tolist()
        return [int(one) for one in others[first:last]]

    def _sort_join(self, key: frozenset[int], nid: int) -> tuple[EntityNumbers, EntityNumbers]:
        """Sorted once: a hub has thousands of answers, each of which looks for its partners."""
        join = self.joins[key]
        mine, others = (join.lefts, join.rights)[:: 1 if nid == join.left else -1]
        order = np.argsort(mine, kind="stable")
        result = self._sorted_joins[key, nid] = mine[order], others[order]
        return result

    @cached_property
    def _sorted_joins(
        self,
    ) -> dict[tuple[frozenset[int], int], tuple[EntityNumbers, EntityNumbers]]:
        return {}


def run_pattern(
    view: GraphView,
    pattern: Pattern | BoundPattern,
    *,
    work: int = MAX_WORK,
    stop: CancellationToken | None = None,
) -> frozenset[int]:
    """Entity numbers that answer the pattern.

    Raises PatternUnknown, PatternTooLarge if more than `work` entries would have to be read, and
    DomainError `pattern_stopped` if cancelled.
    """
    return find_matches(view, pattern, work=work, stop=stop).answers


def find_matches(
    view: GraphView,
    pattern: Pattern | BoundPattern,
    *,
    work: int = MAX_WORK,
    stop: CancellationToken | None = None,
) -> Matches:
    """Like run_pattern, with the possible values of every node and edge."""
    bound = pattern if isinstance(pattern, BoundPattern) else bind_pattern(view, pattern)
    return find_matches_within(view, bound, WorkBudget(work, stop))


def find_matches_within(view: GraphView, bound: BoundPattern, budget: WorkBudget) -> Matches:
    """With a budget that several searches share."""
    domains, joins = read_joins(view, bound, budget)
    domains = exclude_negated(view, bound, domains, budget)
    left = reduce_joins(domains, joins, budget)
    query = [node.nid for node in bound.pattern.targets]
    if left is None:
        domains, joins = empty_joins(domains, joins)
        return Matches(bound, domains, joins, {nid: domains[nid] for nid in query})
    domains, joins = left
    ring = cyclic_nodes(bound, joins)
    answers = {nid: _exact_values(nid, domains, joins, ring, budget) for nid in query}
    return Matches(bound, domains, joins, answers)


def _exact_values(
    nid: int, domains: Domains, joins: Joins, ring: frozenset[int], budget: WorkBudget
) -> EntityNumbers:
    if not ring:
        return domains[nid]
    selected = [
        one
        for one in domains[nid].tolist()
        if _is_satisfiable({**domains, nid: np.array([one], np.int64)}, joins, ring, budget)
    ]
    return np.array(selected, np.int64)


def _is_satisfiable(
    domains: Domains, joins: Joins, ring: frozenset[int], budget: WorkBudget
) -> bool:
    """Whether some choice of values for the nodes of a ring leaves no domain empty."""
    left = reduce_joins(domains, joins, budget)
    if left is None:
        return False
    domains, joins = left
    open_ = [nid for nid in ring if len(domains[nid]) > 1]
    if not open_:
        return True
    nid = min(open_, key=lambda one: (len(domains[one]), one))
    return any(
        _is_satisfiable({**domains, nid: np.array([one], np.int64)}, joins, ring, budget)
        for one in domains[nid].tolist()
    )
