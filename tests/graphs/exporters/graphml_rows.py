"""Rows from a networkx graph that was read from an export: the exact inverse of the exporter."""

import re
from collections.abc import Mapping

import networkx as nx

from backend.graphs.cell_encoding import split_document, split_list
from backend.graphs.source_records import EdgeRow, NodeRow

ESCAPED_CHARACTER = re.compile(r"_x([0-9A-F]{4})_")


def rows_from_networkx(graph: nx.Graph) -> tuple[list[NodeRow], list[EdgeRow]]:
    """Convert a networkx graph that was read from our GraphML back to rows."""
    nodes = [_node_row(key, data) for key, data in graph.nodes(data=True)]
    return nodes, [_edge_row(start, end, data) for start, end, data in graph.edges(data=True)]


def _unescape(text: str) -> str:
    return ESCAPED_CHARACTER.sub(lambda match: chr(int(match[1], 16)), text)


def _text(data: Mapping[str, object], key: str) -> str:
    return _unescape(str(data.get(key, "")))


def _number(data: Mapping[str, object], key: str) -> float | None:
    value = data.get(key)
    return float(value) if isinstance(value, int | float) else None


def _node_row(key: str, data: Mapping[str, object]) -> NodeRow:
    return NodeRow(
        _unescape(key),
        _text(data, "type"),
        _text(data, "name"),
        split_list(_text(data, "synonyms")),
        split_list(_text(data, "xrefs")),
        split_document(_text(data, "document")),
    )


def _edge_row(source: str, target: str, data: Mapping[str, object]) -> EdgeRow:
    return EdgeRow(
        _unescape(source),
        _text(data, "relation"),
        _unescape(target),
        _number(data, "score"),
        _text(data, "evidence"),
        _text(data, "level"),
        _number(data, "p_value"),
        split_list(_text(data, "publications")),
    )
