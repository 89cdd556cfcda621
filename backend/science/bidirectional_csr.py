"""Both directions of a graph as arguments of compiled code: each edge can be traversed both ways.

An entity's entries are those of its forward row, traversed along the edge, and of its reverse row,
traversed against it. A self-loop is in both rows. The code of a step is 2 x relation + (0 along the
edge, 1 against it), so code ^ 1 is the same edge in the other direction. Both codes of a symmetric
relation are equivalent: its edges are stored once, in either order.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.adjacency import Adjacency, EdgeIds, Numbers, Offsets, Relations, lower_bound

Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]
NO_EDGES = np.empty(0, np.int64)
Array = TypeVar("Array", bound=NDArray[Any])


class BidirectionalCsr(NamedTuple):
    """Forward and reverse rows. If `out_edges` is empty, an entry's position is its edge number."""

    out_offsets: Offsets
    out_neighbours: Numbers
    out_relations: Relations
    out_edges: Longs
    in_offsets: Offsets
    in_neighbours: Numbers
    in_relations: Relations
    in_edges: EdgeIds


def bidirectional_csr(
    forward: Adjacency, reverse: Adjacency, *, partial: bool = False
) -> BidirectionalCsr:
    """Raises ValueError unless both sides are of one graph. partial: they hold only some rows."""
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
    )


def read_only(array: Array) -> Array:
    """A read-only view. Code is then compiled once per array type."""
    result = array.view()
    result.flags.writeable = False
    return result


@jit_compile
def degree(links: BidirectionalCsr, number: int) -> int:
    """Entries of an entity on both sides."""
    outgoing = links.out_offsets[number + 1] - links.out_offsets[number]
    return int(outgoing + links.in_offsets[number + 1] - links.in_offsets[number])


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
def count_entries(links: BidirectionalCsr, number: int, code: int) -> int:
    """Entries of an entity with a step code."""
    way, relation = code & 1, code >> 1
    first, last = first_entry(links, number, way), first_entry(links, number + 1, way)
    codes = links.out_relations if way == 0 else links.in_relations
    first = lower_bound(codes, first, last, relation)
    return lower_bound(codes, first, last, relation + 1) - first


@jit_compile
def relation_degree(links: BidirectionalCsr, symmetric: Bytes, number: int, code: int) -> int:
    """Entries of an entity with a step code; for a symmetric relation, on both sides."""
    count = count_entries(links, number, code)
    if symmetric[code >> 1]:
        count += count_entries(links, number, code ^ 1)
    return count
