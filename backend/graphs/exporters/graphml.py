"""GraphML through networkx, for small graphs: the whole is in memory.

XML has no place for control characters and no way to keep a carriage return. They are written as
_x000D_, as Excel's files do, and a text that has such a mark itself gets _x005F_ before it. Lists
are separated by bars, a document is JSON. `rows_of` reads back exactly what was there.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping

import networkx as nx

from backend.graphs.cells import join_document, join_list, split_document, split_list
from backend.graphs.exporters.exported import Exported
from backend.graphs.rows import EdgeRow, NodeRow

UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-F]{4}_)")
IN_IDENTIFIERS = re.compile(r"[\x00-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-F]{4}_)")
MARK = re.compile(r"_x([0-9A-F]{4})_")
Attributes = dict[str, str | float]


def write_graphml(exported: Exported) -> Iterator[bytes]:
    out = io.BytesIO()
    nx.write_graphml_xml(graph_of(exported), out, encoding="utf-8", prettyprint=True)
    yield out.getvalue()


def graph_of(exported: Exported) -> nx.MultiDiGraph:
    """The graph as networkx has it, its attributes as GraphML can hold them."""
    about = exported.provenance.as_dict()
    graph = nx.MultiDiGraph(**{key: _fit(text) for key, text in about.items()})
    for node in exported.nodes:
        graph.add_node(_key(node.id), **_node(node))
    for edge in exported.edges:
        phrase = exported.phrase(edge.relation)
        graph.add_edge(_key(edge.source), _key(edge.target), **_edge(edge, phrase))
    return graph


def rows_of(graph: nx.Graph) -> tuple[list[NodeRow], list[EdgeRow]]:
    """The rows of a graph that networkx read."""
    nodes = [_node_row(key, data) for key, data in graph.nodes(data=True)]
    return nodes, [_edge_row(start, end, data) for start, end, data in graph.edges(data=True)]


def _fit(text: str) -> str:
    return UNFIT.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def _key(text: str) -> str:
    """An identifier, which is an attribute of XML: there even a tab or line end is not kept."""
    return IN_IDENTIFIERS.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def _unfit(text: str) -> str:
    return MARK.sub(lambda found: chr(int(found[1], 16)), text)


def _said(attributes: Mapping[str, str | float | None]) -> Attributes:
    """Attributes that say something; GraphML has no 'nothing'."""
    fit = {k: _fit(v) if isinstance(v, str) else v for k, v in attributes.items()}
    return {key: value for key, value in fit.items() if value is not None and value != ""}


def _node(row: NodeRow) -> Attributes:
    return _said(
        {
            "type": row.type,
            "name": row.name,
            "synonyms": join_list(row.synonyms),
            "xrefs": join_list(row.xrefs),
            "document": join_document(row.document),
        }
    )


def _edge(row: EdgeRow, phrase: str) -> Attributes:
    return _said(
        {
            "relation": row.relation,
            "phrase": phrase,
            "score": row.score,
            "evidence": row.evidence,
            "level": row.level,
            "p_value": row.p_value,
            "publications": join_list(row.publications),
        }
    )


def _text(data: Mapping[str, object], key: str) -> str:
    return _unfit(str(data.get(key, "")))


def _number(data: Mapping[str, object], key: str) -> float | None:
    value = data.get(key)
    return float(value) if isinstance(value, int | float) else None


def _node_row(key: str, data: Mapping[str, object]) -> NodeRow:
    return NodeRow(
        _unfit(key),
        _text(data, "type"),
        _text(data, "name"),
        split_list(_text(data, "synonyms")),
        split_list(_text(data, "xrefs")),
        split_document(_text(data, "document")),
    )


def _edge_row(source: str, target: str, data: Mapping[str, object]) -> EdgeRow:
    return EdgeRow(
        _unfit(source),
        _text(data, "relation"),
        _unfit(target),
        _number(data, "score"),
        _text(data, "evidence"),
        _text(data, "level"),
        _number(data, "p_value"),
        split_list(_text(data, "publications")),
    )
