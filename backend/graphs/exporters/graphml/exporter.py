"""GraphML, written by networkx, for small graphs: the whole graph is in memory.

XML cannot represent control characters and does not preserve carriage returns. They are escaped
as _x000D_, like in Excel files; a literal escape sequence is preceded by _x005F_. Lists are
separated by bars, a document is JSON.
"""

import io
import re
from collections.abc import Iterator, Mapping

import networkx as nx

from backend.graphs.cell_encoding import join_document, join_list
from backend.graphs.exporters.base import ExportedGraph, Exporter
from backend.graphs.source_records import EdgeRow, NodeRow

NOT_XML = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-F]{4}_)")
NOT_XML_ATTRIBUTE = re.compile(r"[\x00-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-F]{4}_)")
Attributes = dict[str, str | float]


def write_graphml(exported: ExportedGraph) -> Iterator[bytes]:
    out = io.BytesIO()
    nx.write_graphml_xml(to_networkx(exported), out, encoding="utf-8", prettyprint=True)
    yield out.getvalue()


def to_networkx(exported: ExportedGraph) -> nx.MultiDiGraph:
    """Convert to networkx, with attributes escaped for GraphML."""
    about = exported.provenance.as_dict()
    graph = nx.MultiDiGraph(**{key: _escape(text) for key, text in about.items()})
    for node in exported.nodes:
        graph.add_node(_escape_key(node.id), **_node_attributes(node))
    for edge in exported.edges:
        phrase = exported.relation_phrase(edge.relation)
        graph.add_edge(
            _escape_key(edge.source), _escape_key(edge.target), **_edge_attributes(edge, phrase)
        )
    return graph


def _escape(text: str) -> str:
    return NOT_XML.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _escape_key(text: str) -> str:
    """Escape an identifier: it is an XML attribute, where tabs and line ends are not preserved."""
    return NOT_XML_ATTRIBUTE.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _without_empty(attributes: Mapping[str, str | float | None]) -> Attributes:
    """Leave out empty attributes: GraphML has no null value."""
    fit = {k: _escape(v) if isinstance(v, str) else v for k, v in attributes.items()}
    return {key: value for key, value in fit.items() if value is not None and value != ""}


def _node_attributes(row: NodeRow) -> Attributes:
    return _without_empty(
        {
            "type": row.type,
            "name": row.name,
            "synonyms": join_list(row.synonyms),
            "xrefs": join_list(row.xrefs),
            "document": join_document(row.document),
        }
    )


def _edge_attributes(row: EdgeRow, phrase: str) -> Attributes:
    return _without_empty(
        {
            "relation": row.relation,
            "phrase": phrase,
            "score": row.score,
            "evidence": row.evidence,
            "level": row.level,
            "p_value": row.p_value,
            "publications": join_list(row.publications),
            "first_pmid": row.first_pmid,
            "first_year": row.first_year,
            "date_source": row.date_source,
        }
    )


EXPORTERS = (
    Exporter(
        "graphml",
        "GraphML",
        ".graphml",
        "application/graphml+xml",
        write_graphml,
        is_streamed=False,
    ),
)
