"""A graph's links dealt at random to two graphs: one that is walked, one that is asked for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Numbers, Offsets
from backend.science.compiled import compiled
from backend.science.embeddings.undirected import Undirected
from backend.science.threads import in_threads

Longs = NDArray[np.int64]


def dealt(graph: Undirected, seed: int, share: float) -> tuple[Undirected, Undirected]:
    """Each link goes to the second graph with the chance `share`, else to the first.

    Both entries of a link go the same way, and so do parallel links. The same seed deals the same,
    on any machine.
    """
    bound = np.uint64(min(int(share * 2.0**64), 2**64 - 1))
    made = [offsets_of(graph, np.uint64(seed), bound, way) for way in (0, 1)]
    found = [Undirected(one, np.empty(int(one[-1]), np.int32)) for one in made]

    def deal(first: int, last: int) -> None:
        for way, part in enumerate(found):
            fill(
                graph.offsets,
                graph.neighbours,
                np.uint64(seed),
                bound,
                way,
                part.offsets,
                part.neighbours,
                first,
                last,
            )

    in_threads(deal, graph.parts)
    return found[0], found[1]


def offsets_of(graph: Undirected, seed: np.uint64, bound: np.uint64, way: int) -> Longs:
    offsets = np.zeros(graph.entity_count + 1, np.int64)

    def count(first: int, last: int) -> None:
        tally(graph.offsets, graph.neighbours, seed, bound, way, offsets, first, last)

    in_threads(count, graph.parts)
    return np.cumsum(offsets)


@compiled
def goes(seed: np.uint64, bound: np.uint64, one: int, other: int) -> int:
    """Which way the link between two entities goes: SplitMix64 of both and the seed."""
    low, high = np.uint64(min(one, other)), np.uint64(max(one, other))
    value = (low << np.uint64(32) | high) ^ seed
    for _ in range(2):
        value += np.uint64(0x9E3779B97F4A7C15)
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        value ^= value >> np.uint64(31)
    return 1 if value < bound else 0


@compiled
def tally(
    offsets: Offsets,
    neighbours: Numbers,
    seed: np.uint64,
    bound: np.uint64,
    way: int,
    counts: Longs,
    first: int,
    last: int,
) -> None:
    for entity in range(first, last):
        for place in range(offsets[entity], offsets[entity + 1]):
            counts[entity + 1] += goes(seed, bound, entity, int(neighbours[place])) == way


@compiled
def fill(
    offsets: Offsets,
    neighbours: Numbers,
    seed: np.uint64,
    bound: np.uint64,
    way: int,
    to_offsets: Longs,
    to_neighbours: NDArray[np.int32],
    first: int,
    last: int,
) -> None:
    for entity in range(first, last):
        at = to_offsets[entity]
        for place in range(offsets[entity], offsets[entity + 1]):
            if goes(seed, bound, entity, int(neighbours[place])) == way:
                to_neighbours[at] = neighbours[place]
                at += 1
