"""Long work for a request: off its thread, of bounded number, and ended when the reader leaves."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from http import HTTPStatus
from typing import TypeVar

from asgiref.sync import async_to_sync

from backend.common.errors import DomainError
from backend.science.stopping import Stop

Answer = TypeVar("Answer")
WAITING = 32  # searches of one process at work or waiting for a processor
_places = threading.BoundedSemaphore(WAITING)


@cache
def pool() -> ThreadPoolExecutor:
    """As many searches at once as there are processors; made in the process that uses it."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="graph")


def while_read(work: Callable[[Stop], Answer]) -> Answer:
    """Do what looks at a stop as it goes. When the reader goes, the stop is pulled.

    Raises DomainError when too many wait already. Called from a synchronous view: its server
    cancels what it waits for when the connection is closed, and only that is told so.
    """
    if not _places.acquire(blocking=False):
        raise DomainError(
            "Too many searches wait at the moment. Try again in a few seconds.",
            code="busy",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
        )
    try:
        return async_to_sync(watched)(work)
    finally:
        _places.release()


async def watched(work: Callable[[Stop], Answer]) -> Answer:
    """In a thread of the pool; cancelled, it pulls the stop and waits until the work has ended."""
    stop = Stop()
    running = asyncio.get_running_loop().run_in_executor(pool(), work, stop)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.pull()
        await asyncio.wait([running])
        running.exception()  # what became of it is asked, though nobody reads it any more
        raise


async def in_turn(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Each piece is made in a thread; the server does other work between them.

    Nothing more is made when the reader goes.
    """
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        yield piece
