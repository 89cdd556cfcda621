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


def ends_of(links: Links, owners: Ints, allowed: Bytes, *, last: bool, stop: Bytes) -> Ends:
    """Steps of the allowed codes from the owners, or, when they are the last ones, into them.

    Self-loops are left out. Each list has sum(degree) entries at most. Owners must be entities
    without repetition: compiled code trusts them.
    """
    size = count_entries(links, owners)
    nodes, owner_of = np.empty(size, np.int32), np.empty(size, np.int32)
    codes, edges = np.empty(size, np.int64), np.empty(size, np.int64)
    count = fill_entries(links, owners, allowed, last, nodes, owner_of, codes, edges, stop)
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
    bits = 64
    while bits < BITS_EACH * len(distinct):
        bits *= 2
    words = np.zeros(bits // 64, np.uint64)
    set_bits(words, distinct)
    return words


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
                if allowed[code] and neighbours[place] != owner:
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
