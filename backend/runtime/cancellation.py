"""Cooperative cancellation of work in compiled code, by a flag that the code polls."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


class Cancelled(Exception):
    """The work was cancelled before it was complete; there is no result."""


class CancellationToken:
    """A one-byte flag shared between threads.

    Compiled code releases the GIL, so another thread can set the flag: a timer, or the request
    handler that notices that the client has disconnected.
    """

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)

    def cancel(self) -> None:
        self.flag[0] = 1

    @property
    def is_cancelled(self) -> bool:
        return bool(self.flag[0])

    def raise_if_cancelled(self) -> None:
        if self.is_cancelled:
            raise Cancelled("The work was cancelled.")

    @contextmanager
    def cancel_after(self, seconds: float) -> Iterator[None]:
        """Cancel if the block is still running after this many seconds."""
        timer = threading.Timer(seconds, self.cancel)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
