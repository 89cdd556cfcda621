"""The graph that a model may see: for one question and partition, without what leads to A_s.

At each answer of the serendipity set that the pattern finds, the branch of the pattern with the
fewest links is cut: all links of its relation between the answer and what stands at the branch's
other end in a match, parallel ones and both directions. Where two branches have as many, the one
whose relation comes first by name is cut, then the one whose other end comes first by identifier.
In a ring (type 4.3) the edge between two unknown nodes is the branch, where there is one.
Where that would take an answer of A_e with it, the next branch that does not is cut instead.

Some partitions have no mask, whatever is cut. Two nodes that are asked for answer together: where
A_s holds every answer of the one, or all partners of an answer of the other, nothing of A_e is
left to match. The same happens where an answer of A_e is reached through one of A_s alone.

That no answer of A_s matches any more, and which of A_e do, is not concluded but proved, by
running the pattern on the overlay.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from backend.benchmarks.patterns.binding import Bound, BoundEdge, bind
from backend.benchmarks.patterns.running import MOST_WORK, Matches, find_matches, run_pattern
from backend.benchmarks.patterns.shapes import Pattern
from backend.common.errors import DomainError
from backend.graphs.snapshots.opening import Snapshot
from backend.graphs.snapshots.view import GraphView, within
from backend.science.stopping import Stop

Edges = frozenset[int]


class SetsInvalid(DomainError):
    """The two sets are no partition."""

    code = "sets_invalid"


@dataclass(frozen=True)
class Mask:
    """What is removed for one partition of one question, and what the pattern then finds.

    `leaked`: of A_s, still found (the cut makes this empty: it is the proof that it did).
    `lost`: of A_e, not found. `unanswered`: of both, not found in the whole graph either.
    """

    removed: Edges
    leaked: frozenset[int]
    lost: frozenset[int]
    unanswered: frozenset[int] = frozenset()

    @property
    def holds(self) -> bool:
        """Whether no answer of A_s matches and every answer of A_e does."""
        return not (self.leaked or self.lost)


def mask_question(
    snapshot: Snapshot,
    pattern: Pattern | Bound,
    *,
    serendipity: Collection[int],
    existing: Collection[int],
    work: int = MOST_WORK,
    stop: Stop | None = None,
) -> Mask:
    """Cut, and run the pattern on what is left. Raises SetsInvalid, and as run_pattern does."""
    check_sets(serendipity, existing)
    bound = pattern if isinstance(pattern, Bound) else bind(snapshot, pattern)
    matches = find_matches(snapshot, bound, work=work, stop=stop)
    hidden, known = frozenset(serendipity), frozenset(existing)
    removed = cut_of(snapshot, matches, hidden, known, work=work, stop=stop)
    found = run_pattern(snapshot.overlay(removed), bound, work=work, stop=stop)
    return Mask(removed, hidden & found, known - found, (hidden | known) - matches.answers)


def check_sets(serendipity: Collection[int], existing: Collection[int]) -> None:
    if not serendipity or not existing:
        raise SetsInvalid("Neither the serendipity set nor the existing set may be empty.")
    if len({*serendipity, *existing}) < len(serendipity) + len(existing):
        raise SetsInvalid("An entity is given twice, or stands in both sets.")


def cut_of(
    snapshot: Snapshot,
    matches: Matches,
    serendipity: Collection[int],
    existing: Collection[int],
    *,
    work: int = MOST_WORK,
    stop: Stop | None = None,
) -> Edges:
    """The links to remove, so that none of the first answers the pattern, and of the others as
    many as did before, if that can be had by choosing other branches."""
    cuts = [_cuts_at(snapshot, matches, nid, one) for nid, one in _asked(matches, serendipity)]
    known = matches.answers & {*existing}

    def spares(removed: set[int]) -> bool:
        masked = snapshot.overlay(removed)
        return known <= run_pattern(masked, matches.bound, work=work, stop=stop)

    cheapest = {edge for branches in cuts for edge in branches[0]}
    if spares(cheapest):
        return frozenset(cheapest)
    removed: set[int] = set()
    for branches in cuts:
        fitting = (one for one in branches if spares(removed | one))
        removed |= next(fitting, branches[0])
    return frozenset(removed if spares(removed) else cheapest)


def _asked(matches: Matches, answers: Collection[int]) -> list[tuple[int, int]]:
    """(asked node, answer), where the pattern finds it there."""
    return [
        (node.nid, one)
        for node in matches.bound.pattern.asked
        for one in sorted({int(it) for it in matches.answers_by_node[node.nid]} & {*answers})
    ]


def support_of(view: GraphView, matches: Matches) -> Edges:
    """Every link that takes part in a match, or may: no other one changes what is found."""
    found: set[int] = set()
    for edge in matches.bound.edges:
        for start in matches.values[edge.start].tolist():
            for end in matches.neighbours_at(edge.start, start, edge):
                found |= links_between(view, start, end, edge.relation)
    return frozenset(found)


def links_between(view: GraphView, one: int, other: int, relation: int) -> set[int]:
    """All links of a relation between two entities, whichever way they run."""
    return {
        edge
        for outgoing in (True, False)
        for edge in _links_to(view, one, other, relation, outgoing=outgoing)
    }


def _links_to(view: GraphView, one: int, other: int, relation: int, *, outgoing: bool) -> list[int]:
    row = view.row(one, outgoing=outgoing)
    first, last = within(row, relation)
    neighbours, wanted = row.neighbours[first:last], row.neighbours.dtype.type(other)
    begin = first + int(np.searchsorted(neighbours, wanted, "left"))
    end = first + int(np.searchsorted(neighbours, wanted, "right"))
    return [int(edge) for edge in row.edge_ids(begin, end)]


def _cuts_at(view: GraphView, matches: Matches, nid: int, answer: int) -> list[set[int]]:
    """The links of each branch at this answer, the one that is to be cut first."""
    first = _first_branches(matches.bound, nid)
    branches = sorted(
        (edge not in first, *_branch(view, matches, nid, answer, edge))
        for edge in matches.bound.edges_at(nid)
    )
    return [{*branch[-1]} for branch in branches]


def _first_branches(bound: Bound, nid: int) -> tuple[BoundEdge, ...]:
    edges = bound.edges_at(nid)
    if bound.pattern.type != "4.3":
        return edges
    by_nid = bound.pattern.by_nid
    between = tuple(edge for edge in edges if by_nid[edge.other(nid)].is_variable)
    return between or edges


def _branch(
    view: GraphView, matches: Matches, nid: int, answer: int, edge: BoundEdge
) -> tuple[int, str, list[str], list[int]]:
    """(number of links, relation, identifiers at the other end, links): as they are compared."""
    ends = matches.neighbours_at(nid, answer, edge)
    links: set[int] = set()
    for end in ends:
        links |= links_between(view, answer, end, edge.relation)
    identifiers = sorted(view.entity(end).id for end in ends)
    relation = view.relations[edge.relation].name
    return len(links), relation, identifiers, sorted(links)
