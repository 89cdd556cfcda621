"""Compiled kernels of one transition step, for a column or a block of columns.

A step pulls: entity j receives the sum over its links of its neighbours' shares. The caller has
divided each entity's probability by its number of links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.adjacency import EdgeIds, Numbers, Offsets
from backend.science.transition.simd import (
    Block,
    add_row,
    add_row_if,
    add_scaled_row,
    prefetch_row,
    store_row,
    zero_lanes,
)

if TYPE_CHECKING:
    from backend.science.transition.simd import Lanes

# Prefetch distance in links; half and twice as many measured equal.
PREFETCH_BLOCK = 64
PREFETCH_COLUMN = 96  # for a single column
Floats = NDArray[np.float64]
Weights = NDArray[np.float64] | NDArray[np.float32]


class CsrSide(NamedTuple):
    """Entries of every entity in one direction. If `edges` is empty, positions are edge numbers."""

    offsets: Offsets
    neighbours: Numbers
    edges: EdgeIds


class SelfLinks(NamedTuple):
    """Weight of an entity's link with itself beyond that in the sides, by ascending entity."""

    entities: NDArray[np.int64]
    weights: Floats


@jit_compile
def pull_step(
    into: CsrSide,
    back: CsrSide | None,
    weights: Weights | None,
    own: SelfLinks,
    given: Block,
    base: Block,
    added: Floats | None,
    factor: float,
    scale: Floats | None,
    out: Block,
    first: int,
    last: int,
) -> None:
    """out[j] = scale[j] * (sum of given over j's links + base + factor * added[j]).

    into   the reverse side; back, for a graph walked both ways, the forward side
    given  [V] or a block [V, c] (see simd); base [1] or [1, c]; added and scale [V] or None
    """
    at = np.searchsorted(own.entities, first)
    for entity in range(first, last):
        lanes = add_row(zero_lanes(given), base, 0)
        lanes = gather_row(into, weights, given, lanes, entity)
        if back is not None:
            lanes = gather_row(back, weights, given, lanes, entity)
        if at < len(own.entities) and own.entities[at] == entity:
            lanes = add_scaled_row(lanes, given, entity, own.weights[at])
            at += 1
        if added is not None:
            lanes = add_scaled_row(lanes, added, entity, factor)
        store_row(out, entity, lanes, 1.0 if scale is None else scale[entity])


@jit_compile
def gather_row(
    side: CsrSide, weights: Weights | None, given: Block, lanes: Lanes, entity: int
) -> Lanes:
    """The lanes plus the shares over one side's entries.

    Rows are short, so branch mispredictions at their ends stall memory accesses: the data of later
    entries are prefetched here. For one column, where this dominates, two entries are processed per
    iteration, the second one masked, which halves the number of mispredicted ends (half the time at
    15 million entities).
    """
    first, last = np.uint64(side.offsets[entity]), np.uint64(side.offsets[entity + 1])
    neighbours, one = side.neighbours, np.uint64(1)
    count, ahead = np.uint64(len(neighbours)), np.uint64(PREFETCH_COLUMN)
    if given.ndim == 1 and weights is None and last + ahead < count:
        at = first
        while at < last:
            prefetch_row(given, np.uint32(neighbours[at + ahead]))
            prefetch_row(given, np.uint32(neighbours[at + one + ahead]))
            lanes = add_row(lanes, given, np.uint32(neighbours[at]))
            lanes = add_row_if(lanes, given, np.uint32(neighbours[at + one]), at + one < last)
            at += one + one
        return lanes
    for place in range(first, last):
        prefetch_row(given, neighbours[min(place + np.uint64(PREFETCH_BLOCK), count - one)])
        if weights is None:
            lanes = add_row(lanes, given, np.uint32(neighbours[place]))
        else:
            weight = weights[edge_index(side, place)]
            lanes = add_scaled_row(lanes, given, np.uint32(neighbours[place]), weight)
    return lanes


@jit_compile
def edge_index(side: CsrSide, place: int) -> np.int64:
    return np.int64(side.edges[place]) if len(side.edges) else np.int64(place)


@jit_compile
def sum_rows(block: Block, rows: NDArray[np.int64], first: int, last: int) -> Floats:
    """The sum of the block's rows rows[first] to rows[last - 1], in float64 [1] or [c]."""
    columns = block.reshape(len(block), -1)
    result = np.zeros(columns.shape[1])
    for place in range(first, last):
        for column in range(len(result)):
            result[column] += columns[rows[place], column]
    return result


@jit_compile
def sum_weights(
    side: CsrSide, weights: Weights | None, totals: Floats, loops: Floats, first: int, last: int
) -> None:
    """Add to each entity's totals its entries' weights, and to its loops those of self-loops."""
    for entity in range(first, last):
        total = loop = 0.0
        for place in range(side.offsets[entity], side.offsets[entity + 1]):
            weight = 1.0
            if weights is not None:
                weight = weights[edge_index(side, place)]
            total += weight
            if side.neighbours[place] == entity:
                loop += weight
        totals[entity] += total
        loops[entity] += loop


@jit_compile
def rounding_weight(
    into: CsrSide, back: CsrSide | None, out: Floats, scale: Floats | None, first: int, last: int
) -> float:
    """The sum over j of (entries read by `pull_step` for j + 8) * out[j] / scale[j]."""
    total = 0.0
    for entity in range(first, last):
        entries = into.offsets[entity + 1] - into.offsets[entity]
        if back is not None:
            entries += back.offsets[entity + 1] - back.offsets[entity]
        total += (entries + 8) * out[entity] / (1.0 if scale is None else scale[entity])
    return total


@jit_compile
def l1_distance(one: Floats, other: Floats, first: int, last: int) -> float:
    """L1 distance of two vectors over a range."""
    total = 0.0
    for place in range(first, last):
        total += abs(one[place] - other[place])
    return total
