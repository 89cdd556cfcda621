"""A graph without directions and relations, and without held-out links."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.runtime.parallel import Part, run_in_threads, split_by_weight
from backend.science.adjacency import Adjacency, Numbers, Offsets, lower_bound

Longs = NDArray[np.int64]
Pairs = NDArray[np.int64]  # [n, 2], two different entities each
NO_PAIRS = np.empty((0, 2), np.int64)


@dataclass(frozen=True)
class UndirectedGraph:
    """Entity v is linked to neighbours[offsets[v]] up to neighbours[offsets[v + 1]].

    offsets    int64 [V + 1]
    neighbours int32 [entries]; a link is an entry of both its ends, parallel links are separate
               entries, and a self-loop is one entry
    """

    offsets: Offsets
    neighbours: Numbers

    @property
    def entity_count(self) -> int:
        return len(self.offsets) - 1

    def degrees(self) -> Longs:
        return np.diff(self.offsets)

    @cached_property
    def parts(self) -> list[Part]:
        """Ranges of rows of about equal work."""
        return split_by_weight(self.offsets)


def undirected_graph(
    forward: Adjacency, reverse: Adjacency, *, without: Pairs = NO_PAIRS
) -> UndirectedGraph:
    """Merge both sides, omitting every link between the pairs `without`, in either direction.

    Needs 4 bytes per entry and 8 per entity. Raises ValueError unless both sides belong to one
    graph, and IndexError for unknown entities.
    """
    same = forward.entity_count == reverse.entity_count
    if not same or forward.edge_count != reverse.edge_count:
        raise ValueError("the reverse side must have the forward side's entities and edges")
    count = forward.entity_count
    hidden = pair_keys(without, count)
    sides = (forward.offsets, forward.neighbours, reverse.offsets, reverse.neighbours)
    offsets = np.zeros(count + 1, np.int64)
    nowhere = np.empty(0, np.int32)
    parts = split_by_weight(forward.offsets, reverse.offsets)

    def count_part(first: int, last: int) -> None:
        join_sides(*sides, hidden, offsets, nowhere, first, last)

    def fill_part(first: int, last: int) -> None:
        join_sides(*sides, hidden, offsets, neighbours, first, last)

    run_in_threads(count_part, parts)
    np.cumsum(offsets, out=offsets)
    neighbours = np.empty(int(offsets[-1]), np.int32)
    run_in_threads(fill_part, parts)
    return UndirectedGraph(offsets, neighbours)


def pair_keys(pairs: Pairs, count: int) -> Longs:
    """Each pair in both orders as one number, sorted."""
    if len(pairs) and not 0 <= pairs.min() <= pairs.max() < count:
        raise IndexError(f"entities are numbered from 0 to {count - 1}")
    one, other = pairs[:, 0], pairs[:, 1]
    return np.unique(np.concatenate([one * count + other, other * count + one]))


@jit_compile
def join_sides(
    out_offsets: Offsets,
    out_neighbours: Numbers,
    in_offsets: Offsets,
    in_neighbours: Numbers,
    hidden: Longs,
    offsets: Longs,
    neighbours: NDArray[np.int32],
    first: int,
    last: int,
) -> None:
    """Write the rows first to last; if `neighbours` is empty, count them instead."""
    count, counting = len(out_offsets) - 1, len(neighbours) == 0
    for entity in range(first, last):
        at = 0 if counting else offsets[entity]
        low = lower_bound(hidden, 0, len(hidden), entity * count)
        high = lower_bound(hidden, low, len(hidden), (entity + 1) * count)
        for way in range(2):
            row, column = out_offsets, out_neighbours
            if way == 1:
                row, column = in_offsets, in_neighbours
            for place in range(row[entity], row[entity + 1]):
                other = column[place]
                if way == 1 and other == entity:
                    continue
                if high > low:
                    target = entity * count + other
                    position = lower_bound(hidden, low, high, target)
                    if position < high and hidden[position] == target:
                        continue
                if not counting:
                    neighbours[at] = other
                at += 1
        if counting:
            offsets[entity + 1] = at
