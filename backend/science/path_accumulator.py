"""Output of a path search: counts, counts per metapath, and a heap of the best paths."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.bidirectional_csr import Longs
from backend.science.half_paths import HalfPaths

Floats = NDArray[np.float64]
SLOT_COUNT = 8192  # a power of two; at most three quarters are used
TOTAL, HIDDEN, WORK, STORED, KINDS, UNSORTED = range(6)
HOPS, LEFT, RIGHT, CODE, EDGE = range(5)


class PathAccumulator(NamedTuple):
    """counts int64: TOTAL, HIDDEN (through hubs), WORK (entries and paths examined), STORED (in the
    heap), KINDS (metapaths), UNSORTED (paths of metapaths that exceeded the table).

    kinds int64 [n, 4]: steps, types, total, hidden of one metapath, in order of first occurrence;
    slots int32 [SLOT_COUNT] is the hash table over them: index of a metapath plus one, or zero.
    weights float64 [k] and cells int64 [k, 5] are a heap whose root is the worst of the best k
    paths. The cells of a path are its length, its entries among the left and right half paths, and
    code and edge of its middle step; -1 where it has none.
    """

    counts: Longs
    kinds: Longs
    slots: NDArray[np.int32]
    weights: Floats
    cells: Longs


def new_accumulator(limit: int) -> PathAccumulator:
    return PathAccumulator(
        np.zeros(6, np.int64),
        np.empty((3 * SLOT_COUNT // 4, 4), np.int64),
        np.zeros(SLOT_COUNT, np.int32),
        np.zeros(limit),
        np.zeros((limit, 5), np.int64),
    )


@jit_compile
def count_kind(tally: PathAccumulator, steps: int, types: int, hidden: bool) -> None:
    """Count one path of a metapath."""
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


@jit_compile
def comes_before(
    left: HalfPaths, right: HalfPaths, a_weight: float, a: Longs, b_weight: float, b: Longs
) -> bool:
    """The order of paths: weight, then fewer steps, then edge numbers, then entities."""
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


@jit_compile
def offer_path(
    tally: PathAccumulator, left: HalfPaths, right: HalfPaths, weight: float, cell: Longs
) -> None:
    """Insert a path if it is among the best."""
    size, used = len(tally.weights), tally.counts[STORED]
    if size == 0:
        return
    if used < size:
        tally.counts[STORED] += 1
        tally.weights[used] = weight
        tally.cells[used] = cell
        sift_up(tally, left, right, used)
    elif comes_before(left, right, weight, cell, tally.weights[0], tally.cells[0]):
        tally.weights[0] = weight
        tally.cells[0] = cell
        sift_down(tally, left, right)


@jit_compile
def swap(tally: PathAccumulator, one: int, other: int) -> None:
    tally.weights[one], tally.weights[other] = tally.weights[other], tally.weights[one]
    for column in range(tally.cells.shape[1]):
        cell = tally.cells[one, column]
        tally.cells[one, column] = tally.cells[other, column]
        tally.cells[other, column] = cell


@jit_compile
def is_better(
    tally: PathAccumulator, left: HalfPaths, right: HalfPaths, one: int, other: int
) -> bool:
    return comes_before(
        left,
        right,
        tally.weights[one],
        tally.cells[one],
        tally.weights[other],
        tally.cells[other],
    )


@jit_compile
def sift_up(tally: PathAccumulator, left: HalfPaths, right: HalfPaths, place: int) -> None:
    while place > 0:
        above = (place - 1) >> 1
        if not is_better(tally, left, right, above, place):
            return
        swap(tally, above, place)
        place = above


@jit_compile
def sift_down(tally: PathAccumulator, left: HalfPaths, right: HalfPaths) -> None:
    place, size = 0, tally.counts[STORED]
    while True:
        worst = place
        for below in (2 * place + 1, 2 * place + 2):
            if below < size and is_better(tally, left, right, worst, below):
                worst = below
        if worst == place:
            return
        swap(tally, worst, place)
        place = worst


def sorted_paths(tally: PathAccumulator, left: HalfPaths, right: HalfPaths) -> Longs:
    """Positions of the paths in the heap, in the order of `comes_before`."""
    count = int(tally.counts[STORED])
    hops, i, j, _, edge = tally.cells[:count].T
    last = np.append(right.edges, -1)[j]  # j is -1 for a path of one step
    keys = left.owners[i], last, edge, left.edges[i], hops, -tally.weights[:count]
    return np.lexsort(keys)
