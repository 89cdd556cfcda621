"""Hundreds of users over real HTTP: shared by the load journeys and the benchmarks."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def play(journey: Coroutine[Any, Any, Any]) -> Any:
    """Run a journey to its end in a separate thread: a browser driver may occupy this thread's
    loop.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, journey).result()
