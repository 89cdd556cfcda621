"""A directed multigraph as compressed sparse rows: what every walk and every product reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.int64]
Numbers = NDArray[np.int32]
Relations = NDArray[np.uint8] | NDArray[np.uint16]
EdgeIds = NDArray[np.int32] | NDArray[np.int64]
Integers = TypeVar("Integers", bound=np.integer)

STEP = 1 << 22  # elements looked at in one go, so that a check of any size needs few megabytes


@dataclass(frozen=True, slots=True)
class Adjacency:
    """One direction of a graph with V entities and E edges.

    Entity v has the entries offsets[v] to offsets[v + 1], sorted by (relation, neighbour, edge):

    offsets    int64 [V + 1], rising, from 0 to E
    neighbours int32 [E], from 0 to V - 1
    relations  uint8 or uint16 [E]
    edges      int32 or int64 [E], the number of each entry's edge; None on the forward side,
               where an entry's place is its edge's number

    Compiled code trusts these ranges, and a wrong index there ends the process: make one from
    outside through `checked`. The arrays may be memory maps and must not be written to.
    """

    offsets: Offsets
    neighbours: Numbers
    relations: Relations
    edges: EdgeIds | None = None

    @property
    def entity_count(self) -> int:
        return len(self.offsets) - 1

    @property
    def edge_count(self) -> int:
        return len(self.neighbours)

    def degree(self, number: int) -> int:
        """Entries of one entity in this direction. Raises IndexError when there is none."""
        first, last = self.bounds(number)
        return last - first

    def bounds(self, number: int) -> tuple[int, int]:
        """The first entry of an entity and the one after its last."""
        if not 0 <= number < self.entity_count:
            raise IndexError(f"there is no entity {number} among {self.entity_count}")
        return int(self.offsets[number]), int(self.offsets[number + 1])

    def degrees(self) -> NDArray[np.int64]:
        """Entries of every entity in this direction, int64 [V]."""
        return np.diff(self.offsets)

    def checked(self, relation_count: int) -> Adjacency:
        """Itself. Raises ValueError, which names the array, when a length or an index is wrong."""
        check_offsets("offsets", self.offsets, self.edge_count)
        check_range("neighbours", self.neighbours, self.entity_count)
        check_length("relations", self.relations, self.edge_count)
        check_range("relations", self.relations, relation_count)
        if self.edges is not None:
            check_length("edges", self.edges, self.edge_count)
            check_range("edges", self.edges, self.edge_count)
        return self


def check_length(name: str, array: NDArray[Integers], length: int) -> None:
    if array.shape != (length,):
        raise ValueError(f"{name}: {length} elements are expected, and there are {array.size}")


def check_offsets(name: str, offsets: NDArray[np.int64], total: int) -> None:
    """Raise ValueError unless they rise from 0 to total."""
    if offsets.ndim != 1 or not len(offsets):
        raise ValueError(f"{name}: at least one element is needed")
    first, last = int(offsets[0]), int(offsets[-1])
    if first != 0 or last != total:
        raise ValueError(f"{name}: expected from 0 to {total}, and they go from {first} to {last}")
    for start in range(0, len(offsets) - 1, STEP):
        part = offsets[start : start + STEP + 1]
        if (part[1:] < part[:-1]).any():
            raise ValueError(f"{name}: they fall somewhere after place {start}")


def check_range(name: str, array: NDArray[Integers], limit: int) -> None:
    """Raise ValueError unless every element is from 0 to limit - 1."""
    for start in range(0, len(array), STEP):
        part = array[start : start + STEP]
        low, high = int(part.min()), int(part.max())
        if low < 0 or high >= limit:
            wrong = low if low < 0 else high
            raise ValueError(f"{name}: {wrong} is outside 0 to {limit - 1}")
