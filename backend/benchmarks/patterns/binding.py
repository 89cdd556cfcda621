"""A pattern in the words of one graph: numbers of its types, relations and entities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from backend.benchmarks.patterns.shapes import Pattern, PatternEdge, PatternNode
from backend.benchmarks.reading import Faults, shown
from backend.common.errors import DomainError
from backend.graphs.identifiers import canonical
from backend.graphs.importers.ckg import identifier_of
from backend.graphs.importers.ckg_words import PREFIXES
from backend.graphs.snapshots.view import GraphView

Find = Callable[[GraphView, PatternNode], int | None]
NOT_THERE = -1


class PatternUnknown(DomainError):
    """The graph lacks something that the pattern names."""

    code = "pattern_unknown"


@dataclass(frozen=True, slots=True)
class BoundEdge:
    """`both`: the relation is symmetric, so that an edge matches whichever way it is stored."""

    start: int
    end: int
    relation: int
    both: bool

    def other(self, nid: int) -> int:
        return self.end if nid == self.start else self.start


@dataclass(frozen=True)
class Bound:
    """By a node's nid: the number of its type, and of the entity where it names one."""

    pattern: Pattern
    types: Mapping[int, int]
    entities: Mapping[int, int]
    edges: tuple[BoundEdge, ...]

    def edges_at(self, nid: int) -> tuple[BoundEdge, ...]:
        return tuple(edge for edge in self.edges if nid in (edge.start, edge.end))


def spellings_of(identifier: str, type_: str) -> list[str]:
    """As written, as the field writes it, and as the tables of the Clinical Knowledge Graph do."""
    found = [identifier, canonical(identifier)]
    if type_ in PREFIXES:
        found.append(identifier_of(type_, identifier))
    return list(dict.fromkeys(one for one in found if one))


def entity_named(view: GraphView, node: PatternNode) -> int | None:
    """The entity with the identifier, in one of its spellings."""
    found = (view.number_of(one) for one in spellings_of(node.id, node.type))
    return next((number for number in found if number is not None), None)


def bind(view: GraphView, pattern: Pattern, find: Find = entity_named) -> Bound:
    """Raises PatternUnknown, which names every node and edge that the graph does not have.

    Names of types and relations may differ from the graph's in case and underscores alone.
    """
    faults = Faults()
    types = _by_name(view.types)
    relations = _by_name([one.name for one in view.relations])
    found = {node.nid: _type(types, node, faults) for node in pattern.nodes}
    entities = {
        node.nid: _entity(view, find(view, node), found[node.nid], node, faults)
        for node in pattern.nodes
        if not node.is_variable
    }
    edges = tuple(
        _edge(view, relations, place, edge, faults) for place, edge in enumerate(pattern.edges)
    )
    if faults.total:
        detail = f"The graph does not have what this pattern names. {faults.listed[0].message}"
        raise PatternUnknown(detail, faults=faults.listed)
    return Bound(pattern, found, entities, edges)


def _by_name(names: Sequence[str]) -> dict[str, int]:
    """Exact names, and behind them the names as they are loosely written, where that is one."""
    found: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        found.setdefault(loosely(name), []).append(number)
    once = {name: numbers[0] for name, numbers in found.items() if len(numbers) == 1}
    return {**once, **{name: number for number, name in enumerate(names)}}


def loosely(name: str) -> str:
    """Equal for two names that differ in case and underscores alone."""
    return name.casefold().replace("_", " ")


def _number(names: Mapping[str, int], name: str) -> int:
    return names.get(name, names.get(loosely(name), NOT_THERE))


def _type(types: Mapping[str, int], node: PatternNode, faults: Faults) -> int:
    found = _number(types, node.type)
    if found == NOT_THERE:
        message = f"This graph has no entities of the type '{shown(node.type)}'."
        faults.add(f"node {node.nid}, class", message, code="no_type")
    return found


def _entity(
    view: GraphView, number: int | None, kind: int, node: PatternNode, faults: Faults
) -> int:
    if number is None:
        message = f"This graph has no entity '{shown(node.id)}' ({shown(node.name)})."
        faults.add(f"node {node.nid}, id", message, code="no_entity")
        return NOT_THERE
    if kind not in (NOT_THERE, int(view.type_of[number])):
        is_a = view.types[int(view.type_of[number])]
        message = f"'{shown(node.id)}' is a {shown(is_a)} in this graph."
        faults.add(f"node {node.nid}, class", message, shown(is_a), "other_type")
    return number


def _edge(
    view: GraphView, relations: Mapping[str, int], place: int, edge: PatternEdge, faults: Faults
) -> BoundEdge:
    found = _number(relations, edge.relation)
    if found == NOT_THERE:
        message = f"This graph has no relation '{shown(edge.relation)}'."
        faults.add(f"edge {place}, friendly_name", message, code="no_relation")
        return BoundEdge(edge.start, edge.end, found, both=False)
    return BoundEdge(edge.start, edge.end, found, view.relations[found].symmetric)
