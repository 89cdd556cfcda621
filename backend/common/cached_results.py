"""Results that are slow to compute and may be lost: without Redis they are computed each time."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from django.core.cache import cache

from backend.common.queue import CONNECTION_ERRORS

Result = TypeVar("Result")
Name = TypeVar("Name")


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


def read_cached(keys: Mapping[Name, str]) -> dict[Name, Any]:
    """What is stored under these keys, by the names that they have here."""
    try:
        stored: Mapping[str, tuple[Any]] = cache.get_many([*keys.values()])
    except CONNECTION_ERRORS:
        return {}
    return {name: stored[key][0] for name, key in keys.items() if key in stored}


def store_cached(results: Mapping[str, Any], *, timeout_s: float) -> None:
    with suppress(*CONNECTION_ERRORS):
        cache.set_many({key: (result,) for key, result in results.items()}, timeout_s)
