"""First steps out of a set of entities and last steps into one, sorted by the entity they reach.

Two such lists are the input of a meet-in-the-middle path search.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.adjacency import lower_bound
from backend.science.bidirectional_csr import (
    BidirectionalCsr,
    Bytes,
    Longs,
    edge_at,
    first_entry,
    is_admitted,
    row_length,
)

Ints = NDArray[np.int32]
Words = NDArray[np.uint64]
BITS_PER_NODE = 32  # filter bits per entity: a false positive rate of 1 in 32
PASS_ALL = np.full(1, np.iinfo(np.uint64).max, np.uint64)  # filter that passes every entity


class HalfPaths(NamedTuple):
    """n entries between the entities of a set (owners) and others (nodes), sorted by node.

    nodes, owners int32 [n]; codes int64 [n], in the direction of the path; edges int64 [n]; factors
    float64 [n], NaN until computed; distinct int32 [u], the distinct nodes; starts int64 [u + 1],
    their first entries; filter uint64, a power of two of words: the bit of each node modulo their
    number is set.
    """

    nodes: Ints
    owners: Ints
    codes: Longs
    edges: Longs
    factors: NDArray[np.float64]
    distinct: Ints
    starts: Longs
    filter: Words


def half_paths(
    links: BidirectionalCsr,
    owners: Ints,
    allowed: Bytes,
    *,
    last: bool,
    stop: Bytes,
    node_filter: Words = PASS_ALL,
) -> HalfPaths:
    """Steps of the allowed codes out of the owners or, if `last`, into them.

    Self-loops are omitted, and entries whose entity is not in the filter. Each list has at most
    sum(degree) entries. Owners must be distinct valid entities: compiled code does not check them.
    """
    size = count_entries(links, owners)
    nodes, owner_of = np.empty(size, np.int32), np.empty(size, np.int32)
    codes, edges = np.empty(size, np.int64), np.empty(size, np.int64)
    filled = nodes, owner_of, codes, edges
    count = fill_entries(links, owners, allowed, node_filter, last, *filled, stop)
    order = np.argsort(nodes[:count], kind="stable")
    nodes = nodes[order]
    first = np.ones(count, np.bool_)
    first[1:] = nodes[1:] != nodes[:-1]
    starts = np.flatnonzero(first)
    distinct = nodes[starts]
    return HalfPaths(
        nodes,
        owner_of[order],
        codes[order],
        edges[order],
        np.full(count, np.nan),
        distinct,
        np.append(starts, count),
        build_filter(distinct),
    )


def build_filter(distinct: Ints) -> Words:
    words = filter_size(len(distinct))
    set_bits(words, distinct)
    return words


def filter_size(count: int) -> Words:
    """An empty filter for this many entities."""
    bits = 64
    while bits < BITS_PER_NODE * count:
        bits *= 2
    return np.zeros(bits // 64, np.uint64)


def reachable_filter(
    links: BidirectionalCsr, owners: Ints, ends: HalfPaths, entries: int, *, far: bool
) -> Words:
    """Filter of the entities that the other end's steps may reach: the owners of these half paths,
    their nodes and, for paths of three steps (far), the neighbours of those.
    """
    words = filter_size(min(entries + len(ends.distinct) + len(owners), 1 << 20))
    set_bits(words, owners)
    set_bits(words, ends.distinct)
    if far:
        set_rows(links, words, ends.distinct)
    return words


@jit_compile
def set_rows(links: BidirectionalCsr, words: Words, numbers: Ints) -> None:
    """Set the bits of all neighbours of some entities."""
    for number in numbers:
        for way in range(2):
            neighbours = links.out_neighbours if way == 0 else links.in_neighbours
            first, last = first_entry(links, number, way), first_entry(links, number + 1, way)
            set_bits(words, neighbours[first:last])


@jit_compile
def count_entries(links: BidirectionalCsr, owners: Ints) -> int:
    """Also those after a cut-off."""
    total = 0
    for owner in owners:
        total += row_length(links, owner)
    return total


@jit_compile
def fill_entries(
    links: BidirectionalCsr,
    owners: Ints,
    allowed: Bytes,
    node_filter: Words,
    last: bool,
    nodes: Ints,
    owner_of: Ints,
    codes: Longs,
    edges: Longs,
    stop: Bytes,
) -> int:
    """Write the entries that pass the filter; return their count. A cancelled run omits owners."""
    count = 0
    for owner in owners:
        for way in range(2):
            if stop[0]:
                return count
            neighbours = links.out_neighbours if way == 0 else links.in_neighbours
            relations = links.out_relations if way == 0 else links.in_relations
            for place in range(first_entry(links, owner, way), first_entry(links, owner + 1, way)):
                code = (int(relations[place]) * 2 + way) ^ int(last)
                if (
                    allowed[code]
                    and neighbours[place] != owner
                    and may_hold(node_filter, neighbours[place])
                    and is_admitted(links, edge_at(links, way, place))
                ):
                    nodes[count] = neighbours[place]
                    owner_of[count] = owner
                    codes[count] = code
                    edges[count] = edge_at(links, way, place)
                    count += 1
    return count


@jit_compile
def set_bits(words: Words, nodes: Ints) -> None:
    mask = len(words) * 64 - 1
    for node in nodes:
        bit = node & mask
        words[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@jit_compile
def may_hold(words: Words, node: int) -> bool:
    """Whether the bit of a node is set."""
    bit = node & (len(words) * 64 - 1)
    return bool((words[bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1))


@jit_compile
def find_node(distinct: Ints, node: int) -> int:
    """Position of a node among sorted ones, -1 if absent."""
    first = lower_bound(distinct, 0, len(distinct), node)
    return first if first < len(distinct) and distinct[first] == node else -1
