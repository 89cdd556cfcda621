"""Long work whose reader goes before it is done."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from backend.graphs.api import cancellation
from backend.runtime.cancellation import CancellationToken, Cancelled

LONGEST_S = 30.0


class CancellableWork:
    """Looks at its stop until that is pulled."""

    def __init__(self, ending: Callable[[], None]) -> None:
        self.began, self.ended, self.ending = threading.Event(), threading.Event(), ending

    def __call__(self, stop: CancellationToken) -> None:
        self.began.set()
        while not stop.is_cancelled:
            self.ended.wait(0.001)
        self.ended.set()
        self.ending()


def stopped() -> None:
    raise Cancelled


@pytest.mark.parametrize("ending", [stopped, lambda: None])
def test_work_ends_when_the_client_disconnects_without_a_logged_error(
    ending: Callable[[], None],
) -> None:
    complaints: list[str] = []
    work = CancellableWork(ending)

    async def read() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, output: complaints.append(output["message"]))
        reader = asyncio.create_task(cancellation.run_in_pool(work))
        assert await asyncio.to_thread(work.began.wait, LONGEST_S)
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader

    asyncio.run(read())
    assert work.ended.is_set() and complaints == []
