"""Long work whose reader goes before it is done."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from backend.graphs.api import waiting
from backend.science.stopping import Stop, Stopped

LONGEST_S = 30.0


class Work:
    """Looks at its stop until that is pulled."""

    def __init__(self, ending: Callable[[], None]) -> None:
        self.began, self.ended, self.ending = threading.Event(), threading.Event(), ending

    def __call__(self, stop: Stop) -> None:
        self.began.set()
        while not stop.pulled:
            self.ended.wait(0.001)
        self.ended.set()
        self.ending()


def stopped() -> None:
    raise Stopped


@pytest.mark.parametrize("ending", [stopped, lambda: None])
def test_work_ends_when_its_reader_goes_and_nothing_is_complained_of(
    ending: Callable[[], None],
) -> None:
    complaints: list[str] = []
    work = Work(ending)

    async def read() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, told: complaints.append(told["message"]))
        reader = asyncio.create_task(waiting.watched(work))
        assert await asyncio.to_thread(work.began.wait, LONGEST_S)
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader

    asyncio.run(read())
    assert work.ended.is_set() and complaints == []
