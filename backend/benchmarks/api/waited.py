"""What somebody waits for, and for how long at most: anyone may ask, and processors are few."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from backend.benchmarks.serendipity.scoring import TooCostly
from backend.graphs.api.waiting import while_read
from backend.science.stopping import Stop, Stopped

Answer = TypeVar("Answer")
LONGEST_S = 180.0


def while_waited(work: Callable[[Stop], Answer]) -> Answer:
    """As while_read, and for three minutes at most. Raises TooCostly."""
    return while_read(lambda stop: _within(LONGEST_S, work, stop))


def _within(seconds: float, work: Callable[[Stop], Answer], stop: Stop) -> Answer:
    try:
        with stop.after(seconds):
            return work(stop)
    except Stopped as error:
        raise TooCostly(
            f"This takes longer than {seconds:g} seconds, and was stopped. Ask with fewer "
            "entities or with support=candidates, or have the graph's transition model and "
            "embedding computed first."
        ) from error
