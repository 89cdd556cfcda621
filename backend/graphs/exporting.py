"""Parts of a graph, or all of it, as the rows that exporters write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from backend.common.errors import DomainError
from backend.graphs.exporters.exported import Exported, Exporter, Provenance
from backend.graphs.rows import EdgeRow, NodeRow, RelationInfo
from backend.graphs.snapshots.records import EdgeRecord
from backend.graphs.snapshots.view import GraphView

AT_ONCE = 50_000  # entities and edges that a format which needs all of them in memory may have
REMEMBERED = 200_000


def exported_part(
    view: GraphView, numbers: Iterable[int], edges: Iterable[int], provenance: Provenance
) -> Exported:
    """Some entities with their documents, and some of the edges between them."""
    return Exported(
        (node_row(view, number) for number in numbers),
        edge_rows(view, (view.edge(edge) for edge in edges)),
        provenance,
        relation_infos(view),
    )


def exported_whole(view: GraphView, exporter: Exporter, provenance: Provenance) -> Exported:
    """Everything, while it is read. Raises DomainError where a format must hold all of it."""
    size = view.entity_count + view.edge_count
    if exporter.name == "graphml" and size > AT_ONCE:
        raise DomainError(
            f"GraphML is written for {AT_ONCE:,} entities and edges at most. "
            "Choose CSV, JSON or KGX, or a part of the graph.",
            code="too_large",
        )
    return Exported(
        (node_row(view, number) for number in range(view.entity_count)),
        edge_rows(view, view.edges()),
        provenance,
        relation_infos(view),
    )


def node_row(view: GraphView, number: int) -> NodeRow:
    found = view.entity(number)
    document = view.document(number)
    return NodeRow(found.id, found.type, found.name, found.synonyms, found.xrefs, document)


def edge_rows(view: GraphView, edges: Iterable[EdgeRecord]) -> Iterator[EdgeRow]:
    """An edge that equal rows stated comes as often, so that importing it gives the same graph."""

    @lru_cache(REMEMBERED)
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
        )
        for _ in range(edge.folded):
            yield row


def relation_infos(view: GraphView) -> dict[str, RelationInfo]:
    return {
        one.name: RelationInfo(one.name, one.forward, one.backward, one.symmetric)
        for one in view.relations
    }
