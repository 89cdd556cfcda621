"""A pattern as a question, in a graph's own words: 'Which Gene is expressed in {1}?'."""

from __future__ import annotations

from collections.abc import Iterable

from backend.benchmarks.patterns.shapes import Pattern, PatternEdge, PatternNode
from backend.graphs.snapshots.view import GraphView


def sentence(view: GraphView, pattern: Pattern) -> str:
    """{1} stands for the name of node 1. Each relation needs its phrases, and no article fits every
    name, so that types and names stand as the graph has them."""
    phrases = {one.name: (one.forward, one.backward) for one in view.relations}

    def clause(node: PatternNode, edges: Iterable[PatternEdge]) -> str:
        """What is said of a node by edges to nodes behind it, the shortest first."""
        said = []
        for edge in edges:
            far = pattern.by_nid[edge.other(node.nid)]
            phrase = literal(phrases[edge.relation][edge.end == node.nid])
            said.append(f"{phrase} {thing(far, edge)}")
        return " and ".join(sorted(said, key=len))

    def thing(node: PatternNode, came: PatternEdge) -> str:
        behind = [edge for edge in pattern.edges_at(node.nid) if edge != came]
        if node.asked or any(pattern.by_nid[edge.other(node.nid)].asked for edge in behind):
            behind = []  # around a ring, whose other half is said by its own asked node
        if node.is_variable:
            return f"some {literal(node.type)} that {clause(node, behind)}"
        name = f"{{{node.nid}}}"
        return f"{name} (which {clause(node, behind)})" if behind else name

    asked = (
        f"which {literal(node.type)} {clause(node, pattern.edges_at(node.nid))}"
        for node in pattern.asked
    )
    text = ", and ".join(asked)
    return f"{text[0].upper()}{text[1:]}?"


def literal(text: str) -> str:
    """As it stands, where braces mark places for names."""
    return text.replace("{", "{{").replace("}", "}}")
