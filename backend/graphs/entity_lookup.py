"""Which entity of a graph the identifier of a file, a query or a prediction means."""

from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from itertools import chain

from backend.graphs.identifiers import canonicalize, scheme_of_curie
from backend.graphs.importers.identifier_variants import identifier_variants
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.normal_form import normalize_name

MOST_TYPES = 1_000
FIRST_LOOKED_UP = 20  # ten times as many in each later part: few parts, and little for nothing
NumberFinder = Callable[[str], int | None]


def find_numbers(view: GraphView, identifier: str, types: Collection[str] = ()) -> list[int]:
    """Entities whose identifier it is: as written, as a CURIE, or as importers write it for a type.

    types: entities of other types are left out; names are compared without case and underscores.
    Without types, an identifier of the graph or a CURIE means one entity; any other may mean one
    of each type, digits alone above all.
    """
    return _choose_numbers(view, identifier, types, cache(view.find_number))


def find_numbers_of_each(
    snapshot: Snapshot, identifiers: Collection[str], types: Collection[str] = ()
) -> dict[str, list[int]]:
    """`find_numbers` of each, with all spellings looked up at once."""
    kinds = types or snapshot.types
    spellings = {one: identifier_variants(one, *kinds) for one in identifiers}
    distinct = list(dict.fromkeys(chain.from_iterable(spellings.values())))
    if not distinct:
        return {one: [] for one in identifiers}
    pairs = zip(distinct, snapshot.find_numbers(distinct).tolist(), strict=True)
    numbers = {spelling: number for spelling, number in pairs if number >= 0}
    return {
        one: []
        if numbers.keys().isdisjoint(own)
        else _choose_numbers(snapshot, one, types, numbers.get)
        for one, own in spellings.items()
    }


def is_any_known(snapshot: Snapshot, identifiers: Sequence[str]) -> bool:
    """Whether any of them is an entity's; the rest is not looked up once one is."""
    start, count = 0, FIRST_LOOKED_UP
    while start < len(identifiers):
        part = identifiers[start : start + count]
        if any(find_numbers_of_each(snapshot, part).values()):
            return True
        start, count = start + count, count * 10
    return False


def _choose_numbers(
    view: GraphView, identifier: str, types: Collection[str], find: NumberFinder
) -> list[int]:
    if not types:
        for spelling in (identifier, canonicalize(identifier)):
            if (own := find(spelling)) is not None:
                return [own]
        if scheme_of_curie(identifier):
            return []
    numbers = (
        number
        for type_ in types or view.types
        for spelling in identifier_variants(identifier, type_)
        if (number := find(spelling)) is not None
        and _normalize_type(view.types[view.type_of[number]]) == _normalize_type(type_)
    )
    return list(dict.fromkeys(numbers))


@lru_cache(MOST_TYPES)
def _normalize_type(type_: str) -> str:
    return normalize_name(type_)


def find_entity(view: GraphView, identifier: str, types: Collection[str] = ()) -> int | None:
    """The first of `find_numbers`. Without types, None if there are several."""
    return _choose_one(find_numbers(view, identifier, types), types)


def _choose_one(numbers: Sequence[int], types: Collection[str]) -> int | None:
    return numbers[0] if len(numbers) == 1 or (numbers and types) else None


def find_identifier(view: GraphView, identifier: str, types: Collection[str] = ()) -> str:
    """The graph's own identifier of the entity; the text itself if the graph has no such entity."""
    number = find_entity(view, identifier, types)
    return identifier if number is None else view.entity_summary(number).id


def find_identifiers(
    snapshot: Snapshot, identifiers: Collection[str], types: Collection[str] = ()
) -> dict[str, str]:
    """`find_identifier` of each, looked up at once."""
    each = find_numbers_of_each(snapshot, identifiers, types)
    chosen = {one: _choose_one(numbers, types) for one, numbers in each.items()}
    return {
        one: one if number is None else snapshot.entity_summary(number).id
        for one, number in chosen.items()
    }
