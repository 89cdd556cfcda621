"""Results that are computed once while the cache has them, and each time without it."""

import uuid
from collections.abc import Iterator
from itertools import count

import pytest
from django.core.cache import caches
from redis.exceptions import ConnectionError as NoRedis

from backend.common.cached_results import get_or_compute


def refuse(*args: object, **kwargs: object) -> None:
    raise NoRedis


@pytest.fixture
def numbers() -> Iterator[int]:
    return count()


def test_a_result_is_computed_once_even_if_it_is_none(numbers: Iterator[int]) -> None:
    key = f"test-{uuid.uuid4()}"
    assert [get_or_compute(key, lambda: next(numbers), timeout_s=60) for _ in range(3)] == [0] * 3
    other = f"test-{uuid.uuid4()}"
    values = iter([None, 1])
    assert [get_or_compute(other, lambda: next(values), timeout_s=60) for _ in range(2)] == [
        None,
        None,
    ]


def test_without_redis_it_is_computed_each_time(
    numbers: Iterator[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(caches["default"]), "get", refuse)
    assert [get_or_compute("test", lambda: next(numbers), timeout_s=60) for _ in range(2)] == [0, 1]


def test_a_result_that_cannot_be_stored_is_given(
    numbers: Iterator[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(caches["default"]), "set", refuse)
    key = f"test-{uuid.uuid4()}"
    assert [get_or_compute(key, lambda: next(numbers), timeout_s=60) for _ in range(2)] == [0, 1]
