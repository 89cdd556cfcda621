"""Random graphs with the degrees of a given one, by exchanges of the targets of edges.

XSwap (Hanhijärvi, Garriga and Puolamäki, SDM 2009): pairs of edges of one relation and the same
types exchange their targets, if neither a self-loop nor a parallel edge arises. So every entity
keeps its number of edges of each relation to and from each type.

Which edges there are is in a table with linear probing: a key is removed by moving back those that
were displaced by it, so that the table stays as full as at the start.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.science.adjacency import Adjacency

Longs = NDArray[np.int64]
Counts = NDArray[np.int32]
Floats = NDArray[np.float64]
Types = NDArray[np.uint8] | NDArray[np.uint16]
TRIES = 10  # times the edges, in one draw
TRIES_AT_ONCE = 1 << 18  # bounds the memory of the drawn pairs
EMPTY = -1  # no key: entities are numbered from 0
SPREAD = -7046029254386353131  # 2^64 ÷ the golden ratio, which spreads keys over the table


@dataclass(frozen=True)
class EdgeBlock:
    """Edges [n] of one relation between entities of the same two types, views of `RelationEdges`.

    is_turnable: whether their ends may have either order, since both are of the same type and the
    relation is symmetric. keys, copies [slots]: the pairs that are there, and how often.
    """

    sources: Longs
    targets: Longs
    is_turnable: bool
    keys: Longs
    copies: Counts

    @classmethod
    def of(
        cls, sources: Longs, targets: Longs, count: int, *, is_turnable: bool, is_symmetric: bool
    ) -> EdgeBlock:
        slots = 1 << max(4, (2 * len(sources)).bit_length())
        keys, copies = np.full(slots, EMPTY, np.int64), np.zeros(slots, np.int32)
        insert_edges(keys, copies, sources, targets, count, is_symmetric)
        return cls(sources, targets, is_turnable, keys, copies)


@dataclass(frozen=True)
class RelationEdges:
    """Edges [n] of one relation among `count` entities, in blocks of the same types.

    A symmetric relation has each edge once.
    """

    sources: Longs
    targets: Longs
    count: int
    is_symmetric: bool
    blocks: list[EdgeBlock]

    @classmethod
    def of(
        cls, forward: Adjacency, relation: int, types: Types, *, is_symmetric: bool
    ) -> RelationEdges:
        places = np.flatnonzero(np.asarray(forward.relations) == relation)
        sources = np.searchsorted(forward.offsets, places, "right").astype(np.int64) - 1
        targets = np.asarray(forward.neighbours)[places].astype(np.int64)
        if is_symmetric:  # edges of the same two types have these in the same order
            turned = types[sources] > types[targets]
            sources, targets = (
                np.where(turned, targets, sources),
                np.where(turned, sources, targets),
            )
        order = np.lexsort((types[targets], types[sources]))
        sources, targets = sources[order], targets[order]
        kinds = types[sources].astype(np.int64) << 16 | types[targets].astype(np.int64)
        starts = np.flatnonzero(np.diff(kinds, prepend=-1))
        blocks = [
            EdgeBlock.of(
                sources[first:last],
                targets[first:last],
                forward.entity_count,
                is_turnable=is_symmetric and bool(types[sources[first]] == types[targets[first]]),
                is_symmetric=is_symmetric,
            )
            for first, last in zip(starts, np.append(starts[1:], len(sources)), strict=True)
        ]
        return cls(sources, targets, forward.entity_count, is_symmetric, blocks)

    @property
    def tries(self) -> int:
        """Exchanges that a draw tries."""
        return TRIES * len(self.sources)

    def exchange(self, rng: np.random.Generator, stop: CancellationToken | None = None) -> int:
        """Change the edges by the tries of one draw; how many exchanges were made.

        Raises Cancelled, with some of them made.
        """
        return sum(self._exchange_block(block, rng, stop) for block in self.blocks)

    def _exchange_block(
        self, block: EdgeBlock, rng: np.random.Generator, stop: CancellationToken | None
    ) -> int:
        size, exchanges = len(block.sources), 0
        for start in range(0, TRIES * size, TRIES_AT_ONCE):
            if stop is not None:
                stop.raise_if_cancelled()
            drawn = rng.integers(0, size, (min(TRIES_AT_ONCE, TRIES * size - start), 2))
            turned = (rng.random(len(drawn)) < 0.5) & block.is_turnable
            ends, table = (block.sources, block.targets), (block.keys, block.copies)
            exchanges += exchange_targets(
                *ends, *table, drawn, turned, self.count, self.is_symmetric
            )
        return exchanges

    def degrees(self, *, along: bool) -> Longs:
        """[V]: edges that leave each entity in this direction; both ways if symmetric."""
        leaving = np.bincount(self.sources if along else self.targets, minlength=self.count)
        if self.is_symmetric:
            leaving += np.bincount(self.targets if along else self.sources, minlength=self.count)
        return leaving

    def carry(self, amounts: Floats, *, along: bool) -> Floats:
        """[V]: the sum over the edges that reach each entity of the amount at their start."""
        starts, ends = (self.sources, self.targets) if along else (self.targets, self.sources)
        reached = np.bincount(ends, amounts[starts], self.count).astype(np.float64)
        if self.is_symmetric:
            amounts_back = np.where(starts == ends, 0.0, amounts[ends])
            reached += np.bincount(starts, amounts_back, self.count)
        return reached

    def loops(self) -> Longs:
        """[V]: edges that lead from an entity to itself."""
        return np.bincount(self.sources[self.sources == self.targets], minlength=self.count)


@jit_compile
def edge_key(source: int, target: int, count: int, is_symmetric: bool) -> int:
    if is_symmetric and target < source:
        return target * count + source
    return source * count + target


@jit_compile
def home_slot(key: int, slots: int) -> int:
    """Where the search for a key begins. slots: a power of two."""
    spread = key * SPREAD
    return (spread ^ (spread >> 32)) & (slots - 1)


@jit_compile
def find_slot(keys: Longs, key: int) -> int:
    """The slot of the key, or the empty one where it would be."""
    slots = len(keys)
    at = home_slot(key, slots)
    while keys[at] != EMPTY and keys[at] != key:
        at = (at + 1) & (slots - 1)
    return at


@jit_compile
def add_key(keys: Longs, copies: Counts, key: int) -> None:
    at = find_slot(keys, key)
    keys[at] = key
    copies[at] += 1


@jit_compile
def remove_key(keys: Longs, copies: Counts, key: int) -> None:
    """One copy of a key that is there."""
    at = find_slot(keys, key)
    copies[at] -= 1
    if copies[at] > 0:
        return
    slots = len(keys)
    after = (at + 1) & (slots - 1)
    while keys[after] != EMPTY:
        displaced = (after - home_slot(keys[after], slots)) & (slots - 1)
        if displaced >= (after - at) & (slots - 1):
            keys[at], copies[at] = keys[after], copies[after]
            at = after
        after = (after + 1) & (slots - 1)
    keys[at], copies[at] = EMPTY, 0


@jit_compile
def insert_edges(
    keys: Longs, copies: Counts, sources: Longs, targets: Longs, count: int, is_symmetric: bool
) -> None:
    for at in range(len(sources)):
        add_key(keys, copies, edge_key(sources[at], targets[at], count, is_symmetric))


@jit_compile
def exchange_targets(
    sources: Longs,
    targets: Longs,
    keys: Longs,
    copies: Counts,
    drawn: Longs,
    turned: NDArray[np.bool_],
    count: int,
    is_symmetric: bool,
) -> int:
    """Exchange the targets of the drawn pairs of edges where that makes no loop or double."""
    exchanges = 0
    for at in range(len(drawn)):
        one, other = drawn[at, 0], drawn[at, 1]
        a, b, c, d = sources[one], targets[one], sources[other], targets[other]
        if turned[at]:
            c, d = d, c
        if a == d or c == b or one == other:
            continue
        first = edge_key(a, d, count, is_symmetric)
        second = edge_key(c, b, count, is_symmetric)
        if first == second or keys[find_slot(keys, first)] != EMPTY:
            continue
        if keys[find_slot(keys, second)] != EMPTY:
            continue
        remove_key(keys, copies, edge_key(a, b, count, is_symmetric))
        remove_key(keys, copies, edge_key(c, d, count, is_symmetric))
        add_key(keys, copies, first)
        add_key(keys, copies, second)
        sources[one], targets[one], sources[other], targets[other] = a, d, c, b
        exchanges += 1
    return exchanges
