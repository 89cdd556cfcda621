"""How a data set's files and predictions may spell the entities of a graph."""

from functools import lru_cache

from backend.graphs.entity_lookup import find_entity, find_numbers
from backend.graphs.importers.identifier_variants import identifier_variants
from backend.graphs.snapshots.graph_view import GraphView, relation_range
from backend.runtime.normal_form import normalize_name
from backend.tracks.item_table import EdgeFinder, EntityFinder, SpellingFinder

MOST_IN_MEMORY = 100_000


def spelling_finder(view: GraphView | None, *, assumes_missing: bool = False) -> SpellingFinder:
    """An entity that the graph lacks has no spellings, or those that its type gives it if
    `assumes_missing`. Without a graph every entity counts as known.
    """

    def find_spellings(identifier: str, type_: str) -> list[str] | None:
        variants = identifier_variants(identifier, type_)
        number = None if view is None else find_entity(view, identifier, [type_])
        if view is not None and number is not None:
            return list(dict.fromkeys((*variants, view.entity_summary(number).id)))
        return variants if view is None or assumes_missing else None

    return find_spellings


def entity_finder(view: GraphView) -> EntityFinder:
    @lru_cache(MOST_IN_MEMORY)
    def find_entities(identifier: str) -> dict[str, str]:
        entities = map(view.entity_summary, find_numbers(view, identifier))
        return {one.type: one.id for one in entities}

    return find_entities


def edge_finder(view: GraphView) -> EdgeFinder:
    """A relation is named as the graph names it or by a phrase of it, in any case."""
    relations: dict[str, set[int]] = {}
    for one in view.relations:
        for name in (one.name, one.forward, one.backward):
            relations.setdefault(normalize_name(name), set()).add(one.number)

    @lru_cache(MOST_IN_MEMORY)
    def numbers_of(identifier: str) -> tuple[int, ...]:
        return tuple(find_numbers(view, identifier))

    @lru_cache(MOST_IN_MEMORY)
    def has_edge(source: str, relation: str, target: str) -> bool:
        known = relations.get(normalize_name(relation), set())
        return any(
            is_linked(view, one, number, other)
            for number in known
            for one in numbers_of(source)
            for other in numbers_of(target)
        )

    return has_edge


def is_linked(view: GraphView, one: int, relation: int, other: int) -> bool:
    for outgoing in (True, False):
        row = view.row(one, outgoing=outgoing)
        first, last = relation_range(row, relation)
        if (row.neighbours[first:last] == other).any():
            return True
    return False
