"""A pattern as Cypher, with a clause for each node and edge, as SerenQA's files write it.

    MATCH (n0:Protein)
    MATCH (n1:Disease {id: "DOID:0110447"})
    MATCH (n0)-[:ASSOCIATED_WITH]->(n1)
    RETURN COLLECT(DISTINCT {id: n0.id, name: n0.name}) AS n0_targets

Entities are named by their identifiers, for a name may be that of several; their own queries use
names, and `by="name"` writes such a one. Every name in it is quoted: it comes from a file.
"""

from __future__ import annotations

import json
import re
from typing import Literal

from backend.benchmarks.patterns.binding import Bound
from backend.benchmarks.patterns.shapes import Pattern, PatternNode
from backend.graphs.cypher.naming import labels_of, names_of
from backend.graphs.snapshots.view import GraphView

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def cypher_of(pattern: Pattern, *, by: Literal["id", "name"] = "id") -> str:
    """In the pattern's own words, for a database that calls its types and relations the same."""
    matches = [f"MATCH {_node(node, by)}" for node in pattern.nodes]
    matches += [
        f"MATCH (n{edge.start})-[:{quoted_name(edge.relation)}]->(n{edge.end})"
        for edge in pattern.edges
    ]
    found = ", ".join(
        f"COLLECT(DISTINCT {{id: n{node.nid}.id, name: n{node.nid}.name}}) AS n{node.nid}_targets"
        for node in pattern.asked
    )
    return "\n".join([*matches, f"RETURN {found}"])


def cypher_for(view: GraphView, bound: Bound) -> str:
    """For the Cypher engine of this graph: a column of identifiers for each asked node.

    A symmetric relation is asked for without an arrow, for it is stored once.
    """
    labels = labels_of(view.types)
    names = names_of([one.name for one in view.relations], labels)
    matches = [
        f"MATCH (n{node.nid}:{quoted_name(labels[bound.types[node.nid]])}"
        f"{_identified(view, bound, node)})"
        for node in bound.pattern.nodes
    ]
    for edge in bound.edges:
        arrow = "-" if edge.both else "->"
        name = quoted_name(names[edge.relation])
        matches.append(f"MATCH (n{edge.start})-[:{name}]{arrow}(n{edge.end})")
    asked = ", ".join(f"n{node.nid}.id" for node in bound.pattern.asked)
    return "\n".join([*matches, f"RETURN DISTINCT {asked}"])


def quoted_name(name: str) -> str:
    return name if PLAIN.fullmatch(name) else "`" + name.replace("`", "``") + "`"


def quoted_text(text: str) -> str:
    """JSON's escapes are also Cypher's."""
    return json.dumps(text, ensure_ascii=False)


def _node(node: PatternNode, by: Literal["id", "name"]) -> str:
    if node.is_variable:
        return f"(n{node.nid}:{quoted_name(node.type)})"
    key = node.id if by == "id" else node.name
    return f"(n{node.nid}:{quoted_name(node.type)} {{{by}: {quoted_text(key)}}})"


def _identified(view: GraphView, bound: Bound, node: PatternNode) -> str:
    number = bound.entities.get(node.nid)
    return "" if number is None else f" {{id: {quoted_text(view.entity(number).id)}}}"
