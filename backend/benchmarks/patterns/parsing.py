"""Patterns from `graph_query` of SerenQA's files, and back.

    {"nodes": [{"nid": 0, "node_type": "class", "id": "Protein", "class": "Protein",
                "friendly_name": "Protein", "question_node": 1, "function": "none"}, …],
     "edges": [{"start": 0, "end": 1, "relation": "Protein.Disease",
                "friendly_name": "ASSOCIATED_WITH"}, …]}

A node of the type "class" may be any entity of its class; the relation is what `friendly_name`
of an edge says. Sizes are bounded: a pattern is run on graphs of millions of edges.
"""

from __future__ import annotations

from collections.abc import Sequence

from backend.benchmarks.patterns.shapes import Kind, Pattern, PatternEdge, PatternNode, reached
from backend.benchmarks.reading import MISSING, Node
from backend.common.words import counted

QUERY_FIELDS = ("nodes", "edges")
NODE_FIELDS = ("nid", "node_type", "id", "class", "friendly_name", "question_node", "function")
EDGE_FIELDS = ("start", "end", "relation", "friendly_name")
MOST_NODES = 12
MOST_EDGES = 16
LONGEST_TEXT = 2_000
LARGEST_NID = 1_000_000


def read_pattern(node: Node) -> Pattern | None:
    """The pattern, or None with every reason among the node's faults. Unknown fields are kept
    by whoever keeps the record; here they mean nothing."""
    if node.object(QUERY_FIELDS, _ignored) is None:
        return None
    before = node.faults.total
    nodes = [
        _read_node(one)
        for one in node.field("nodes").items(2, MOST_NODES, "nodes")
        if one.object(NODE_FIELDS, _ignored)
    ]
    edges = [
        _read_edge(one)
        for one in node.field("edges").items(1, MOST_EDGES, "edges")
        if one.object(EDGE_FIELDS, _ignored)
    ]
    if node.faults.total == before:
        _check(node, nodes, edges)
    return Pattern(tuple(nodes), tuple(edges)) if node.faults.total == before else None


def graph_query_of(pattern: Pattern) -> dict[str, object]:
    """The pattern as the files have it."""
    types = {node.nid: node.type for node in pattern.nodes}
    return {
        "nodes": [
            {
                "nid": node.nid,
                "node_type": node.kind,
                "id": node.id,
                "class": node.type,
                "friendly_name": node.name,
                "question_node": int(node.asked),
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
            }
            for edge in pattern.edges
        ],
    }


def identifier(node: Node) -> str:
    """An identifier is text; a number that somebody wrote without quotes is read as one."""
    if type(node.value) is int:
        return str(node.value)
    return node.text(LONGEST_TEXT)


def _ignored(name: str) -> None:
    """Unknown fields are no fault."""


def _read_node(node: Node) -> PatternNode:
    kind = _kind(node.field("node_type"))
    asked = _flag(node.field("question_node"))
    if asked and kind == "entity":
        node.field("question_node").wrong(
            "A named entity cannot be what is asked for.", "0, or a node of the type class"
        )
    return PatternNode(
        nid=node.field("nid").whole(0, LARGEST_NID),
        kind=kind,
        id=identifier(node.field("id")),
        type=node.field("class").text(LONGEST_TEXT),
        name=_optional(node.field("friendly_name")),
        asked=asked,
    )


def _read_edge(node: Node) -> PatternEdge:
    return PatternEdge(
        start=node.field("start").whole(0, LARGEST_NID),
        end=node.field("end").whole(0, LARGEST_NID),
        relation=node.field("friendly_name").text(LONGEST_TEXT),
    )


def _kind(node: Node) -> Kind:
    if node.value == "entity":
        return "entity"
    if node.value != "class":
        node.wrong("This kind of node is not known.", "'class' or 'entity'")
    return "class"


def _flag(node: Node) -> bool:
    if node.value not in (0, 1):  # true and false are equal to them
        node.wrong("This says neither that the node is asked for nor that it is not.", "0 or 1")
    return node.value == 1


def _optional(node: Node) -> str:
    if node.value is MISSING or node.value is None:
        return ""
    return node.text(LONGEST_TEXT, empty=True)


def _check(node: Node, nodes: Sequence[PatternNode], edges: Sequence[PatternEdge]) -> None:
    """What no single field shows: numbers given twice, loose ends, separate parts."""
    known: set[int] = set()
    for place, one in enumerate(nodes):
        if one.nid in known:
            message = f"The number {one.nid} is that of a node before."
            _at(node, f"nodes[{place}].nid").wrong(message, "each number once", "repeated")
        known.add(one.nid)
    for place, edge in enumerate(edges):
        for end in ("start", "end"):
            if getattr(edge, end) not in known:
                message = f"There is no node {getattr(edge, end)}."
                _at(node, f"edges[{place}].{end}").wrong(message, "the nid of a node", "no_node")
        if edge.start == edge.end:
            message = "This edge ends at the node where it begins."
            _at(node, f"edges[{place}]").wrong(message, "an edge between two nodes")
    if not any(one.asked for one in nodes):
        _at(node, "nodes").wrong("No node is asked for.", "a node whose question_node is 1")
    if {edge.start for edge in edges} | {edge.end for edge in edges} <= known:
        _check_whole(node, Pattern(tuple(nodes), tuple(edges)))


def _check_whole(node: Node, pattern: Pattern) -> None:
    loose = len({one.nid for one in pattern.nodes} - reached(pattern))
    if loose:
        message = f"{counted(loose, 'node')} cannot be reached from the first over the edges."
        node.wrong(message, "a pattern that hangs together", "not_connected")


def _at(node: Node, path: str) -> Node:
    return Node(node.value, node.where, node.faults, f"{node.path}.{path}".lstrip("."))
