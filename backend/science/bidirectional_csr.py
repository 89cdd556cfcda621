"""Both directions of a graph as arguments of compiled code: each edge can be traversed both ways.

An entity's entries are those of its forward row, traversed along the edge, and of its reverse row,
traversed against it. A self-loop is in both rows. The code of a step is 2 x relation + (0 along the
edge, 1 against it), so code ^ 1 is the same edge in the other direction. Both codes of a symmetric
relation are equivalent: its edges are stored once, in either order.

With a cut-off, the entries are those of edges that were first seen until then; undated edges (0)
are left out. The arrays stay those of the whole graph, and an entity's entries are counted when
they are needed.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.adjacency import Adjacency, EdgeIds, Numbers, Offsets, Relations, lower_bound

Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Dates = NDArray[np.uint32]
NO_EDGES = np.empty(0, np.int64)
NO_DATES = np.empty(0, np.uint32)
ANY_CODE = -1
COUNT_BITS = 15  # of the number of counts that are remembered
Array = TypeVar("Array", bound=NDArray[Any])


class BidirectionalCsr(NamedTuple):
    """Forward and reverse rows. If `out_edges` is empty, an entry's position is its edge number.

    dates uint32 [E]: when each edge was first seen, 0 if unknown; empty without a cut-off. Paths
    and walks observe the cut-off, other kernels read all rows. counts int64 [2, n]: keys and values
    of remembered counts of entries until the cut-off.
    """

    out_offsets: Offsets
    out_neighbours: Numbers
    out_relations: Relations
    out_edges: Longs
    in_offsets: Offsets
    in_neighbours: Numbers
    in_relations: Relations
    in_edges: EdgeIds
    dates: Dates
    until: int
    counts: Longs


def bidirectional_csr(
    forward: Adjacency,
    reverse: Adjacency,
    *,
    partial: bool = False,
    dates: Dates = NO_DATES,
    until: int = 0,
) -> BidirectionalCsr:
    """Raises ValueError unless both sides are of one graph. partial: they hold only some rows.

    dates, until: of a cut-off. One object of one with a cut-off is for one thread.
    """
    same = forward.entity_count == reverse.entity_count
    if not partial:
        same &= forward.edge_count == reverse.edge_count
    if not same or reverse.edges is None:
        raise ValueError("the reverse side must have the forward side's entities and edges")
    return BidirectionalCsr(
        read_only(forward.offsets),
        read_only(forward.neighbours),
        read_only(forward.relations),
        read_only(NO_EDGES if forward.edges is None else forward.edges.astype(np.int64)),
        read_only(reverse.offsets),
        read_only(reverse.neighbours),
        read_only(reverse.relations),
        read_only(reverse.edges),
        read_only(dates),
        until,
        np.full((2, 1 << COUNT_BITS if len(dates) else 0), -1, np.int64),
    )


def read_only(array: Array) -> Array:
    """A read-only view. Code is then compiled once per array type."""
    result = array.view()
    result.flags.writeable = False
    return result


@jit_compile
def row_length(links: BidirectionalCsr, number: int) -> int:
    """Entries of an entity on both sides, also those after the cut-off."""
    outgoing = links.out_offsets[number + 1] - links.out_offsets[number]
    return int(outgoing + links.in_offsets[number + 1] - links.in_offsets[number])


@jit_compile
def degree(links: BidirectionalCsr, number: int) -> int:
    """Entries of an entity on both sides."""
    if len(links.dates):
        return count_admitted(links, number, ANY_CODE)
    return row_length(links, number)


@jit_compile
def first_entry(links: BidirectionalCsr, number: int, way: int) -> int:
    return int(links.out_offsets[number] if way == 0 else links.in_offsets[number])


@jit_compile
def edge_at(links: BidirectionalCsr, way: int, place: int) -> int:
    """Edge number of an entry."""
    if way == 1:
        return int(links.in_edges[place])
    if len(links.out_edges):
        return int(links.out_edges[place])
    return place


@jit_compile
def is_admitted(links: BidirectionalCsr, edge: int) -> bool:
    """Whether an edge was first seen until the cut-off, if there is one."""
    if not len(links.dates):
        return True
    return bool(0 < np.int64(links.dates[edge]) <= links.until)


@jit_compile
def find_range(links: BidirectionalCsr, number: int, code: int) -> tuple[int, int]:
    """The first entry of an entity with a step code, and one past the last."""
    way, relation = code & 1, code >> 1
    first, last = first_entry(links, number, way), first_entry(links, number + 1, way)
    codes = links.out_relations if way == 0 else links.in_relations
    first = lower_bound(codes, first, last, relation)
    return first, lower_bound(codes, first, last, relation + 1)


@jit_compile
def count_entries(links: BidirectionalCsr, number: int, code: int) -> int:
    """Entries of an entity with a step code."""
    if len(links.dates):
        return count_admitted(links, number, code)
    first, last = find_range(links, number, code)
    return last - first


@jit_compile
def count_admitted(links: BidirectionalCsr, number: int, code: int) -> int:
    """Entries of an entity until the cut-off, of one code or of any; the latest are remembered."""
    key = np.int64(number) * (2 << 16) + code + 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(mixed >> np.uint64(64 - COUNT_BITS))
    if links.counts[0, slot] != key:
        count = 0
        for way in range(2):
            if code == ANY_CODE:
                first, last = first_entry(links, number, way), first_entry(links, number + 1, way)
            elif code & 1 == way:
                first, last = find_range(links, number, code)
            else:
                first, last = 0, 0
            for place in range(first, last):
                count += is_admitted(links, edge_at(links, way, place))
        links.counts[0, slot], links.counts[1, slot] = key, count
    return int(links.counts[1, slot])


@jit_compile
def relation_degree(links: BidirectionalCsr, symmetric: Bytes, number: int, code: int) -> int:
    """Entries of an entity with a step code; for a symmetric relation, on both sides."""
    count = count_entries(links, number, code)
    if symmetric[code >> 1]:
        count += count_entries(links, number, code ^ 1)
    return count
