"""Sets of numbers as sorted arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import keep_marked, list_marked, mark

Numbers = NDArray[np.int32]
FEW = 8_000  # numbers that are sorted in less time than a bit for each possible one takes


def distinct(numbers: Numbers, total: int | None = None) -> Numbers:
    """In order, each once. `total`, one above the largest possible, makes many faster."""
    if total is None or len(numbers) < FEW:
        ordered = np.sort(numbers)
        return ordered[first_ones(ordered)]
    found = np.empty(len(numbers) + 1, np.int32)  # one more: a candidate is written first
    return found[: list_marked(marked(numbers, total), found)]


def first_ones(ordered: Numbers) -> NDArray[np.bool_]:
    """Which of them differ from the one before."""
    return np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]


def in_all(sets: Sequence[Numbers], total: int) -> Numbers:
    """What is in every one of them, in order; they need not be."""
    by_size = sorted(sets, key=len)
    if not by_size or not len(by_size[0]):
        return np.empty(0, np.int32)
    found = distinct(by_size[0], total)
    for other in by_size[1:]:
        kept = np.empty(len(found), np.int32)
        found = kept[: keep_marked(found, marked(other, total), kept)]
    return found


def marked(numbers: Numbers, total: int) -> NDArray[np.uint64]:
    bits = np.zeros((total >> 6) + 1, np.uint64)
    mark(numbers, bits)
    return bits


def smallest(numbers: Numbers, count: int) -> Numbers:
    """The smallest of them, in order."""
    if len(numbers) > 4 * count:
        numbers = np.partition(numbers, count)[:count]
    return np.sort(numbers)[:count]
