"""Work in parts: in their order, by all cores, and over when it is over."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.science import threads
from backend.science.stopping import Stop, Stopped
from backend.science.threads import PARTS, even_parts, in_threads, weighed_parts


@pytest.fixture(autouse=True)
def _four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "core_count", lambda: 4)
    threads.pool.cache_clear()


def test_what_the_parts_give_comes_in_their_order() -> None:
    def work(first: int, last: int) -> int:
        time.sleep(0.001 * (40 - first) / 10)
        return last

    assert in_threads(work, [(n, n + 1) for n in range(40)]) == list(range(1, 41))


def test_when_a_part_fails_no_other_works_on_behind_the_callers_back() -> None:
    """The file or the array that they write to may be given back by then."""
    begun, ended, go = [], [], threading.Event()

    def work(first: int, last: int) -> None:
        if first == 0:
            go.wait(5)
            raise OSError("no room")
        begun.append(first)
        go.set()
        time.sleep(0.1)
        ended.append(first)

    with pytest.raises(OSError, match="no room"):
        in_threads(work, [(n, n + 1) for n in range(100)])
    assert begun and sorted(begun) == sorted(ended)
    assert len(begun) < 99


def test_a_pulled_stop_ends_the_parts_that_have_not_begun() -> None:
    stop, done = Stop(), []

    def work(first: int, last: int) -> None:
        done.append(first)
        stop.pull()

    with pytest.raises(Stopped):
        in_threads(work, [(n, n + 1) for n in range(100)], stop)
    assert len(done) <= 4


@given(st.integers(0, 10**9))
def test_even_parts_hold_everything_once(count: int) -> None:
    parts = even_parts(count)
    assert [first for first, _ in parts[1:]] == [last for _, last in parts[:-1]]
    assert (parts[0][0], parts[-1][1]) == (0, count) if count else not parts
    assert len(parts) <= PARTS


@given(st.lists(st.integers(0, 200_000), min_size=1, max_size=40), st.integers(1, 6))
def test_weighed_parts_hold_every_row_once_and_about_as_much(sizes: list[int], copies: int) -> None:
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    parts = weighed_parts(*[offsets] * copies)
    assert [first for first, _ in parts[1:]] == [last for _, last in parts[:-1]]
    assert (parts[0][0], parts[-1][1]) == (0, len(sizes))
    total = len(sizes) + copies * int(offsets[-1])
    largest = copies * max(sizes) + 1
    for first, last in parts:
        held = last - first + copies * int(offsets[last] - offsets[first])
        assert held <= total / len(parts) + max(largest, 1 << 16)
