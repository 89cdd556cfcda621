"""Identifiers of importers are computed once, but long texts of broken files are not stored."""

from collections.abc import Callable

import pytest

from backend.graphs.importers.ckg import format as ckg
from backend.graphs.importers.common.text_cache import MAX_CACHED, cache_short_texts
from backend.graphs.importers.hetionet import format as hetionet
from backend.graphs.importers.optimuskg import vocabulary as optimuskg
from backend.graphs.importers.primekg import vocabulary as primekg


def test_short_texts_are_computed_once_and_long_ones_each_time() -> None:
    calls: list[tuple[str, str]] = []

    @cache_short_texts(10)
    def join(first: str, second: str) -> str:
        calls.append((first, second))
        return first + second

    longest = "x" * MAX_CACHED
    for _ in range(2):
        assert join("a", longest) == "a" + longest
        assert join(longest + "x", "b") == longest + "xb"
        assert join("a", second="b") == "ab"
    assert calls.count(("a", longest)) == 1
    assert calls.count((longest + "x", "b")) == calls.count(("a", "b")) == 2


@pytest.mark.parametrize(
    ("make", "type_", "expected"),
    [
        (lambda _, raw: optimuskg.make_identifier(raw), "", "OPTIMUSKG:{}"),
        (ckg.make_identifier, "Disease", "DOID:{}"),
        (hetionet.make_identifier, "Gene", "NCBIGENE:{}"),
        (lambda type_, raw: primekg.make_identifiers(type_, raw)[0], "NCBI", "NCBIGENE:{}"),
    ],
    ids=["optimuskg", "ckg", "hetionet", "primekg"],
)
def test_every_importer_stores_short_identifiers_alone(
    make: Callable[[str, str], str], type_: str, expected: str
) -> None:
    for size, is_stored in ((MAX_CACHED, True), (MAX_CACHED + 1, False)):
        first, again = (make(type_, "9" * size) for _ in range(2))
        assert first.casefold() == again.casefold() == expected.format("9" * size).casefold()
        assert (first is again) == is_stored
