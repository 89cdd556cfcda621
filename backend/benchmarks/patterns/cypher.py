"""Patterns as Cypher queries, with a clause for each node and edge, as in SerenQA's files.

    MATCH (n0:Protein)
    MATCH (n1:Disease {id: "DOID:0110447"})
    MATCH (n0)-[:ASSOCIATED_WITH]->(n1)
    RETURN COLLECT(DISTINCT {id: n0.id, name: n0.name}) AS n0_targets

Entities are matched by identifier, because names are not unique; `by="name"` gives the form of
SerenQA's own queries. All names are quoted, since they come from files.
"""

import json
import re
from typing import Literal

from backend.benchmarks.patterns.pattern_types import Pattern, PatternNode

PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def pattern_to_cypher(pattern: Pattern, *, by: Literal["id", "name"] = "id") -> str:
    """A query with the type and relation names of the pattern itself."""
    matches = [f"MATCH {_node_clause(node, by)}" for node in pattern.nodes]
    matches += [
        f"MATCH (n{edge.start})-[:{quote_name(edge.relation)}]->(n{edge.end})"
        for edge in pattern.edges
    ]
    result = ", ".join(
        f"COLLECT(DISTINCT {{id: n{node.nid}.id, name: n{node.nid}.name}}) AS n{node.nid}_targets"
        for node in pattern.targets
    )
    return "\n".join([*matches, f"RETURN {result}"])


def quote_name(name: str) -> str:
    return name if PLAIN_NAME.fullmatch(name) else "`" + name.replace("`", "``") + "`"


def quote_text(text: str) -> str:
    """Cypher has the same escapes as JSON."""
    return json.dumps(text, ensure_ascii=False)


def _node_clause(node: PatternNode, by: Literal["id", "name"]) -> str:
    if node.is_variable:
        return f"(n{node.nid}:{quote_name(node.type)})"
    key = node.id if by == "id" else node.name
    return f"(n{node.nid}:{quote_name(node.type)} {{{by}: {quote_text(key)}}})"
