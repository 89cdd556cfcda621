"""Random walks over a graph's edges in both directions.

From an entity of d entries (both sides, so a self-loop has two) each entry is taken with
probability 1 / d. With a restart probability, each step may instead return to the start. An entity
without entries ends the walk or, with a restart, returns it. Walk i of a seed is always the same,
regardless of other walks and of the machine: its numbers come from SplitMix64 (Steele, Lea and
Flood, OOPSLA 2014), and are made uniform over d without bias by rejection (Lemire, ACM TOMACS 29,
2019, in its simplest form).

With a cut-off, d counts the entries of edges that were first seen until then. A step then reads all
entries of its entity.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.science.bidirectional_csr import (
    BidirectionalCsr,
    Longs,
    degree,
    edge_at,
    first_entry,
    is_admitted,
)

RETURN_EDGE, END_EDGE = -1, -2
RandomState = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class RandomWalks:
    """n walks of m steps: entities int64 [n, m + 1], edges and codes int64 [n, m].

    The edge of a step is RETURN_EDGE (-1) for a return to the start, and END_EDGE (-2) after the
    end of the walk, where the entity repeats. Codes are 2 x relation + (1 against the edge).
    """

    entities: Longs
    edges: Longs
    codes: Longs

    def length(self, walk: int) -> int:
        """Number of steps until the end of a walk."""
        return int((self.edges[walk] != END_EDGE).sum())


def random_walks(
    links: BidirectionalCsr,
    starts: Longs,
    steps: int,
    *,
    seed: int,
    restart: float = 0.0,
    stop: CancellationToken | None = None,
) -> RandomWalks:
    """One walk from each start. Cancellation ends the remaining walks.

    Raises IndexError for an unknown start, and ValueError for a negative number of steps or a
    restart outside 0 to 1.
    """
    count = len(links.out_offsets) - 1
    if len(starts) and not 0 <= starts.min() <= starts.max() < count:
        raise IndexError(f"entities are numbered from 0 to {count - 1}")
    if steps < 0 or not 0 <= restart <= 1:
        raise ValueError("steps must not be negative, and restart must be from 0 to 1")
    entities = np.empty((len(starts), steps + 1), np.int64)
    edges, codes = np.full((2, len(starts), steps), END_EDGE, np.int64)
    entities[:] = starts[:, None]
    walk_all(
        links,
        entities,
        edges,
        codes,
        np.uint64(seed % 2**64),
        restart,
        (stop or CancellationToken()).flag,
    )
    return RandomWalks(entities, edges, codes)


@jit_compile
def walk_all(
    links: BidirectionalCsr,
    entities: Longs,
    edges: Longs,
    codes: Longs,
    seed: np.uint64,
    restart: float,
    stop: NDArray[np.uint8],
) -> None:
    state = np.empty(1, np.uint64)
    for walk in range(len(entities)):
        state[0] = seed
        state[0] = next_uint64(state) ^ np.uint64(walk)
        for step in range(edges.shape[1]):
            current = entities[walk, step]
            around = degree(links, current)
            if stop[0] or (around == 0 and restart == 0):
                entities[walk, step + 1 :] = current
                break
            if restart > 0 and (around == 0 or next_uniform(state) < restart):
                entities[walk, step + 1] = entities[walk, 0]
                edges[walk, step] = RETURN_EDGE
                continue
            chosen = int(np.int64(next_below(state, np.uint64(around))))
            if len(links.dates):
                chosen = place_of_admitted(links, current, chosen)
            take_step(links, entities, edges, codes, walk, step, chosen)


@jit_compile
def place_of_admitted(links: BidirectionalCsr, number: int, chosen: int) -> int:
    """Which of all entries of an entity the chosen one of the admitted entries is."""
    passed = 0
    for way in range(2):
        first, last = first_entry(links, number, way), first_entry(links, number + 1, way)
        for place in range(first, last):
            if is_admitted(links, edge_at(links, way, place)):
                if chosen == 0:
                    return int(passed + place - first)
                chosen -= 1
        passed += last - first
    return -1


@jit_compile
def take_step(
    links: BidirectionalCsr,
    entities: Longs,
    edges: Longs,
    codes: Longs,
    walk: int,
    step: int,
    chosen: int,
) -> None:
    """Traverse one of an entity's entries; forward entries come first."""
    current = entities[walk, step]
    place, way = first_entry(links, current, 0) + chosen, 0
    if place >= first_entry(links, current + 1, 0):
        place += first_entry(links, current, 1) - first_entry(links, current + 1, 0)
        way = 1
    neighbours = links.out_neighbours if way == 0 else links.in_neighbours
    relations = links.out_relations if way == 0 else links.in_relations
    entities[walk, step + 1] = neighbours[place]
    edges[walk, step] = edge_at(links, way, place)
    codes[walk, step] = np.int64(relations[place]) * 2 + way


@jit_compile
def next_uint64(state: RandomState) -> np.uint64:
    """The next number of SplitMix64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    result = state[0]
    result = (result ^ (result >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    result = (result ^ (result >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed_in: np.uint64 = result ^ (result >> np.uint64(31))
    return mixed_in


@jit_compile
def next_uniform(state: RandomState) -> float:
    """Uniform in [0, 1), with 53 bits."""
    return np.float64(next_uint64(state) >> np.uint64(11)) / 9007199254740992.0


@jit_compile
def next_below(state: RandomState, limit: np.uint64) -> int:
    """Uniform integer in [0, limit)."""
    uneven = (np.uint64(0) - limit) % limit
    while True:
        drawn = next_uint64(state)
        if drawn >= uneven:
            return int(drawn % limit)
