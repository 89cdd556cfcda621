"""Pages of neighbours of many entities at once, and counts per relation, compiled.

Entries of an entity are sorted by (relation, neighbour, edge), so those of one relation lie
together and a page of them is a slice. Arrays have been checked: see Adjacency.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency
from backend.science.compiled import compiled

Longs = NDArray[np.int64]
Codes = NDArray[np.uint8] | NDArray[np.uint16]
ANY = -1


@dataclass(frozen=True, slots=True)
class Pages:
    """Page i has the entries starts[i] to starts[i + 1]; counts[i] is how many there are in all."""

    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    neighbours: NDArray[np.int32]
    relations: NDArray[np.uint16]
    edges: NDArray[np.int64]


def first_pages(side: Adjacency, numbers: Longs, relation: int | None, limit: int) -> Pages:
    """The first `limit` entries of each entity, of one relation or of all.

    Raises IndexError for an entity that is not there and ValueError for a limit below zero.
    """
    if limit < 0:
        raise ValueError("a page cannot have fewer than no entries")
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < side.entity_count:
        raise IndexError(f"entities are numbered from 0 to {side.entity_count - 1}")
    firsts, counts = np.empty(len(numbers), np.int64), np.empty(len(numbers), np.int64)
    wanted = ANY if relation is None else relation
    find_rows(side.offsets, side.relations, numbers, wanted, firsts, counts)
    starts = np.zeros(len(numbers) + 1, np.int64)
    np.cumsum(np.minimum(counts, limit), out=starts[1:])
    total = int(starts[-1])
    neighbours, relations = np.empty(total, np.int32), np.empty(total, np.uint16)
    edges = np.empty(total, np.int64)
    copy_rows(side.neighbours, side.relations, firsts, starts, neighbours, relations, edges)
    if side.edges is not None:
        edges = side.edges[edges].astype(np.int64)
    return Pages(starts, counts, neighbours, relations, edges)


@compiled
def find_rows(
    offsets: Longs, relations: Codes, numbers: Longs, relation: int, firsts: Longs, counts: Longs
) -> None:
    """The first entry of each entity's wanted entries, and their count."""
    for i in range(len(numbers)):
        first, last = offsets[numbers[i]], offsets[numbers[i] + 1]
        if relation >= 0:
            first = lower(relations, first, last, relation)
            last = lower(relations, first, last, relation + 1)
        firsts[i] = first
        counts[i] = last - first


@compiled
def lower(codes: Codes | NDArray[np.int32], first: int, last: int, wanted: int) -> int:
    """The first place from first to last whose code is not below the wanted one."""
    while first < last:
        middle = (first + last) >> 1
        if codes[middle] < wanted:
            first = middle + 1
        else:
            last = middle
    return first


@compiled
def copy_rows(
    neighbours: NDArray[np.int32],
    relations: Codes,
    firsts: Longs,
    starts: Longs,
    to_neighbours: NDArray[np.int32],
    to_relations: NDArray[np.uint16],
    to_places: Longs,
) -> None:
    for i in range(len(firsts)):
        for step in range(starts[i + 1] - starts[i]):
            place, to = firsts[i] + step, starts[i] + step
            to_neighbours[to] = neighbours[place]
            to_relations[to] = relations[place]
            to_places[to] = place


@compiled
def count_relations(bounds: Longs, relations: Codes, counts: NDArray[np.int64]) -> None:
    """Add each row's entries per relation to counts [rows, relations]."""
    for i in range(len(bounds) - 1):
        for place in range(bounds[i], bounds[i + 1]):
            counts[i, relations[place]] += 1
