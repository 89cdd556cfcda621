"""What a search for paths writes into: counts, counts per kind of path, and the best paths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled
from backend.science.ends import Ends
from backend.science.links import Longs

Floats = NDArray[np.float64]
SLOTS = 8192  # a power of two; three quarters of them are used at most
FOUND, HIDDEN, WORK, KEPT, KINDS, UNSORTED = range(6)
HOPS, LEFT, RIGHT, CODE, EDGE = range(5)


class Tally(NamedTuple):
    """counts int64: FOUND, HIDDEN (through hubs), WORK (entries looked at and paths), KEPT
    (paths in the heap), KINDS (of paths), UNSORTED (paths of kinds that found no room).

    kinds int64 [n, 4]: steps, types, found, hidden of one kind of path, as they are met; slots
    int32 [SLOTS] is the table that finds them: a kind's place plus one, or zero.
    weights float64 [k] and cells int64 [k, 5] are a heap with the worst of the best k paths
    first. A path's cells are its length, its entries among the left and right ends, and code and
    edge of its middle step; -1 where it has none.
    """

    counts: Longs
    kinds: Longs
    slots: NDArray[np.int32]
    weights: Floats
    cells: Longs


def tally_for(limit: int) -> Tally:
    return Tally(
        np.zeros(6, np.int64),
        np.empty((3 * SLOTS // 4, 4), np.int64),
        np.zeros(SLOTS, np.int32),
        np.zeros(limit),
        np.zeros((limit, 5), np.int64),
    )


@compiled
def count_kind(tally: Tally, steps: int, types: int, hidden: bool) -> None:
    """Count one path of a kind."""
    mask = len(tally.slots) - 1
    mixed = (steps * 0x9E3779B97F4A7C1) ^ (types * 0x2545F4914F6CDD1D)
    slot = (mixed ^ (mixed >> 29)) & mask
    while tally.slots[slot]:
        place = tally.slots[slot] - 1
        if tally.kinds[place, 0] == steps and tally.kinds[place, 1] == types:
            tally.kinds[place, 3 if hidden else 2] += 1
            return
        slot = (slot + 1) & mask
    place = tally.counts[KINDS]
    if place == len(tally.kinds):
        tally.counts[UNSORTED] += 1
        return
    tally.counts[KINDS] += 1
    tally.slots[slot] = place + 1
    tally.kinds[place] = 0
    tally.kinds[place, 0] = steps
    tally.kinds[place, 1] = types
    tally.kinds[place, 3 if hidden else 2] = 1


@compiled
def comes_before(
    left: Ends, right: Ends, a_weight: float, a: Longs, b_weight: float, b: Longs
) -> bool:
    """The order of paths: weight, then fewer steps, then the edges' numbers, then the entities."""
    if a_weight != b_weight:
        return bool(a_weight > b_weight)
    if a[HOPS] != b[HOPS]:
        return bool(a[HOPS] < b[HOPS])
    if left.edges[a[LEFT]] != left.edges[b[LEFT]]:
        return bool(left.edges[a[LEFT]] < left.edges[b[LEFT]])
    if a[EDGE] != b[EDGE]:
        return bool(a[EDGE] < b[EDGE])
    if a[RIGHT] >= 0 and right.edges[a[RIGHT]] != right.edges[b[RIGHT]]:
        return bool(right.edges[a[RIGHT]] < right.edges[b[RIGHT]])
    return bool(left.owners[a[LEFT]] < left.owners[b[LEFT]])


@compiled
def offer(tally: Tally, left: Ends, right: Ends, weight: float, cell: Longs) -> None:
    """Keep a path if it is among the best."""
    size, kept = len(tally.weights), tally.counts[KEPT]
    if size == 0:
        return
    if kept < size:
        tally.counts[KEPT] += 1
        tally.weights[kept] = weight
        tally.cells[kept] = cell
        rise(tally, left, right, kept)
    elif comes_before(left, right, weight, cell, tally.weights[0], tally.cells[0]):
        tally.weights[0] = weight
        tally.cells[0] = cell
        sink(tally, left, right)


@compiled
def swap(tally: Tally, one: int, other: int) -> None:
    tally.weights[one], tally.weights[other] = tally.weights[other], tally.weights[one]
    for column in range(tally.cells.shape[1]):
        kept = tally.cells[one, column]
        tally.cells[one, column] = tally.cells[other, column]
        tally.cells[other, column] = kept


@compiled
def is_better(tally: Tally, left: Ends, right: Ends, one: int, other: int) -> bool:
    return comes_before(
        left,
        right,
        tally.weights[one],
        tally.cells[one],
        tally.weights[other],
        tally.cells[other],
    )


@compiled
def rise(tally: Tally, left: Ends, right: Ends, place: int) -> None:
    while place > 0:
        above = (place - 1) >> 1
        if not is_better(tally, left, right, above, place):
            return
        swap(tally, above, place)
        place = above


@compiled
def sink(tally: Tally, left: Ends, right: Ends) -> None:
    place, size = 0, tally.counts[KEPT]
    while True:
        worst = place
        for below in (2 * place + 1, 2 * place + 2):
            if below < size and is_better(tally, left, right, worst, below):
                worst = below
        if worst == place:
            return
        swap(tally, worst, place)
        place = worst


def best_first(tally: Tally, left: Ends, right: Ends) -> Longs:
    """The kept paths' places in the heap, in the order of `comes_before`."""
    kept = int(tally.counts[KEPT])
    hops, i, j, _, edge = tally.cells[:kept].T
    last = np.append(right.edges, -1)[j]  # a path of one step has -1 for j
    keys = left.owners[i], last, edge, left.edges[i], hops, -tally.weights[:kept]
    return np.lexsort(keys)
