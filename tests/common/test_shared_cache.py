"""Connections to Redis that threads share."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.cache import cache, caches


def use_cache(number: int) -> tuple[int, Any]:
    """The id of the connection that a thread used, and the value that it read."""
    shared: Any = caches["default"]
    cache.set(f"number-{number}", number)
    return shared._cache.get_client().client_id(), cache.get(f"number-{number}")


def test_threads_use_the_connections_of_earlier_threads() -> None:
    connections = set()
    for number in range(5):
        with ThreadPoolExecutor(1) as one_thread:
            connection, value = one_thread.submit(use_cache, number).result()
        assert value == number
        connections.add(connection)
    assert len(connections) == 1
