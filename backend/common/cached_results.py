"""Results that are slow to compute and may be lost: without Redis they are computed each time."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.core.cache import cache

from backend.common.queue import CONNECTION_ERRORS

Result = TypeVar("Result")


def get_or_compute(key: str, compute: Callable[[], Result], *, timeout_s: float) -> Result:
    """key: names all that the result depends on but what may be outdated for timeout_s."""
    try:
        stored: tuple[Result] | None = cache.get(key)
    except CONNECTION_ERRORS:
        return compute()
    if stored is not None:
        return stored[0]
    result = compute()
    with suppress(*CONNECTION_ERRORS):
        cache.set(key, (result,), timeout_s)
    return result
