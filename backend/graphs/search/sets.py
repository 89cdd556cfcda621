"""Sets of numbers as sorted arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]
FEW = 4_000  # numbers that are sorted in less time than a mark for each possible one takes


def distinct(numbers: Numbers, total: int | None = None) -> Numbers:
    """In order, each once. `total`, one above the largest possible, makes many faster."""
    if total is None or len(numbers) < FEW:
        return np.unique(numbers)
    return np.flatnonzero(marked(numbers, total)).astype(np.int32)


def in_all(sets: Sequence[Numbers], total: int) -> Numbers:
    """What is in every one of them, in order; they need not be."""
    by_size = sorted(sets, key=len)
    if not by_size or not len(by_size[0]):
        return np.empty(0, np.int32)
    found = distinct(by_size[0], total)
    for other in by_size[1:]:
        found = found[marked(other, total)[found]]
    return found


def marked(numbers: Numbers, total: int) -> NDArray[np.bool_]:
    marks = np.zeros(total, np.bool_)
    marks[numbers] = True
    return marks


def smallest(numbers: Numbers, count: int) -> Numbers:
    """The smallest of them, in order."""
    if len(numbers) > 4 * count:
        numbers = np.partition(numbers, count)[:count]
    return np.sort(numbers)[:count]
