"""Sets of integers as unordered arrays, which may contain duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import count_new, filter_marked, mark
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.adjacency import check_range

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class MatchedEntities:
    """Distinct matched entities, counted by type."""

    types: NDArray[np.unsignedinteger]  # of each entity
    bits: NDArray[np.uint64]  # one bit per entity
    counts: NDArray[np.int64]  # per type

    @classmethod
    def empty(cls, snapshot: Snapshot) -> MatchedEntities:
        counts = np.zeros(len(snapshot.types), np.int64)
        return cls(snapshot.type_of, empty_bits(snapshot.entity_count), counts)

    def add(self, numbers: Numbers, entities: Numbers) -> None:
        """Add the entities that own these term numbers."""
        count_new(numbers, entities, self.types, self.bits, self.counts)

    def add_entities(self, entities: Sequence[int]) -> None:
        """Raises ValueError for an unknown entity: these numbers come from another source."""
        numbers = np.array(entities, np.int32)
        check_range("entities", numbers, len(self.types))
        self.add(np.arange(len(numbers), dtype=np.int32), numbers)

    def __len__(self) -> int:
        return int(self.counts.sum())


@dataclass(frozen=True)
class Intersection:
    """Intersection of several sets; `limit` is one above the largest possible number."""

    sets: Sequence[Numbers]
    limit: int

    @cached_property
    def bits(self) -> list[NDArray[np.uint64]]:
        result = [empty_bits(self.limit) for _ in self.sets]
        for numbers, bits in zip(self.sets, result, strict=True):
            mark(numbers, bits)
        return result

    def filter(self, numbers: Numbers) -> Numbers:
        if not len(numbers):
            return numbers
        for bits in self.bits:
            out = np.empty(len(numbers), np.int32)
            numbers = out[: filter_marked(numbers, bits, out)]
        return numbers


def intersect(sets: Sequence[Numbers], total: int) -> Numbers:
    """Numbers in every set; empty if there is no set."""
    if not sets:
        return np.empty(0, np.int32)
    smallest_one, *others = sorted(sets, key=len)
    return Intersection(others, total).filter(smallest_one)


def empty_bits(total: int) -> NDArray[np.uint64]:
    return np.zeros((total >> 6) + 1, np.uint64)


def smallest(numbers: Numbers, count: int) -> Numbers:
    """The `count` smallest numbers, sorted."""
    if len(numbers) > 4 * count:
        numbers = np.partition(numbers, count)[:count]
    return np.sort(numbers)[:count]
