"""Run long searches of a request in a bounded pool, and stop them when the client disconnects."""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from typing import TypeVar

from asgiref.sync import async_to_sync

from backend.common.errors import DomainError
from backend.runtime.cancellation import CancellationToken

ResultT = TypeVar("ResultT")
MAX_PENDING_SEARCHES = 32  # running and queued searches of one process
SEARCH_NICENESS = 10
_slots = threading.BoundedSemaphore(MAX_PENDING_SEARCHES)


@cache
def search_pool() -> ThreadPoolExecutor:
    """One thread per processor, created in the process that uses it."""
    return ThreadPoolExecutor(
        os.cpu_count() or 1, thread_name_prefix="graph", initializer=_lower_priority
    )


def _lower_priority() -> None:
    """Let requests that save answers have the processors first (Linux: priority per thread)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), SEARCH_NICENESS)


def run_cancellable(work: Callable[[CancellationToken], ResultT]) -> ResultT:
    """Run work that checks a Stop, which is set when the client disconnects.

    Raises DomainError if too many searches are queued. For synchronous views: the ASGI server
    cancels only what an async function awaits, so the work is awaited through async_to_sync.
    """
    with search_slot():
        return async_to_sync(run_in_pool)(work)


@contextmanager
def search_slot() -> Iterator[None]:
    """One of MAX_PENDING_SEARCHES. Raises DomainError if all are taken."""
    if not _slots.acquire(blocking=False):
        raise DomainError(
            "Too many searches are running. Try again in a few seconds.",
            code="busy",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
        )
    try:
        yield
    finally:
        _slots.release()


async def run_in_pool(work: Callable[[CancellationToken], ResultT]) -> ResultT:
    """Run in the pool. On cancellation, set the stop and wait until the work has ended."""
    stop = CancellationToken()
    running = asyncio.get_running_loop().run_in_executor(search_pool(), work, stop)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.cancel()
        await asyncio.wait([running])
        running.exception()  # retrieve the exception, or asyncio logs it as never retrieved
        raise


async def iterate_in_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Produce each piece in a thread, so that the event loop is free in between.

    The iteration ends when the client disconnects.
    """
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        yield piece
