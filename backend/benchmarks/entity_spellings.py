"""How a data set's files and predictions may spell the entities of a graph."""

from collections.abc import Iterator
from functools import lru_cache

from backend.graphs.importers.identifier_variants import identifier_variants
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.normal_form import normalize_name
from backend.tracks.base import SpellingFinder, Spellings, TypeFinder

MOST_IN_MEMORY = 100_000


def spelling_finder(view: GraphView | None) -> SpellingFinder:
    """Without a graph every entity counts as known, with the CURIE that its type gives it."""

    def find_spellings(identifier: str, type_: str) -> list[str] | None:
        variants = identifier_variants(identifier, type_)
        if view is None:
            return variants
        names = (view.entity(number).id for number in _find_numbers(view, identifier, type_))
        own = next(names, None)
        return None if own is None else list(dict.fromkeys((*variants, own)))

    return find_spellings


def spellings_in(view: GraphView | None) -> Spellings:
    """As `spelling_finder`; an entity that the graph lacks has the CURIE that its type gives it."""
    find, assume = spelling_finder(view), spelling_finder(None)
    return lambda identifier, type_: find(identifier, type_) or assume(identifier, type_) or ()


def type_finder(view: GraphView) -> TypeFinder:
    @lru_cache(MOST_IN_MEMORY)
    def find_types(identifier: str) -> frozenset[str]:
        number = view.find_number(identifier)
        if number is not None:
            return frozenset({view.types[view.type_of[number]]})
        return frozenset(
            type_ for type_ in view.types for _ in _find_numbers(view, identifier, type_)
        )

    return find_types


def _find_numbers(view: GraphView, identifier: str, type_: str) -> Iterator[int]:
    """Entities of a type that an identifier may mean: as written, or as importers write it."""
    type_name = normalize_name(type_)
    for variant in identifier_variants(identifier, type_):
        number = view.find_number(variant)
        if number is not None and normalize_name(view.types[view.type_of[number]]) == type_name:
            yield number
