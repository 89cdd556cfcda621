"""Results that are computed once while the cache has them, and each time without it."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, make_dataclass
from itertools import count
from types import GenericAlias

import pytest
from django.core.cache import caches
from redis.exceptions import ConnectionError as NoRedis

from backend.common.cached_results import get_or_compute, key_of_form, read_cached, store_cached

FIELDS: list[tuple[str, object]] = [("a", int), ("b", float)]


def refuse(*args: object, **kwargs: object) -> None:
    raise NoRedis


def cached(key: str, compute: Callable[[], int | None]) -> int | None:
    return get_or_compute(key, compute, form=int, timeout_s=60)


@pytest.fixture
def numbers() -> Iterator[int]:
    return count()


def test_a_result_is_computed_once_even_if_it_is_none(numbers: Iterator[int]) -> None:
    key = f"test-{uuid.uuid4()}"
    assert [cached(key, lambda: next(numbers)) for _ in range(3)] == [0] * 3
    other = f"test-{uuid.uuid4()}"
    values = iter([None, 1])
    assert [cached(other, lambda: next(values)) for _ in range(2)] == [
        None,
        None,
    ]


def test_without_redis_it_is_computed_each_time(
    numbers: Iterator[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(caches["default"]), "get", refuse)
    assert [cached("test", lambda: next(numbers)) for _ in range(2)] == [0, 1]


def test_a_result_that_cannot_be_stored_is_given(
    numbers: Iterator[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(caches["default"]), "set", refuse)
    key = f"test-{uuid.uuid4()}"
    assert [cached(key, lambda: next(numbers)) for _ in range(2)] == [0, 1]


@dataclass(frozen=True)
class Row:
    value: float


@dataclass(frozen=True)
class Table:
    rows: Sequence[Row] | None
    parts: "Table | None" = None


def changed(name: str, *fields: tuple[str, object]) -> type[object]:
    return make_dataclass(name, fields)


def test_a_result_of_an_earlier_form_is_computed_again(numbers: Iterator[int]) -> None:
    key = f"test-{uuid.uuid4()}"
    old, new = (changed("Figure", *fields) for fields in (FIELDS[:1], FIELDS))
    values = [
        get_or_compute(key, lambda: next(numbers), form=form, timeout_s=60)
        for form in (old, new, old)
    ]
    assert values == [0, 1, 0]
    store_cached({key: 5}, form=old, timeout_s=60)
    assert read_cached({"it": key}, form=old) == {"it": 5}
    store_cached({key: 6}, form=new, timeout_s=60)
    assert read_cached({"it": key}, form=old) == {"it": 5}


def test_the_form_is_that_of_all_dataclasses_in_it() -> None:
    row = changed("Row", ("value", float), ("unit", str))
    tables = [changed("Table", ("rows", GenericAlias(list, (one,)))) for one in (Row, row)]
    assert key_of_form("k", tables[0]) != key_of_form("k", tables[1])
    assert key_of_form("k", Table) == key_of_form("k", Table)  # which refers to itself
    assert len({key_of_form("k", one) for one in (Row, row, Table, int)}) == 4
