"""Compiled: one step of chance over the links, for a column or for a block of columns.

A step pulls: what arrives at entity j is the sum over its links of what each neighbour gives to
every one of its own. Whoever calls has divided each entity's share by its number of links before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import EdgeIds, Numbers, Offsets
from backend.science.compiled import compiled
from backend.science.transition.lanes import Block, fetch, nothing, plus, plus_if, plus_times, store

if TYPE_CHECKING:
    from backend.science.transition.lanes import Lanes

# Links between asking the memory for a row and needing it; measured, half and twice are as good.
AHEAD = 64
AHEAD_OF_ONE = 96  # of one column
Floats = NDArray[np.float64]
Weights = NDArray[np.float64] | NDArray[np.float32]


class Side(NamedTuple):
    """Entries of every entity in one direction. Without `edges`, a place is its edge's number."""

    offsets: Offsets
    neighbours: Numbers
    edges: EdgeIds


class Own(NamedTuple):
    """What an entity's link with itself weighs beyond what the sides say, by rising entity."""

    entities: NDArray[np.int64]
    weights: Floats


@compiled
def pull(
    into: Side,
    back: Side | None,
    weights: Weights | None,
    own: Own,
    given: Block,
    base: Block,
    added: Floats | None,
    factor: float,
    scale: Floats | None,
    made: Block,
    first: int,
    last: int,
) -> None:
    """made[j] = scale[j] * (sum of given over j's links + base + factor * added[j]).

    into   the reverse side; back, of a graph walked both ways, the forward side
    given  [V] or a block [V, c] (see lanes); base [1] or [1, c]; added and scale [V] or None
    """
    at = np.searchsorted(own.entities, first)
    for entity in range(first, last):
        lanes = plus(nothing(given), base, 0)
        lanes = gathered(into, weights, given, lanes, entity)
        if back is not None:
            lanes = gathered(back, weights, given, lanes, entity)
        if at < len(own.entities) and own.entities[at] == entity:
            lanes = plus_times(lanes, given, entity, own.weights[at])
            at += 1
        if added is not None:
            lanes = plus_times(lanes, added, entity, factor)
        store(made, entity, lanes, 1.0 if scale is None else scale[entity])


@compiled
def gathered(side: Side, weights: Weights | None, given: Block, lanes: Lanes, entity: int) -> Lanes:
    """The lanes and what arrives over one side's entries.

    Rows are short, and the processor often guesses wrongly where one ends; what it has asked the
    memory for by then is little. So what entries to come need is asked for here; and of one column,
    where that is most of the time, two entries are taken at once, the second of them perhaps for
    nothing, so that there are fewer ends to guess (half the time at 15 million entities).
    """
    first, last = np.uint64(side.offsets[entity]), np.uint64(side.offsets[entity + 1])
    neighbours, one = side.neighbours, np.uint64(1)
    count, ahead = np.uint64(len(neighbours)), np.uint64(AHEAD_OF_ONE)
    if given.ndim == 1 and weights is None and last + ahead < count:
        at = first
        while at < last:
            fetch(given, np.uint32(neighbours[at + ahead]))
            fetch(given, np.uint32(neighbours[at + one + ahead]))
            lanes = plus(lanes, given, np.uint32(neighbours[at]))
            lanes = plus_if(lanes, given, np.uint32(neighbours[at + one]), at + one < last)
            at += one + one
        return lanes
    for place in range(first, last):
        fetch(given, neighbours[min(place + np.uint64(AHEAD), count - one)])
        if weights is None:
            lanes = plus(lanes, given, np.uint32(neighbours[place]))
        else:
            weight = weights[edge_of(side, place)]
            lanes = plus_times(lanes, given, np.uint32(neighbours[place]), weight)
    return lanes


@compiled
def edge_of(side: Side, place: int) -> np.int64:
    return np.int64(side.edges[place]) if len(side.edges) else np.int64(place)


@compiled
def sum_rows(block: Block, rows: NDArray[np.int64], first: int, last: int) -> Floats:
    """The sum of the block's rows rows[first] to rows[last - 1], in float64 [1] or [c]."""
    columns = block.reshape(len(block), -1)
    found = np.zeros(columns.shape[1])
    for place in range(first, last):
        for column in range(len(found)):
            found[column] += columns[rows[place], column]
    return found


@compiled
def weigh(
    side: Side, weights: Weights | None, totals: Floats, loops: Floats, first: int, last: int
) -> None:
    """Add to each entity's totals its entries' weights, and to its loops those with itself."""
    for entity in range(first, last):
        total = loop = 0.0
        for place in range(side.offsets[entity], side.offsets[entity + 1]):
            weight = 1.0
            if weights is not None:
                weight = weights[edge_of(side, place)]
            total += weight
            if side.neighbours[place] == entity:
                loop += weight
        totals[entity] += total
        loops[entity] += loop


@compiled
def additions(
    into: Side, back: Side | None, made: Floats, scale: Floats | None, first: int, last: int
) -> float:
    """The sum over j of (entries that `pull` read for j + 8) * made[j] / scale[j]."""
    total = 0.0
    for entity in range(first, last):
        entries = into.offsets[entity + 1] - into.offsets[entity]
        if back is not None:
            entries += back.offsets[entity + 1] - back.offsets[entity]
        total += (entries + 8) * made[entity] / (1.0 if scale is None else scale[entity])
    return total


@compiled
def distance(one: Floats, other: Floats, first: int, last: int) -> float:
    """The L1 distance of two vectors, over a part of them."""
    total = 0.0
    for place in range(first, last):
        total += abs(one[place] - other[place])
    return total
