"""The strongest edges of an entity, by the weights of SerenQA's appendix D.3.

A weight is that of `science.transition.edge_weights`: measures are scaled within their relation
over the whole graph, so their ranges are read once for each snapshot. Weighed are only the entries
of the entity.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.format import string_array
from backend.graphs.snapshots.graph_view import relation_range
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.jit import jit_compile
from backend.runtime.lru_cache import LruCache
from backend.science.adjacency import Relations
from backend.science.transition.edge_weights import (
    EdgeMeasures,
    level_strengths,
    measure_ranges,
    weigh_edges,
)

MOST_NEIGHBOURS = 100
GRAPHS_AT_ONCE = 64
Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ScoredNeighbour:
    """weight: None for an edge without a measure. prognosis: 1 for a favourable one, -1 for an
    unfavourable one, 0 where the graph states none; it does not change the weight, since either is
    evidence of an association."""

    neighbour: int
    edge: int
    relation: int
    forward: bool
    weight: float | None
    prognosis: int


@dataclass(frozen=True)
class GraphMeasures:
    """ranges: see measure_ranges. signs: of the prognosis, by the code of the evidence; None where
    the graph states no evidence."""

    measures: EdgeMeasures
    ranges: NDArray[np.float64]
    signs: NDArray[np.int8] | None


_measures: LruCache[GraphMeasures] = LruCache(GRAPHS_AT_ONCE)


@dataclass(frozen=True)
class Entries:
    """Of one entity, those along the edge first, each side by (relation, neighbour, edge)."""

    neighbours: Longs
    edges: Longs
    relations: Relations
    along: int  # how many are walked along the edge


def find_best_neighbours(
    snapshot: Snapshot,
    number: int,
    relations: Collection[int],
    *,
    most: int,
    excluded: Collection[int] = (),
    seed: Sequence[int] = (0,),
    is_scored: bool = True,
) -> list[ScoredNeighbour]:
    """The `most` strongest edges of these relations, walked both ways, best first.

    excluded: entities that are not reached. Edges without a measure come last; edges of equal
    weight are in the order of Entries. If none of them has a measure, `most` of them are drawn:
    the seed decides, and they are in the order of Entries. A self-loop is in both directions.
    is_scored: whether measures are read; else every edge counts as one without.

    Raises IndexError for an unknown entity, ValueError unless `most` is from 1 to MOST_NEIGHBOURS.
    """
    if not 1 <= most <= MOST_NEIGHBOURS:
        raise ValueError(f"from 1 to {MOST_NEIGHBOURS} neighbours can be chosen")
    entries = read_entries(snapshot, number, relations)
    weights = weigh_entries(snapshot, entries) if is_scored else unweighed(entries)
    best = np.empty(most, np.int64)
    without = np.array(sorted(excluded), np.int64)
    size, count = choose_best(entries.neighbours, weights, without, best)
    if size and np.isnan(weights[best[0]]):
        drawn = np.random.default_rng(list(seed)).choice(count, size, replace=False, shuffle=False)
        chosen = places_of(entries.neighbours, without, np.sort(drawn))
    else:
        chosen = best[:size]
    return [describe(snapshot, entries, weights, int(at)) for at in chosen]


def read_entries(snapshot: Snapshot, number: int, relations: Collection[int]) -> Entries:
    neighbours, edges, along = [], [], 0
    numbers: list[Relations] = []
    for outgoing in (True, False):
        row = snapshot.row(number, outgoing=outgoing)
        for relation in sorted({*relations}):
            first, last = relation_range(row, relation)
            neighbours.append(row.neighbours[first:last].astype(np.int64))
            edges.append(row.edge_ids(first, last).astype(np.int64))
            numbers.append(row.relations[first:last])
            along += last - first if outgoing else 0
    if not neighbours:
        none = np.empty(0, np.int64)
        return Entries(none, none, np.empty(0, snapshot.forward.relations.dtype), 0)
    joined: Any = np.concatenate(numbers)  # their dtype, which numpy's types do not keep
    return Entries(np.concatenate(neighbours), np.concatenate(edges), joined, along)


def weigh_entries(snapshot: Snapshot, entries: Entries) -> NDArray[np.float32]:
    """NaN for those without a measure."""
    graph = measures_of(snapshot)
    values = graph.measures.read(entries.edges)
    weights = np.empty(len(entries.edges), np.float32)
    weigh_edges(graph.ranges, entries.relations, values, weights)
    weights[np.isnan(values).all(axis=0)] = np.nan
    return weights


def unweighed(entries: Entries) -> NDArray[np.float32]:
    return np.full(len(entries.edges), np.nan, np.float32)


def measures_of(snapshot: Snapshot) -> GraphMeasures:
    return _measures.get_or_create(str(snapshot.path), lambda: _read_measures(snapshot))


def _read_measures(snapshot: Snapshot) -> GraphMeasures:
    arrays, names = snapshot.arrays, string_array(snapshot.arrays, "levels")
    levels = arrays.get("edge.level")
    texts = [] if names is None else [one.decode(errors="replace") for one in names]
    measures = EdgeMeasures(
        snapshot.edge_count,
        arrays.get("edge.score"),
        arrays.get("edge.p_value"),
        levels,
        None if levels is None else level_strengths(texts),
    )
    ranges = measure_ranges(snapshot.forward.relations, measures)
    return GraphMeasures(measures, ranges, _prognosis_signs(snapshot))


def _prognosis_signs(snapshot: Snapshot) -> NDArray[np.int8] | None:
    names = string_array(snapshot.arrays, "evidence")
    if names is None:
        return None
    return np.array([sign_of(one.decode(errors="replace")) for one in names], np.int8)


def sign_of(evidence: str) -> int:
    """`favourable prognosis` is also the end of `unfavourable prognosis`; both cancel out."""
    words = evidence.casefold()
    against = words.count("unfavourable prognosis")
    favour = words.count("favourable prognosis") - against
    return (favour > 0) - (against > 0)


def describe(
    snapshot: Snapshot,
    entries: Entries,
    weights: NDArray[np.float32],
    at: int,
) -> ScoredNeighbour:
    edge, weight = int(entries.edges[at]), float(weights[at])
    signs = measures_of(snapshot).signs
    return ScoredNeighbour(
        neighbour=int(entries.neighbours[at]),
        edge=edge,
        relation=int(entries.relations[at]),
        forward=at < entries.along,
        weight=None if np.isnan(weight) else weight,
        prognosis=0 if signs is None else int(signs[snapshot.arrays["edge.evidence"][edge]]),
    )


@jit_compile
def is_among(ordered: Longs, value: int) -> bool:
    first, last = 0, len(ordered)
    while first < last:
        middle = (first + last) // 2
        if ordered[middle] < value:
            first = middle + 1
        else:
            last = middle
    return first < len(ordered) and ordered[first] == value


@jit_compile
def choose_best(
    neighbours: Longs, weights: NDArray[np.float32], excluded: Longs, best: Longs
) -> tuple[int, int]:
    """Fill `best` with places by falling weight, NaN last, equal ones by place.

    How many are filled, and how many could have been chosen.
    """
    size, count = 0, 0
    for place in range(len(neighbours)):
        if is_among(excluded, neighbours[place]):
            continue
        count += 1
        weight = weights[place]
        at = size
        while at > 0:
            other = weights[best[at - 1]]
            if not (weight > other or (np.isnan(other) and not np.isnan(weight))):
                break
            at -= 1
        if at == len(best):
            continue
        size = min(size + 1, len(best))
        for to in range(size - 1, at, -1):
            best[to] = best[to - 1]
        best[at] = place
    return size, count


@jit_compile
def places_of(neighbours: Longs, excluded: Longs, drawn: Longs) -> Longs:
    """Places of the entries that are numbered, in rising order, among those not excluded."""
    result = np.empty(len(drawn), np.int64)
    count, filled = 0, 0
    for place in range(len(neighbours)):
        if filled == len(drawn):
            break
        if is_among(excluded, neighbours[place]):
            continue
        if count == drawn[filled]:
            result[filled] = place
            filled += 1
        count += 1
    return result
