"""Results that are slow to compute and may be lost: without Redis they are computed each time.

They outlive a deployment. What is stored under a key is therefore of one form: the key has a digest
of the fields of its dataclasses, so that a result of an earlier form is computed again.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from hashlib import sha256
from typing import Any, TypeVar, get_args, get_type_hints

from django.core.cache import cache

from backend.common.queue import CONNECTION_ERRORS

Result = TypeVar("Result")
Name = TypeVar("Name")


def get_or_compute(
    key: str, compute: Callable[[], Result], *, form: type[object], timeout_s: float
) -> Result:
    """key: names all that the result depends on but what may be outdated for timeout_s. form: the
    class of the result, where it is not None."""
    key = key_of_form(key, form)
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


def read_cached(keys: Mapping[Name, str], *, form: type[object]) -> dict[Name, Any]:
    """What is stored under these keys, by the names that they have here."""
    keys = {name: key_of_form(key, form) for name, key in keys.items()}
    try:
        stored: Mapping[str, tuple[Any]] = cache.get_many([*keys.values()])
    except CONNECTION_ERRORS:
        return {}
    return {name: stored[key][0] for name, key in keys.items() if key in stored}


def store_cached(results: Mapping[str, Any], *, form: type[object], timeout_s: float) -> None:
    rows = {key_of_form(key, form): (result,) for key, result in results.items()}
    with suppress(*CONNECTION_ERRORS):
        cache.set_many(rows, timeout_s)


def key_of_form(key: str, form: type[object]) -> str:
    return f"{key}-{_digest_of_form(form)}"


def _digest_of_form(form: type[object]) -> str:
    if form not in _digests:
        fields = "\n".join(_list_fields(form, set()))
        _digests[form] = sha256(fields.encode()).hexdigest()[:16]
    return _digests[form]


_digests: dict[type[object], str] = {}


def _list_fields(form: object, listed: set[object]) -> Iterator[str]:
    """Of a type, its arguments and what its fields have, each dataclass once."""
    yield repr(form)
    for one in get_args(form):
        yield from _list_fields(one, listed)
    if is_dataclass(form) and form not in listed:
        listed.add(form)
        for name, hint in get_type_hints(form).items():
            yield name
            yield from _list_fields(hint, listed)
