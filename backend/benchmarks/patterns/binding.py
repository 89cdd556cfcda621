"""Binding: replaces the types, relations and entities of a pattern by their numbers in a graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backend.common.errors import DomainError
from backend.graphs.entity_lookup import find_entity
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.normal_form import normalize_name
from backend.tracks.serenqa_patterns import (
    Pattern,
    PatternEdge,
    PatternNode,
    find_negated_leaf,
)
from backend.validation.faults import FaultList, printable

NOT_FOUND = -1
NO_LEAF = "This negated edge does not lead to a node of its own."
LEAF_EXPECTED = "a node that is no target and has no other edge"


class PatternUnknown(DomainError):
    code = "pattern_unknown"


@dataclass(frozen=True, slots=True)
class BoundEdge:
    """`is_symmetric`: an edge matches in both directions."""

    start: int
    end: int
    relation: int
    is_symmetric: bool

    def other(self, nid: int) -> int:
        return self.end if nid == self.start else self.start


@dataclass(frozen=True)
class BoundPattern:
    """Numbers of types and of named entities, by node id.

    negations: edges that must not exist, by the node at their leaf; the others are in `edges`.
    """

    pattern: Pattern
    types: Mapping[int, int]
    entities: Mapping[int, int]
    edges: tuple[BoundEdge, ...]
    negations: Mapping[int, BoundEdge] = field(default_factory=dict)

    def edges_at(self, nid: int) -> tuple[BoundEdge, ...]:
        return tuple(edge for edge in self.edges if nid in (edge.start, edge.end))


def bind_pattern(view: GraphView, pattern: Pattern) -> BoundPattern:
    """Raises PatternUnknown with a fault for every node and edge that the graph does not have.

    Names of types and relations may differ from the graph's in case and underscores.
    """
    faults = FaultList()
    types = _index_names(view.types)
    relations = _index_names([one.name for one in view.relations])
    result = {node.nid: _bind_type(types, node, faults) for node in pattern.nodes}
    entities = {
        node.nid: _bind_entity(view, result[node.nid], node, faults)
        for node in pattern.nodes
        if not node.is_variable
    }
    edges: list[BoundEdge] = []
    negations: dict[int, BoundEdge] = {}
    for place, edge in enumerate(pattern.edges):
        bound = _bind_edge(view, relations, place, edge, faults)
        if not edge.is_negated:
            edges.append(bound)
        elif (leaf := find_negated_leaf(pattern, edge)) is not None:
            negations[leaf] = bound
        else:
            faults.add(f"edge {place}, negated", NO_LEAF, LEAF_EXPECTED, "no_leaf")
    if faults.total:
        detail = f"The graph lacks a name that this pattern uses. {faults.listed[0].message}"
        raise PatternUnknown(detail, faults=faults.listed)
    return BoundPattern(pattern, result, entities, tuple(edges), negations)


def _index_names(names: Sequence[str]) -> dict[str, int]:
    """Numbers by exact name, and by normalized name where that is unique."""
    result: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        result.setdefault(normalize_name(name), []).append(number)
    once = {name: numbers[0] for name, numbers in result.items() if len(numbers) == 1}
    return {**once, **{name: number for number, name in enumerate(names)}}


def _find_number(names: Mapping[str, int], name: str) -> int:
    return names.get(name, names.get(normalize_name(name), NOT_FOUND))


def _bind_type(types: Mapping[str, int], node: PatternNode, faults: FaultList) -> int:
    result = _find_number(types, node.type)
    if result == NOT_FOUND:
        message = f"This graph has no entities of the type '{printable(node.type)}'."
        faults.add(f"node {node.nid}, class", message, code="no_type")
    return result


def _bind_entity(view: GraphView, kind: int, node: PatternNode, faults: FaultList) -> int:
    number = find_entity(view, node.id, [node.type])
    if number is None:
        number = find_entity(view, node.id)  # of another type
    if number is None:
        message = f"This graph has no entity '{printable(node.id)}' ({printable(node.name)})."
        faults.add(f"node {node.nid}, id", message, code="no_entity")
        return NOT_FOUND
    if kind not in (NOT_FOUND, int(view.type_of[number])):
        is_a = view.types[int(view.type_of[number])]
        message = f"'{printable(node.id)}' is a {printable(is_a)} in this graph."
        faults.add(f"node {node.nid}, class", message, printable(is_a), "other_type")
    return number


def _bind_edge(
    view: GraphView, relations: Mapping[str, int], place: int, edge: PatternEdge, faults: FaultList
) -> BoundEdge:
    result = _find_number(relations, edge.relation)
    if result == NOT_FOUND:
        message = f"This graph has no relation '{printable(edge.relation)}'."
        faults.add(f"edge {place}, friendly_name", message, code="no_relation")
        return BoundEdge(edge.start, edge.end, result, is_symmetric=False)
    return BoundEdge(edge.start, edge.end, result, view.relations[result].symmetric)
