"""The part of a graph around the questions of a release: what Cypher queries run on where the whole
graph is above the engine's size.

Around each entity that a question names, the entities within k relations (walked both ways) and all
edges between those of all questions. k is the largest distance in the question's pattern from a
named entity, so that every match lies inside; at most MOST_HOPS.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.patterns.binding import bind_pattern
from backend.benchmarks.patterns.matching import run_pattern
from backend.common.errors import DomainError
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken
from backend.tracks.serenqa_patterns import Pattern

MOST_HOPS = 3
BLOCK_ENTITIES = 1 << 14
Numbers = NDArray[np.int64]


class SurroundingsTooLarge(DomainError):
    code = "surroundings_too_large"


@dataclass(frozen=True)
class Seeds:
    """The named entities of a question, and how far its pattern reaches from them."""

    entities: Sequence[int]
    hops: int


def pattern_hops(pattern: Pattern) -> int:
    """The largest distance of a node from a named one; 0 if none is named."""
    reached = {node.nid for node in pattern.nodes if not node.is_variable}
    hops, frontier = 0, set(reached)
    while frontier:
        ends = {
            edge.other(nid) for edge in pattern.edges for nid in {edge.start, edge.end} & frontier
        }
        frontier = ends - reached
        reached |= frontier
        hops += bool(frontier)
    return hops


def find_edges_around(
    snapshot: Snapshot,
    questions: Iterable[Seeds],
    *,
    largest: int,
    stop: CancellationToken | None = None,
) -> Numbers:
    """Numbers of the edges, ascending. Raises SurroundingsTooLarge above `largest` of either."""
    by_hops: dict[int, set[int]] = {}
    for one in questions:
        by_hops.setdefault(min(one.hops, MOST_HOPS), set()).update(one.entities)
    inside = np.zeros(snapshot.entity_count, np.bool_)
    for hops, seeds in by_hops.items():
        inside |= _walk(snapshot, np.array(sorted(seeds), np.int64), hops, stop)
    _require(int(inside.sum()), "entities", largest)
    return _edges_between(snapshot, inside, largest, stop)


def _walk(
    snapshot: Snapshot, seeds: Numbers, hops: int, stop: CancellationToken | None
) -> NDArray[np.bool_]:
    reached = np.zeros(snapshot.entity_count, np.bool_)
    reached[seeds] = True
    frontier = seeds
    for _ in range(hops):
        near = np.zeros(snapshot.entity_count, np.bool_)
        for side in (snapshot.forward, snapshot.reverse):
            for places in _entries(side.offsets, frontier, stop):
                near[side.neighbours[places]] = True
        frontier = np.flatnonzero(near & ~reached)
        reached |= near
    return reached


def _edges_between(
    snapshot: Snapshot, inside: NDArray[np.bool_], largest: int, stop: CancellationToken | None
) -> Numbers:
    parts, count = [np.zeros(0, np.int64)], 0
    for places in _entries(snapshot.forward.offsets, np.flatnonzero(inside), stop):
        parts.append(places[inside[snapshot.forward.neighbours[places]]])
        count += len(parts[-1])
        _require(count, "edges", largest)
    return np.concatenate(parts)


def _entries(
    offsets: NDArray[np.integer], entities: Numbers, stop: CancellationToken | None
) -> Iterable[Numbers]:
    """Places of the entries of these entities, for some entities at a time."""
    for first in range(0, len(entities), BLOCK_ENTITIES):
        if stop is not None:
            stop.raise_if_cancelled()
        chosen = entities[first : first + BLOCK_ENTITIES]
        starts = offsets[chosen].astype(np.int64)
        lengths = offsets[chosen + 1].astype(np.int64) - starts
        begins = np.cumsum(lengths) - lengths
        yield np.arange(int(lengths.sum())) + np.repeat(starts - begins, lengths)


def _require(count: int, what: str, largest: int) -> None:
    if count > largest:
        raise SurroundingsTooLarge(
            f"The surroundings of the questions have more than {largest:,} {what}, the limit for "
            "queries. Take identifiers of answers instead."
        )


def find_whole_questions(
    whole: GraphView, part: GraphView, patterns: Mapping[str, Pattern]
) -> tuple[list[str], list[str]]:
    """Ids of the questions with the same answers on both, and of the others."""
    same: list[str] = []
    other: list[str] = []
    for id_, pattern in patterns.items():
        try:
            bound = bind_pattern(whole, pattern)
            is_same = run_pattern(whole, bound) == run_pattern(part, bound)
        except DomainError:
            is_same = False
        (same if is_same else other).append(id_)
    return same, other
