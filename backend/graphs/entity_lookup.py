"""Which entity of a graph the identifier of a file, a query or a prediction means."""

from collections.abc import Collection

from backend.graphs.identifiers import canonicalize, scheme_of_curie
from backend.graphs.importers.identifier_variants import identifier_variants
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.normal_form import normalize_name


def find_numbers(view: GraphView, identifier: str, types: Collection[str] = ()) -> list[int]:
    """Entities whose identifier it is: as written, as a CURIE, or as importers write it for a type.

    types: entities of other types are left out; names are compared without case and underscores.
    Without types, an identifier of the graph or a CURIE means one entity; any other may mean one
    of each type, digits alone above all.
    """
    if not types:
        for spelling in (identifier, canonicalize(identifier)):
            if (own := view.find_number(spelling)) is not None:
                return [own]
        if scheme_of_curie(identifier):
            return []
    numbers = (
        number
        for type_ in types or view.types
        for spelling in identifier_variants(identifier, type_)
        if (number := view.find_number(spelling)) is not None
        and normalize_name(view.types[view.type_of[number]]) == normalize_name(type_)
    )
    return list(dict.fromkeys(numbers))


def find_entity(view: GraphView, identifier: str, types: Collection[str] = ()) -> int | None:
    """The first of `find_numbers`. Without types, None if there are several."""
    numbers = find_numbers(view, identifier, types)
    return numbers[0] if len(numbers) == 1 or (numbers and types) else None


def find_identifier(view: GraphView, identifier: str, types: Collection[str] = ()) -> str:
    """The graph's own identifier of the entity; the text itself if the graph has no such entity."""
    number = find_entity(view, identifier, types)
    return identifier if number is None else view.entity_summary(number).id
