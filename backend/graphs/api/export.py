from collections.abc import Iterator, Mapping
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from backend.common.downloads import download_headers
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.cancellation import iterate_in_threads, run_cancellable
from backend.graphs.api.operations_schema import ExportQuery, SubgraphExportSerializer
from backend.graphs.api.paths import resolve_entities
from backend.graphs.edge_phrases import find_star, relation_numbers
from backend.graphs.export_rows import export_subgraph, export_whole_graph
from backend.graphs.exporters.base import ExportedGraph, Exporter, Provenance
from backend.graphs.exporters.registry import exporter_or_raise
from backend.graphs.graph_access import OpenGraph
from backend.graphs.subgraph_queries import find_induced_edges


class ExportView(GraphReadView):
    @operation(
        "graph_export",
        {(200, "*/*"): OpenApiTypes.BINARY},
        parameters=[ExportQuery, SNAPSHOT_PARAMETER],
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Export an induced subgraph, an entity with its edges, or the whole graph."""
        opened = self.get_open_graph(request, slug)
        query = self.validated_query(request, ExportQuery)
        exporter = exporter_or_raise(query["format"])
        exported = build_export(opened, exporter, request, query)
        return download_response(request, opened, exporter, exporter.write(exported))

    @operation(
        "graph_export_part",
        {(200, "*/*"): OpenApiTypes.BINARY},
        parameters=[SNAPSHOT_PARAMETER],
        request=SubgraphExportSerializer,
    )
    def post(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Export an induced subgraph of entities that are too many for a URL."""
        opened = self.get_open_graph(request, slug)
        data = validate(SubgraphExportSerializer(data=request.data))
        exporter = exporter_or_raise(data["format"])
        numbers = sorted({opened.entity_number_or_raise(one) for one in data["ids"]})
        exported = export_induced_subgraph(opened, numbers, data["limit"])
        return download_response(request, opened, exporter, exporter.write(exported))


def build_export(
    opened: OpenGraph, exporter: Exporter, request: Request, query: Mapping[str, Any]
) -> ExportedGraph:
    view, provenance = opened.snapshot, graph_provenance(opened)
    ids = request.query_params.getlist("ids")
    if ids:
        numbers = sorted({number for text in ids for number in resolve_entities(opened, text)})
        return export_induced_subgraph(opened, numbers, query["limit"])
    if query["around"]:
        relation = None
        if query["relation"]:
            (relation,) = relation_numbers(view, [query["relation"]])
        ways = [query["outgoing"]] if query["outgoing"] is not None else [True, False]
        centre = opened.entity_number_or_raise(query["around"])
        star = find_star(view, centre, relation, directions=ways, limit=query["limit"])
        return export_subgraph(view, *star, provenance)
    return export_whole_graph(view, exporter, provenance)


def export_induced_subgraph(opened: OpenGraph, numbers: list[int], limit: int) -> ExportedGraph:
    view = opened.snapshot
    edges, _ = run_cancellable(lambda stop: find_induced_edges(view, numbers, stop, limit=limit))
    return export_subgraph(view, numbers, edges, graph_provenance(opened))


def graph_provenance(opened: OpenGraph) -> Provenance:
    graph = opened.graph
    return Provenance(
        graph.name, opened.version.snapshot, graph.licence, graph.citation, graph.source_url
    )


def download_response(
    request: Request, opened: OpenGraph, exporter: Exporter, pieces: Iterator[bytes]
) -> StreamingHttpResponse:
    over_asgi = isinstance(request._request, ASGIRequest)
    name = f"{opened.graph.slug}-{opened.version.snapshot[:12]}{exporter.suffix}"
    return StreamingHttpResponse(
        iterate_in_threads(pieces) if over_asgi else pieces,
        content_type=exporter.content_type,
        headers=download_headers(name),
    )
