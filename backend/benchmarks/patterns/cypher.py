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

from backend.tracks.serenqa_patterns import (
    Pattern,
    PatternEdge,
    PatternNode,
    find_negated_leaf,
)

PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def pattern_to_cypher(pattern: Pattern, *, by: Literal["id", "name"] = "id") -> str:
    """A query with the type and relation names of the pattern itself."""
    leaves = {
        leaf
        for edge in pattern.edges
        if edge.is_negated and (leaf := find_negated_leaf(pattern, edge)) is not None
    }
    matches = [
        f"MATCH (n{node.nid}{_node_clause(node, by)})"
        for node in pattern.nodes
        if node.nid not in leaves
    ]
    matches += [
        f"MATCH (n{edge.start})-[:{quote_name(edge.relation)}]->(n{edge.end})"
        for edge in pattern.edges
        if not edge.is_negated
    ]
    absent = [
        _absent_clause(pattern, edge, leaves, by) for edge in pattern.edges if edge.is_negated
    ]
    if absent:
        matches.append("WHERE " + " AND ".join(absent))
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
        return f":{quote_name(node.type)}"
    key = node.id if by == "id" else node.name
    return f":{quote_name(node.type)} {{{by}: {quote_text(key)}}}"


def _absent_clause(
    pattern: Pattern, edge: PatternEdge, leaves: set[int], by: Literal["id", "name"]
) -> str:
    """That no such edge exists; its leaf is described in place."""
    start, end = (
        f"({_node_clause(pattern.by_nid[nid], by)})" if nid in leaves else f"(n{nid})"
        for nid in (edge.start, edge.end)
    )
    return f"NOT EXISTS {{ MATCH {start}-[:{quote_name(edge.relation)}]->{end} }}"
