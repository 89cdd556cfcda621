"""Rows of a whole graph or of a subgraph, for the exporters."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from django.conf import settings

from backend.common.errors import DomainError
from backend.graphs.exporters.base import ExportedGraph, Exporter, Provenance
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.records import EdgeRecord
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo

ID_CACHE_SIZE = 200_000


def export_subgraph(
    view: GraphView, numbers: Iterable[int], edges: Iterable[int], provenance: Provenance
) -> ExportedGraph:
    """Export the given entities, with their documents, and the given edges."""
    return ExportedGraph(
        (node_row(view, number) for number in numbers),
        edge_rows(view, (view.edge(edge) for edge in edges)),
        provenance,
        relation_infos(view),
    )


def export_whole_graph(
    view: GraphView, exporter: Exporter, provenance: Provenance
) -> ExportedGraph:
    """Export the whole graph as a stream. Raises DomainError if the format cannot stream it."""
    size = view.entity_count + view.edge_count
    if not exporter.is_streamed and size > settings.EXPORT_IN_MEMORY_ROWS:
        raise DomainError(
            f"{exporter.title} can hold at most {settings.EXPORT_IN_MEMORY_ROWS:,} entities "
            "and edges. Choose another format or a subgraph.",
            code="too_large",
        )
    return ExportedGraph(
        (node_row(view, number) for number in range(view.entity_count)),
        edge_rows(view, view.edges()),
        provenance,
        relation_infos(view),
    )


def node_row(view: GraphView, number: int) -> NodeRow:
    entity = view.entity(number)
    document = view.document(number)
    return NodeRow(entity.id, entity.type, entity.name, entity.synonyms, entity.xrefs, document)


def edge_rows(view: GraphView, edges: Iterable[EdgeRecord]) -> Iterator[EdgeRow]:
    """Repeat an edge as often as equal rows were folded into it, so that a re-import is equal."""

    @lru_cache(ID_CACHE_SIZE)
    def id_of(number: int) -> str:
        return view.entity(number).id

    names = [relation.name for relation in view.relations]
    for edge in edges:
        row = EdgeRow(
            id_of(edge.source),
            names[edge.relation],
            id_of(edge.target),
            edge.score,
            edge.evidence,
            edge.level,
            edge.p_value,
            edge.publications,
            edge.first_pmid,
            edge.first_year,
            edge.date_source,
        )
        for _ in range(edge.row_count):
            yield row


def relation_infos(view: GraphView) -> dict[str, RelationInfo]:
    return {
        one.name: RelationInfo(one.name, one.forward, one.backward, one.symmetric)
        for one in view.relations
    }
