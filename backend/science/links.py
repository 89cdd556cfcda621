"""Both sides of a graph as compiled code takes them: an edge can be walked either way.

An entity's entries are those of its forward row, walked along the edge, and of its reverse row,
walked against it. A self-loop is in both rows. A step's code is 2 x relation + (0 along the
edge, 1 against it), so code ^ 1 is the same edge walked the other way. Both codes of a symmetric
relation say the same: its edges are stored once, in either order.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency, EdgeIds, Numbers, Offsets, Relations
from backend.science.compiled import compiled
from backend.science.pages import lower

Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]
NONE = np.empty(0, np.int64)
Array = TypeVar("Array", bound=NDArray[Any])


class Links(NamedTuple):
    """Forward and reverse rows. An empty `out_edges` says that a place is its edge's number."""

    out_offsets: Offsets
    out_neighbours: Numbers
    out_relations: Relations
    out_edges: Longs
    in_offsets: Offsets
    in_neighbours: Numbers
    in_relations: Relations
    in_edges: EdgeIds


def links_of(forward: Adjacency, reverse: Adjacency, *, partly: bool = False) -> Links:
    """Raises ValueError when the two are not sides of one graph; partly: of some of its rows."""
    same = forward.entity_count == reverse.entity_count
    if not partly:
        same &= forward.edge_count == reverse.edge_count
    if not same or reverse.edges is None:
        raise ValueError("the reverse side must have the forward side's entities and edges")
    return Links(
        unwritable(forward.offsets),
        unwritable(forward.neighbours),
        unwritable(forward.relations),
        unwritable(NONE if forward.edges is None else forward.edges.astype(np.int64)),
        unwritable(reverse.offsets),
        unwritable(reverse.neighbours),
        unwritable(reverse.relations),
        unwritable(reverse.edges),
    )


def unwritable(array: Array) -> Array:
    """The same memory, not to be written to: of each kind of array, code is compiled once."""
    found = array.view()
    found.flags.writeable = False
    return found


@compiled
def degree(links: Links, number: int) -> int:
    """Entries on both sides."""
    outgoing = links.out_offsets[number + 1] - links.out_offsets[number]
    return int(outgoing + links.in_offsets[number + 1] - links.in_offsets[number])


@compiled
def first_of(links: Links, number: int, way: int) -> int:
    return int(links.out_offsets[number] if way == 0 else links.in_offsets[number])


@compiled
def edge_at(links: Links, way: int, place: int) -> int:
    """The number of the edge of an entry."""
    if way == 1:
        return int(links.in_edges[place])
    if len(links.out_edges):
        return int(links.out_edges[place])
    return place


@compiled
def entries_of(links: Links, number: int, code: int) -> int:
    """Entries of an entity with one step's code."""
    way, relation = code & 1, code >> 1
    first, last = first_of(links, number, way), first_of(links, number + 1, way)
    codes = links.out_relations if way == 0 else links.in_relations
    first = lower(codes, first, last, relation)
    return lower(codes, first, last, relation + 1) - first


@compiled
def degree_along(links: Links, symmetric: Bytes, number: int, code: int) -> int:
    """Entries of an entity with a step's code; of a symmetric relation, on both sides."""
    count = entries_of(links, number, code)
    if symmetric[code >> 1]:
        count += entries_of(links, number, code ^ 1)
    return count
