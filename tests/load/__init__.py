"""People by the hundred over real HTTP: what the load journeys and the benchmarks share."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def play(journey: Coroutine[Any, Any, Any]) -> Any:
    """Run it to its end, on a thread of its own: a browser's driver may hold this one's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, journey).result()
