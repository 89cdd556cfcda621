"""Work in parts on the machine's cores. Compiled code lets other threads run, so threads will do.

The parts are fixed by the work and not by the threads: each part is done by one of them, from its
beginning to its end, so that the same bytes come out whatever their number.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.science.stopping import Stop

Part = tuple[int, int]  # the first and the one after the last
Found = TypeVar("Found")

PARTS = 192  # enough that no core waits long for another
SMALL = 1 << 15  # of a smaller part, handing it to a thread takes longer than doing it


def core_count() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(core_count(), thread_name_prefix="science")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.cache_clear)  # threads do not survive a fork


def in_threads(
    work: Callable[[int, int], Found], parts: Sequence[Part], stop: Stop | None = None
) -> list[Found]:
    """What work(first, last) gives for each part, in their order. Raises Stopped when told to.

    When a part fails, nothing works any more by the time that its error is raised: the arrays and
    files that the parts share may be given back. `work` must not itself call this.
    """

    def checked(part: Part) -> Found:
        if stop is not None:
            stop.check()
        return work(*part)

    if len(parts) < 2 or core_count() < 2:
        return [checked(part) for part in parts]
    waiting = [pool().submit(checked, part) for part in parts]
    try:
        return [one.result() for one in waiting]
    finally:
        for one in waiting:
            one.cancel()
        wait(waiting)


def even_parts(count: int) -> list[Part]:
    """Parts of equally many of `count` things."""
    wanted = np.linspace(0, count, parts_for(count, PARTS) + 1)
    return between([int(one) for one in wanted])


def weighed_parts(*offsets: NDArray[np.int64], most: int = PARTS) -> list[Part]:
    """Parts of rows that hold about equally many rows and entries, given each side's offsets."""
    rows = len(offsets[0]) - 1
    total = rows + sum(int(one[-1]) for one in offsets)
    wanted = np.linspace(0, total, parts_for(total, most) + 1)
    return between([first_row(offsets, int(one)) for one in wanted[:-1]] + [rows])


def parts_for(work: int, most: int) -> int:
    return max(1, min(most, work // SMALL))


def first_row(offsets: Sequence[NDArray[np.int64]], weight: int) -> int:
    """The first row before which there is at least so much."""
    low, high = 0, len(offsets[0]) - 1
    while low < high:
        middle = (low + high) // 2
        if middle + sum(int(one[middle]) for one in offsets) < weight:
            low = middle + 1
        else:
            high = middle
    return low


def between(cuts: Sequence[int]) -> list[Part]:
    return [(a, b) for a, b in pairwise(cuts) if a < b]
