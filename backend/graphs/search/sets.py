"""Sets of numbers as arrays, in any order; a number may come again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import keep_marked, mark, tally
from backend.graphs.snapshots.opening import Snapshot
from backend.science.adjacency import check_range

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Met:
    """Entities that were met: how many of each type, whoever comes again."""

    types: NDArray[np.unsignedinteger]  # of each entity
    bits: NDArray[np.uint64]  # one for each entity, set for those that were met
    counts: NDArray[np.int64]  # for each type

    @classmethod
    def none_of(cls, snapshot: Snapshot) -> Met:
        counts = np.zeros(len(snapshot.types), np.int64)
        return cls(snapshot.type_of, no_bits(snapshot.entity_count), counts)

    def add(self, numbers: Numbers, entities: Numbers) -> None:
        """The entities that have these numbers."""
        tally(numbers, entities, self.types, self.bits, self.counts)

    def add_these(self, entities: Sequence[int]) -> None:
        """Raises ValueError for an entity that is not there: these come from elsewhere."""
        numbers = np.array(entities, np.int32)
        check_range("entities", numbers, len(self.types))
        self.add(np.arange(len(numbers), dtype=np.int32), numbers)

    def __len__(self) -> int:
        return int(self.counts.sum())


@dataclass(frozen=True)
class Common:
    """What some sets have in common; `total` is one above the largest number possible."""

    sets: Sequence[Numbers]
    total: int

    @cached_property
    def bits(self) -> list[NDArray[np.uint64]]:
        found = [no_bits(self.total) for _ in self.sets]
        for numbers, bits in zip(self.sets, found, strict=True):
            mark(numbers, bits)
        return found

    def among(self, numbers: Numbers) -> Numbers:
        if not len(numbers):
            return numbers
        for bits in self.bits:
            kept = np.empty(len(numbers), np.int32)
            numbers = kept[: keep_marked(numbers, bits, kept)]
        return numbers


def in_all(sets: Sequence[Numbers], total: int) -> Numbers:
    """What is in every one of them; nothing where there is no set."""
    if not sets:
        return np.empty(0, np.int32)
    smallest_one, *others = sorted(sets, key=len)
    return Common(others, total).among(smallest_one)


def no_bits(total: int) -> NDArray[np.uint64]:
    return np.zeros((total >> 6) + 1, np.uint64)


def smallest(numbers: Numbers, count: int) -> Numbers:
    """The smallest of them, in order."""
    if len(numbers) > 4 * count:
        numbers = np.partition(numbers, count)[:count]
    return np.sort(numbers)[:count]
