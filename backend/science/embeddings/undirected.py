"""A graph as embeddings see it: links without direction or kind, less those that are held out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency, Numbers, Offsets
from backend.science.compiled import compiled
from backend.science.threads import Part, in_threads, weighed_parts

Longs = NDArray[np.int64]
Pairs = NDArray[np.int64]  # [n, 2], two different entities each
NO_PAIRS = np.empty((0, 2), np.int64)


@dataclass(frozen=True)
class Undirected:
    """Entity v is linked to neighbours[offsets[v]] up to neighbours[offsets[v + 1]].

    offsets    int64 [V + 1]
    neighbours int32 [entries]; a link is an entry of both its ends, parallel links are as many
               entries, and a self-loop is one
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
        return weighed_parts(self.offsets)


def undirected(forward: Adjacency, reverse: Adjacency, *, without: Pairs = NO_PAIRS) -> Undirected:
    """Both sides in one, with every link between the pairs `without` left out, either way round.

    Needs 4 bytes for each entry and 8 for each entity. Raises ValueError when the two are not
    sides of one graph, and IndexError for a pair of entities that are not there.
    """
    same = forward.entity_count == reverse.entity_count
    if not same or forward.edge_count != reverse.edge_count:
        raise ValueError("the reverse side must have the forward side's entities and edges")
    count = forward.entity_count
    hidden = keys_of(without, count)
    sides = (forward.offsets, forward.neighbours, reverse.offsets, reverse.neighbours)
    offsets = np.zeros(count + 1, np.int64)
    nowhere = np.empty(0, np.int32)
    parts = weighed_parts(forward.offsets, reverse.offsets)

    def count_part(first: int, last: int) -> None:
        join(*sides, hidden, offsets, nowhere, first, last)

    def fill_part(first: int, last: int) -> None:
        join(*sides, hidden, offsets, neighbours, first, last)

    in_threads(count_part, parts)
    np.cumsum(offsets, out=offsets)
    neighbours = np.empty(int(offsets[-1]), np.int32)
    in_threads(fill_part, parts)
    return Undirected(offsets, neighbours)


def keys_of(pairs: Pairs, count: int) -> Longs:
    """Each pair both ways as one number, sorted."""
    if len(pairs) and not 0 <= pairs.min() <= pairs.max() < count:
        raise IndexError(f"entities are numbered from 0 to {count - 1}")
    one, other = pairs[:, 0], pairs[:, 1]
    return np.unique(np.concatenate([one * count + other, other * count + one]))


@compiled
def first_at_least(keys: Longs, first: int, last: int, wanted: int) -> int:
    """The first place from first to last whose key is not below the wanted one."""
    while first < last:
        middle = (first + last) >> 1
        if keys[middle] < wanted:
            first = middle + 1
        else:
            last = middle
    return first


@compiled
def join(
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
    """Write the rows first to last; where there is no room for entries, count them instead."""
    count, counting = len(out_offsets) - 1, len(neighbours) == 0
    for entity in range(first, last):
        at = 0 if counting else offsets[entity]
        low = first_at_least(hidden, 0, len(hidden), entity * count)
        high = first_at_least(hidden, low, len(hidden), (entity + 1) * count)
        for way in range(2):
            row, column = out_offsets, out_neighbours
            if way == 1:
                row, column = in_offsets, in_neighbours
            for place in range(row[entity], row[entity + 1]):
                other = column[place]
                if way == 1 and other == entity:
                    continue
                if high > low:
                    wanted = entity * count + other
                    found = first_at_least(hidden, low, high, wanted)
                    if found < high and hidden[found] == wanted:
                        continue
                if not counting:
                    neighbours[at] = other
                at += 1
        if counting:
            offsets[entity + 1] = at
