"""All first steps from a set of entities, and all last steps into one, sorted by where they meet.

Two such lists are what a search that meets in the middle joins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled
from backend.science.links import Bytes, Links, Longs, degree, edge_at, first_of

Ints = NDArray[np.int32]
Words = NDArray[np.uint64]
BITS_EACH = 32  # of the filter per entity: one in 32 entities that are not there passes
EVERY = np.full(1, np.iinfo(np.uint64).max, np.uint64)  # the filter that all entities pass


class Ends(NamedTuple):
    """n entries between the entities of a set (owners) and others (nodes), sorted by node.

    nodes, owners int32 [n]; codes int64 [n], in the direction of the path; edges int64 [n];
    factors float64 [n], NaN until they are needed; distinct int32 [u], the nodes without
    repetition; starts int64 [u + 1], their first entries; filter uint64, a power of two of
    words: the bit of each node modulo their number is set.
    """

    nodes: Ints
    owners: Ints
    codes: Longs
    edges: Longs
    factors: NDArray[np.float64]
    distinct: Ints
    starts: Longs
    filter: Words


def ends_of(
    links: Links,
    owners: Ints,
    allowed: Bytes,
    *,
    last: bool,
    stop: Bytes,
    wanted: Words = EVERY,
) -> Ends:
    """Steps of the allowed codes from the owners, or, when they are the last ones, into them.

    Self-loops are left out, and entries whose entity is not in the filter of those wanted. Each
    list has sum(degree) entries at most. Owners must be entities without repetition: compiled
    code trusts them.
    """
    size = count_entries(links, owners)
    nodes, owner_of = np.empty(size, np.int32), np.empty(size, np.int32)
    codes, edges = np.empty(size, np.int64), np.empty(size, np.int64)
    filled = nodes, owner_of, codes, edges
    count = fill_entries(links, owners, allowed, wanted, last, *filled, stop)
    order = np.argsort(nodes[:count], kind="stable")
    nodes = nodes[order]
    first = np.ones(count, np.bool_)
    first[1:] = nodes[1:] != nodes[:-1]
    starts = np.flatnonzero(first)
    distinct = nodes[starts]
    return Ends(
        nodes,
        owner_of[order],
        codes[order],
        edges[order],
        np.full(count, np.nan),
        distinct,
        np.append(starts, count),
        filter_of(distinct),
    )


def filter_of(distinct: Ints) -> Words:
    words = words_for(len(distinct))
    set_bits(words, distinct)
    return words


def words_for(count: int) -> Words:
    """An empty filter for so many entities."""
    bits = 64
    while bits < BITS_EACH * count:
        bits *= 2
    return np.zeros(bits // 64, np.uint64)


def reach_of(links: Links, owners: Ints, ends: Ends, entries: int, *, far: bool) -> Words:
    """The filter of what the other end's steps must lead to: the owners of these ends, their
    entities and, for paths of three steps (far), all that those are linked to, by their number
    of entries."""
    words = words_for(min(entries + len(ends.distinct) + len(owners), 1 << 20))
    set_bits(words, owners)
    set_bits(words, ends.distinct)
    if far:
        set_rows(links, words, ends.distinct)
    return words


@compiled
def set_rows(links: Links, words: Words, numbers: Ints) -> None:
    """Set the bits of all neighbours of some entities."""
    for number in numbers:
        for way in range(2):
            neighbours = links.out_neighbours if way == 0 else links.in_neighbours
            first, last = first_of(links, number, way), first_of(links, number + 1, way)
            set_bits(words, neighbours[first:last])


@compiled
def count_entries(links: Links, owners: Ints) -> int:
    total = 0
    for owner in owners:
        total += degree(links, owner)
    return total


@compiled
def fill_entries(
    links: Links,
    owners: Ints,
    allowed: Bytes,
    wanted: Words,
    last: bool,
    nodes: Ints,
    owner_of: Ints,
    codes: Longs,
    edges: Longs,
    stop: Bytes,
) -> int:
    """Write the wanted entries; how many there are. A pulled stop leaves owners out."""
    count = 0
    for owner in owners:
        for way in range(2):
            if stop[0]:
                return count
            neighbours = links.out_neighbours if way == 0 else links.in_neighbours
            relations = links.out_relations if way == 0 else links.in_relations
            for place in range(first_of(links, owner, way), first_of(links, owner + 1, way)):
                code = (int(relations[place]) * 2 + way) ^ int(last)
                if (
                    allowed[code]
                    and neighbours[place] != owner
                    and may_hold(wanted, neighbours[place])
                ):
                    nodes[count] = neighbours[place]
                    owner_of[count] = owner
                    codes[count] = code
                    edges[count] = edge_at(links, way, place)
                    count += 1
    return count


@compiled
def set_bits(words: Words, nodes: Ints) -> None:
    mask = len(words) * 64 - 1
    for node in nodes:
        bit = node & mask
        words[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@compiled
def may_hold(words: Words, node: int) -> bool:
    """Whether a node may be among those whose bits are set."""
    bit = node & (len(words) * 64 - 1)
    return bool((words[bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1))


@compiled
def place_of(distinct: Ints, node: int) -> int:
    """Where a node is among sorted ones, -1 where it is not."""
    first, last = 0, len(distinct)
    while first < last:
        middle = (first + last) >> 1
        if distinct[middle] < node:
            first = middle + 1
        else:
            last = middle
    return first if first < len(distinct) and distinct[first] == node else -1
