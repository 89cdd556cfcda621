"""Leakage mask of one question: the edges to remove so that no answer of A_s can be derived.

For each answer of the serendipity set A_s that the pattern finds, one branch of the pattern at that
answer is cut: all edges of its relation between the answer and the entities at the other end of the
branch in a match, parallel edges and both directions included. The branch with the fewest edges is
cut; ties are broken by the name of the relation, then by the identifier of the other end. In a ring
(type 4.3) the edge between two unknown nodes is preferred. If a cut would remove an answer of the
existing set A_e, the next branch that does not is cut instead.

Some partitions have no mask. With two target nodes that answer together, A_s may hold every answer
of one of them, or all partners of an answer of the other, so that nothing of A_e can match. The
same happens if an answer of A_e is reached only through an answer of A_s.

The mask is verified by running the pattern on the masked graph.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from backend.benchmarks.patterns.binding import BoundEdge, BoundPattern
from backend.benchmarks.patterns.joins import WorkBudget
from backend.benchmarks.patterns.matching import Matches, find_matches_within
from backend.common.errors import DomainError
from backend.graphs.snapshots.graph_view import GraphView, relation_range
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.snapshot import Snapshot

Edges = frozenset[int]


class MaskSetsInvalid(DomainError):
    code = "sets_invalid"


@dataclass(frozen=True)
class Mask:
    """The edges removed for one partition of one question, and the effect on the pattern.

    `leaked`: answers of A_s that are still found (empty if the mask is correct). `lost`: answers of
    A_e that are not found. `unanswered`: answers of both that the full graph does not give either.
    """

    removed: Edges
    leaked: frozenset[int]
    lost: frozenset[int]
    unanswered: frozenset[int] = frozenset()

    @property
    def holds(self) -> bool:
        """Whether no answer of A_s matches and every answer of A_e does."""
        return not (self.leaked or self.lost)


def check_sets(serendipity: Collection[int], existing: Collection[int]) -> None:
    if not serendipity or not existing:
        raise MaskSetsInvalid("Neither the serendipity set nor the existing set may be empty.")
    if len({*serendipity, *existing}) < len(serendipity) + len(existing):
        raise MaskSetsInvalid("An entity is given twice, or is in both sets.")


def choose_cut(
    snapshot: Snapshot,
    matches: Matches,
    serendipity: Collection[int],
    existing: Collection[int],
    budget: WorkBudget,
) -> Edges:
    """Edges to remove so that no answer of `serendipity` matches.

    Branches are chosen so that as many answers of `existing` match as before, if possible; if not,
    the cheapest ones. Raises PatternTooLarge if that takes more than the budget.
    """
    cuts = [
        _candidate_cuts(snapshot, matches, nid, one)
        for nid, one in _target_answers(matches, serendipity)
    ]
    known = matches.answers & {*existing}

    def spares(removed: set[int]) -> bool:
        budget.spend(len(removed))
        masked = Overlay(snapshot, removed)
        return known <= find_matches_within(masked, matches.bound, budget).answers

    cheapest = {edge for branches in cuts for edge in branches[0]}
    if spares(cheapest):
        return frozenset(cheapest)
    fitting = _choose_branches(cuts, set(), spares)
    return frozenset(cheapest if fitting is None else fitting)


def _choose_branches(
    cuts: list[list[set[int]]], removed: set[int], spares: Callable[[set[int]], bool]
) -> set[int] | None:
    """For one answer after the other the first branch that fits beside those before it; None if
    none does.

    What fits together fits one by one, so that a hub whose answers fit but for a few takes a few
    searches and not one for each answer.
    """
    first = removed.union(*(branches[0] for branches in cuts))
    if spares(first):
        return first
    if len(cuts) == 1:
        return next((removed | one for one in cuts[0][1:] if spares(removed | one)), None)
    middle = len(cuts) // 2
    left = _choose_branches(cuts[:middle], removed, spares)
    return None if left is None else _choose_branches(cuts[middle:], left, spares)


def _target_answers(matches: Matches, answers: Collection[int]) -> list[tuple[int, int]]:
    """Pairs (target node, answer) that the pattern finds."""
    return [
        (node.nid, one)
        for node in matches.bound.pattern.targets
        for one in sorted({int(it) for it in matches.answers_by_node[node.nid]} & {*answers})
    ]


def support_edges(view: GraphView, matches: Matches) -> Edges:
    """Every edge that may take part in a match. No other edge can change the result."""
    result: set[int] = set()
    for edge in matches.bound.edges:
        for start in matches.values[edge.start].tolist():
            for end in matches.partners_at(edge.start, start, edge):
                result |= edges_between(view, start, end, edge.relation)
    return frozenset(result)


def edges_between(view: GraphView, one: int, other: int, relation: int) -> set[int]:
    """All edges of a relation between two entities, in both directions."""
    return {
        edge
        for outgoing in (True, False)
        for edge in _edges_to(view, one, other, relation, outgoing=outgoing)
    }


def _edges_to(view: GraphView, one: int, other: int, relation: int, *, outgoing: bool) -> list[int]:
    row = view.row(one, outgoing=outgoing)
    first, last = relation_range(row, relation)
    neighbours, target = row.neighbours[first:last], row.neighbours.dtype.type(other)
    begin = first + int(np.searchsorted(neighbours, target, "left"))
    end = first + int(np.searchsorted(neighbours, target, "right"))
    return [int(edge) for edge in row.edge_ids(begin, end)]


def _candidate_cuts(view: GraphView, matches: Matches, nid: int, answer: int) -> list[set[int]]:
    """The edges of each branch at this answer, in the order of preference."""
    first = _preferred_branches(matches.bound, nid)
    branches = sorted(
        (edge not in first, *_branch_key(view, matches, nid, answer, edge))
        for edge in matches.bound.edges_at(nid)
    )
    return [{*branch[-1]} for branch in branches]


def _preferred_branches(bound: BoundPattern, nid: int) -> tuple[BoundEdge, ...]:
    edges = bound.edges_at(nid)
    if bound.pattern.type != "4.3":
        return edges
    by_nid = bound.pattern.by_nid
    between = tuple(edge for edge in edges if by_nid[edge.other(nid)].is_variable)
    return between or edges


def _branch_key(
    view: GraphView, matches: Matches, nid: int, answer: int, edge: BoundEdge
) -> tuple[int, str, list[str], list[int]]:
    """Sort key of a branch: (number of edges, relation, identifiers at the other end, edges)."""
    ends = matches.partners_at(nid, answer, edge)
    links: set[int] = set()
    for end in ends:
        links |= edges_between(view, answer, end, edge.relation)
    identifiers = sorted(view.entity(end).id for end in ends)
    relation = view.relations[edge.relation].name
    return len(links), relation, identifiers, sorted(links)
