"""Patterns from `graph_query` of SerenQA's files, and back.

    {"nodes": [{"nid": 0, "node_type": "class", "id": "Protein", "class": "Protein",
                "friendly_name": "Protein", "question_node": 1, "function": "none"}, …],
     "edges": [{"start": 0, "end": 1, "relation": "Protein.Disease",
                "friendly_name": "ASSOCIATED_WITH"}, …]}

A node of the type "class" may be any entity of its class; the relation is the `friendly_name` of
an edge. An edge with "negated": 1 must not exist. Sizes are limited, because a pattern is run on
graphs of millions of edges.
"""

import json
from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, PlainValidator, model_validator
from pydantic_core import InitErrorDetails

from backend.tracks.serenqa_patterns import (
    NodeKind,
    Pattern,
    PatternEdge,
    PatternNode,
    find_negated_leaf,
    reachable_nodes,
)
from backend.validation.faults import FaultList
from backend.validation.json_files import (
    FileModel,
    JsonObject,
    check_text,
    error_at,
    integer_field,
    is_absent,
    list_field,
    optional_text_field,
    raise_errors,
    text_field,
    validate,
    value_error,
)

MAX_NODES = 12
MAX_EDGES = 16
MAX_TEXT_LENGTH = 2_000
MAX_NID = 1_000_000


def check_identifier(value: object) -> str:
    """An identifier is text; an integer without quotes is accepted as one."""
    return str(value) if type(value) is int else check_text(value, MAX_TEXT_LENGTH)


def _check_kind(value: object) -> NodeKind:
    if value == "entity":
        return "entity"
    if value != "class":
        raise value_error("This kind of node is not known.", "'class' or 'entity'")
    return "class"


def _check_flag(value: object) -> bool:
    if value not in (0, 1):  # equal to false and true
        raise value_error("It is not stated whether the node is a target.", "0 or 1")
    return value == 1


def _check_negated(value: object) -> bool:
    if is_absent(value):
        return False
    if value not in (0, 1):  # equal to false and true
        raise value_error("It is not stated whether the edge is negated.", "0 or 1")
    return value == 1


class NodeModel(FileModel):
    nid: Annotated[int, integer_field(0, MAX_NID)]
    kind: Annotated[NodeKind, PlainValidator(_check_kind)] = Field(alias="node_type")
    id: Annotated[str, PlainValidator(check_identifier)]
    type: Annotated[str, text_field(MAX_TEXT_LENGTH)] = Field(alias="class")
    name: Annotated[str, optional_text_field(MAX_TEXT_LENGTH)] = Field(alias="friendly_name")
    is_target: Annotated[bool, PlainValidator(_check_flag)] = Field(alias="question_node")

    @model_validator(mode="after")
    def _check_target(self) -> Self:
        if self.is_target and self.kind == "entity":
            message = "A named entity cannot be a target."
            expected = "0, or a node of the type class"
            raise_errors([error_at(("question_node",), message, expected)])
        return self


class EdgeModel(FileModel):
    start: Annotated[int, integer_field(0, MAX_NID)]
    end: Annotated[int, integer_field(0, MAX_NID)]
    relation: Annotated[str, text_field(MAX_TEXT_LENGTH)] = Field(alias="friendly_name")
    is_negated: Annotated[bool, PlainValidator(_check_negated)] = Field(alias="negated")


class GraphQuery(FileModel):
    nodes: Annotated[tuple[NodeModel, ...], list_field(2, MAX_NODES, "nodes")]
    edges: Annotated[tuple[EdgeModel, ...], list_field(1, MAX_EDGES, "edges")]

    @model_validator(mode="after")
    def _check_graph(self) -> Self:
        if errors := [*_graph_errors(self)]:
            raise_errors(errors)
        return self

    def pattern(self) -> Pattern:
        nodes = (
            PatternNode(one.nid, one.kind, one.id, one.type, one.name, one.is_target)
            for one in self.nodes
        )
        edges = (
            PatternEdge(one.start, one.end, one.relation, one.is_negated) for one in self.edges
        )
        return Pattern(tuple(nodes), tuple(edges))


def to_file_value(value: object) -> object:
    """A value that JSON has, with its objects as files of FileModels have them."""
    parsed: object = json.loads(json.dumps(value), object_pairs_hook=JsonObject)
    return parsed


GraphQueryField = Annotated[GraphQuery, BeforeValidator(to_file_value)]
"""Of a row, whose reader makes plain objects."""


def parse_pattern(value: object, place: str, faults: FaultList) -> Pattern | None:
    """The pattern, or None with every fault added. Unknown fields are ignored."""
    query = validate(GraphQuery, value, place, faults)
    return query.pattern() if query else None


def pattern_to_graph_query(pattern: Pattern) -> dict[str, object]:
    types = {node.nid: node.type for node in pattern.nodes}
    return {
        "nodes": [
            {
                "nid": node.nid,
                "node_type": node.kind,
                "id": node.id,
                "class": node.type,
                "friendly_name": node.name,
                "question_node": int(node.is_target),
                "function": "none",
            }
            for node in pattern.nodes
        ],
        "edges": [
            {
                "start": edge.start,
                "end": edge.end,
                "relation": f"{types[edge.start]}.{types[edge.end]}",
                "friendly_name": edge.relation,
                **({"negated": 1} if edge.is_negated else {}),
            }
            for edge in pattern.edges
        ],
    }


def _graph_errors(query: GraphQuery) -> Iterator[InitErrorDetails]:
    """Faults of the whole: repeated node numbers, dangling edges, separate parts."""
    known: set[int] = set()
    for place, node in enumerate(query.nodes):
        if node.nid in known:
            message = f"Another node already has the number {node.nid}."
            yield error_at(("nodes", place, "nid"), message, "each number once", "repeated")
        known.add(node.nid)
    for place, edge in enumerate(query.edges):
        yield from _edge_errors(edge, place, known)
    if not any(one.is_target for one in query.nodes):
        yield error_at(("nodes",), "No node is a target.", "a node whose question_node is 1")
    if {one.start for one in query.edges} | {one.end for one in query.edges} <= known:
        pattern = query.pattern()
        for place, one in enumerate(pattern.edges):
            if one.is_negated and find_negated_leaf(pattern, one) is None:
                message = "This negated edge does not lead to a node of its own."
                expected = "a node that is no target and has no other edge"
                yield error_at(("edges", place, "negated"), message, expected, "no_leaf")
        loose = len({one.nid for one in pattern.nodes} - reachable_nodes(pattern))
        if loose:
            count = "1 node" if loose == 1 else f"{loose} nodes"
            message = f"{count} cannot be reached from the first over the edges."
            yield error_at((), message, "a connected pattern", "not_connected")


def _edge_errors(edge: EdgeModel, place: int, known: set[int]) -> Iterator[InitErrorDetails]:
    for name, end in (("start", edge.start), ("end", edge.end)):
        if end not in known:
            message = f"There is no node {end}."
            yield error_at(("edges", place, name), message, "the nid of a node", "no_node")
    if edge.start == edge.end:
        message = "This edge ends at the node where it begins."
        yield error_at(("edges", place), message, "an edge between two nodes")
