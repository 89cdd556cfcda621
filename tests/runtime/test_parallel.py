"""Parts run in order, on all cores, and none runs after the call returns."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.runtime.parallel import (
    MAX_PARTS,
    run_in_threads,
    split_by_weight,
    split_evenly,
    thread_pool,
)

GUARD_S = 30
"""Only ends a test that would wait for ever."""


@pytest.fixture(autouse=True)
def _four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_CPU_COUNT", "4")
    thread_pool.cache_clear()


def test_results_are_in_the_order_of_the_parts() -> None:
    """Each four, which run at once, end in reverse order."""
    ended = [threading.Event() for _ in range(40)]

    def work(first: int, last: int) -> int:
        if last % 4:
            assert ended[last].wait(GUARD_S)
        ended[first].set()
        return last

    assert run_in_threads(work, [(n, n + 1) for n in range(40)]) == list(range(1, 41))


def test_no_part_is_running_after_an_error_is_raised() -> None:
    """Files and arrays that the parts write to may be released by then."""
    started, ended = list[int](), list[int]()
    running, may_end = threading.Event(), threading.Event()

    def work(first: int, last: int) -> None:
        if first == 0:
            assert running.wait(GUARD_S)
            raise OSError("disk full")
        started.append(first)
        running.set()
        assert may_end.wait(GUARD_S)
        ended.append(first)

    def ended_before_the_error() -> list[int]:
        with pytest.raises(OSError, match="disk full"):
            run_in_threads(work, [(n, n + 1) for n in range(100)])
        return [*ended]

    with ThreadPoolExecutor(1) as caller:
        result = caller.submit(ended_before_the_error)
        assert running.wait(GUARD_S)
        with pytest.raises(TimeoutError):  # an error that waits for no part is raised at once
            result.result(timeout=0.1)
        may_end.set()
        assert started and sorted(result.result(GUARD_S)) == sorted(started)
    assert len(started) < 99


def test_cancellation_skips_parts_that_have_not_started() -> None:
    stop, done = CancellationToken(), []

    def work(first: int, last: int) -> None:
        done.append(first)
        stop.cancel()

    with pytest.raises(Cancelled):
        run_in_threads(work, [(n, n + 1) for n in range(100)], stop)
    assert len(done) <= 4


@given(st.integers(0, 10**9))
def test_even_parts_cover_the_range_once(count: int) -> None:
    parts = split_evenly(count)
    assert [first for first, _ in parts[1:]] == [last for _, last in parts[:-1]]
    assert (parts[0][0], parts[-1][1]) == (0, count) if count else not parts
    assert len(parts) <= MAX_PARTS


@given(st.lists(st.integers(0, 200_000), min_size=1, max_size=40), st.integers(1, 6))
def test_weighted_parts_cover_every_row_once_with_similar_weight(
    sizes: list[int], copies: int
) -> None:
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    parts = split_by_weight(*[offsets] * copies)
    assert [first for first, _ in parts[1:]] == [last for _, last in parts[:-1]]
    assert (parts[0][0], parts[-1][1]) == (0, len(sizes))
    total = len(sizes) + copies * int(offsets[-1])
    largest = copies * max(sizes) + 1
    for first, last in parts:
        value = last - first + copies * int(offsets[last] - offsets[first])
        assert value <= total / len(parts) + max(largest, 1 << 16)
