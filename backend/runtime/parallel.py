"""Work split into parts over the machine's cores. Compiled code releases the GIL, so threads
suffice.

The parts depend on the work, not on the number of threads, and each part is processed by one thread
from start to end. The result is therefore bit-identical for any number of threads.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken

Part = tuple[int, int]  # first index, and one past the last
Result = TypeVar("Result")

MAX_PARTS = 192  # enough parts to balance the load over cores
MIN_PART_WORK = 1 << 15  # below this, handing a part to a thread costs more than the work


def core_count() -> int:
    """Number of cores available to this process, or PYTHON_CPU_COUNT (as from Python 3.13 on)."""
    if (given := os.environ.get("PYTHON_CPU_COUNT", "")).isdigit():
        return max(1, int(given))
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def thread_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(core_count(), thread_name_prefix="science")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=thread_pool.cache_clear)  # threads do not survive a fork


def run_in_threads(
    work: Callable[[int, int], Result], parts: Sequence[Part], stop: CancellationToken | None = None
) -> list[Result]:
    """The results of work(first, last) for each part, in order. Raises Cancelled.

    When a part fails, all parts have ended by the time its error is raised, so shared arrays and
    files can be released. `work` must not call this function itself.
    """

    def checked(part: Part) -> Result:
        if stop is not None:
            stop.raise_if_cancelled()
        return work(*part)

    if len(parts) < 2 or core_count() < 2:
        return [checked(part) for part in parts]
    waiting = [thread_pool().submit(checked, part) for part in parts]
    try:
        return [one.result() for one in waiting]
    finally:
        for one in waiting:
            one.cancel()
        wait(waiting)


def split_evenly(count: int) -> list[Part]:
    """Parts of about equal size of the range 0 to count."""
    target = np.linspace(0, count, part_count(count, MAX_PARTS) + 1)
    return parts_between([int(one) for one in target])


def split_by_weight(*offsets: NDArray[np.int64], max_parts: int = MAX_PARTS) -> list[Part]:
    """Parts of rows with about equally many rows and entries; offsets: CSR, of each side."""
    rows = len(offsets[0]) - 1
    total = rows + sum(int(one[-1]) for one in offsets)
    target = np.linspace(0, total, part_count(total, max_parts) + 1)
    return parts_between([first_row_at_weight(offsets, int(one)) for one in target[:-1]] + [rows])


def part_count(work: int, most: int) -> int:
    return max(1, min(most, work // MIN_PART_WORK))


def first_row_at_weight(offsets: Sequence[NDArray[np.int64]], weight: int) -> int:
    """The first row with at least this weight before it."""
    low, high = 0, len(offsets[0]) - 1
    while low < high:
        middle = (low + high) // 2
        if middle + sum(int(one[middle]) for one in offsets) < weight:
            low = middle + 1
        else:
            high = middle
    return low


def parts_between(cuts: Sequence[int]) -> list[Part]:
    return [(a, b) for a, b in pairwise(cuts) if a < b]
