"""How long work in compiled code is told to end early: a flag that it looks at as it goes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


class Stopped(Exception):
    """The work was told to end before it was done, so that there is no answer."""


class Stop:
    """A flag of one byte, shared between threads.

    Compiled code lets other threads run, so that one of them can pull it: a timer, or whoever
    notices that nobody waits for the answer any more.
    """

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)

    def pull(self) -> None:
        self.flag[0] = 1

    @property
    def pulled(self) -> bool:
        return bool(self.flag[0])

    def check(self) -> None:
        """Raises Stopped when it was pulled."""
        if self.pulled:
            raise Stopped("The work was told to end early.")

    @contextmanager
    def after(self, seconds: float) -> Iterator[None]:
        """Pull it when the block has not ended by then."""
        timer = threading.Timer(seconds, self.pull)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
