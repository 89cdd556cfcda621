import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Stopwatch:
    """Adds up the time of several pieces of work."""

    seconds: float = 0.0

    @contextmanager
    def count(self) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self.seconds += time.monotonic() - started
