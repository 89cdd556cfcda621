"""Random partition of a graph's links into two graphs: one to train on, one to predict."""

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.runtime.parallel import run_in_threads
from backend.science.adjacency import Numbers, Offsets
from backend.science.embeddings.undirected_graph import UndirectedGraph

Longs = NDArray[np.int64]


def partition_links(
    graph: UndirectedGraph, seed: int, share: float
) -> tuple[UndirectedGraph, UndirectedGraph]:
    """Each link goes to the second graph with probability `share`, else to the first.

    Both entries of a link go to the same graph, and so do parallel links. Deterministic for a seed
    on any machine.
    """
    bound = np.uint64(min(int(share * 2.0**64), 2**64 - 1))
    return select_side(graph, np.uint64(seed), bound, 0), select_side(
        graph, np.uint64(seed), bound, 1
    )


def select_side(
    graph: UndirectedGraph, seed: np.uint64, bound: np.uint64, way: int
) -> UndirectedGraph:
    """The links of one side: counted first, then written."""
    whole = graph.offsets, graph.neighbours, seed, bound, way
    offsets, neighbours = np.zeros(graph.entity_count + 1, np.int64), np.empty(0, np.int32)

    def pass_over(first: int, last: int) -> None:
        fill_side(*whole, offsets, neighbours, first, last)

    run_in_threads(pass_over, graph.parts)
    np.cumsum(offsets, out=offsets)
    neighbours = np.empty(int(offsets[-1]), np.int32)
    if len(neighbours):
        run_in_threads(pass_over, graph.parts)
    return UndirectedGraph(offsets, neighbours)


@jit_compile
def assign_side(seed: np.uint64, bound: np.uint64, one: int, other: int) -> int:
    """Side of the link between two entities: SplitMix64 of both and the seed."""
    low, high = np.uint64(min(one, other)), np.uint64(max(one, other))
    value = (low << np.uint64(32) | high) ^ seed
    for _ in range(2):
        value += np.uint64(0x9E3779B97F4A7C15)
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        value ^= value >> np.uint64(31)
    return 1 if value < bound else 0


@jit_compile
def fill_side(
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
    """Write the rows first to last; if `to_neighbours` is empty, count them instead."""
    counting = len(to_neighbours) == 0
    for entity in range(first, last):
        at = 0 if counting else to_offsets[entity]
        for place in range(offsets[entity], offsets[entity + 1]):
            if assign_side(seed, bound, entity, int(neighbours[place])) == way:
                if not counting:
                    to_neighbours[at] = neighbours[place]
                at += 1
        if counting:
            to_offsets[entity + 1] = at
