"""A directed multigraph in compressed sparse row (CSR) form."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile

Offsets = NDArray[np.int64]
Numbers = NDArray[np.int32]
Relations = NDArray[np.uint8] | NDArray[np.uint16]
EdgeIds = NDArray[np.int32] | NDArray[np.int64]
Integers = TypeVar("Integers", bound=np.integer)

CHUNK_SIZE = 1 << 22  # elements per step, so that a check needs little memory


@dataclass(frozen=True, slots=True)
class Adjacency:
    """One direction of a graph with V entities and E edges.

    Entity v has the entries offsets[v] to offsets[v + 1], sorted by (relation, neighbour, edge):

    offsets    int64 [V + 1], nondecreasing from 0 to E
    neighbours int32 [E], from 0 to V - 1
    relations  uint8 or uint16 [E]
    edges      int32 or int64 [E], the edge number of each entry; None on the forward side, where
               the position of an entry is its edge number

    Compiled code relies on these ranges, and a wrong index crashes the process: check external data
    first. The arrays may be memory maps and must not be written to.
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
        """Entries of one entity in this direction. Raises IndexError for an unknown entity."""
        first, last = self.bounds(number)
        return last - first

    def bounds(self, number: int) -> tuple[int, int]:
        """The first entry of an entity, and one past its last."""
        if not 0 <= number < self.entity_count:
            raise IndexError(f"there is no entity {number} among {self.entity_count}")
        return int(self.offsets[number]), int(self.offsets[number + 1])

    def degrees(self) -> NDArray[np.int64]:
        """Entries of every entity in this direction, int64 [V]."""
        return np.diff(self.offsets)


def check_length(name: str, array: NDArray[Integers], length: int) -> None:
    if array.shape != (length,):
        raise ValueError(f"{name}: {length} elements are expected, found {array.size}")


def check_offsets(name: str, offsets: NDArray[np.int64], total: int) -> None:
    """Raise ValueError unless the offsets are nondecreasing from 0 to `total`."""
    if offsets.ndim != 1 or not len(offsets):
        raise ValueError(f"{name}: at least one element is needed")
    first, last = int(offsets[0]), int(offsets[-1])
    if first != 0 or last != total:
        raise ValueError(f"{name}: expected from 0 to {total}, found {first} to {last}")
    for start in range(0, len(offsets) - 1, CHUNK_SIZE):
        part = offsets[start : start + CHUNK_SIZE + 1]
        if (part[1:] < part[:-1]).any():
            raise ValueError(f"{name}: they decrease after position {start}")


def check_range(name: str, array: NDArray[Integers], limit: int) -> None:
    """Raise ValueError unless every element is from 0 to limit - 1."""
    for start in range(0, len(array), CHUNK_SIZE):
        part = array[start : start + CHUNK_SIZE]
        low, high = int(part.min()), int(part.max())
        if low < 0 or high >= limit:
            wrong = low if low < 0 else high
            raise ValueError(f"{name}: {wrong} is outside 0 to {limit - 1}")


@jit_compile
def lower_bound(codes: NDArray[np.integer], first: int, last: int, target: int) -> int:
    """The first position from `first` to `last` whose code is at least the given one."""
    while first < last:
        middle = (first + last) >> 1
        if codes[middle] < target:
            first = middle + 1
        else:
            last = middle
    return first


@jit_compile
def count_relations(bounds: Offsets, relations: Relations, counts: NDArray[np.int64]) -> None:
    """Add each row's entries per relation to counts [rows, relations]."""
    for i in range(len(bounds) - 1):
        for place in range(bounds[i], bounds[i + 1]):
            counts[i, relations[place]] += 1
