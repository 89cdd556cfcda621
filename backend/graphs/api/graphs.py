import operator
from typing import Any

from django.db.models import Prefetch, QuerySet
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.models import User
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.serializers import (
    GraphDetailSerializer,
    GraphListSerializer,
    GraphSerializer,
    GraphUpdateSerializer,
    RelationSerializer,
)
from backend.graphs.graph_access import OpenGraph, get_version_or_raise
from backend.graphs.graph_settings import update_graph
from backend.graphs.models import Graph, Version
from backend.graphs.policies import get_graph_or_raise, may_change_graph, visible_graphs
from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.versions import delete_graph, delete_version


def list_with_versions(graphs: QuerySet[Graph]) -> list[dict[str, Any]]:
    """Graphs with their published versions, latest first."""
    ready = Version.objects.ready().order_by("-number")
    listed = graphs.order_by("-is_demo", "name").prefetch_related(
        Prefetch("versions", queryset=ready, to_attr="ready_versions")
    )
    return [_graph_payload(graph) for graph in listed]


def _graph_payload(graph: Graph) -> dict[str, Any]:
    versions = operator.attrgetter("ready_versions")(graph)
    fields = set(GraphSerializer.Meta.fields) - {"versions", "latest"}
    values = {name: getattr(graph, name) for name in fields}
    return {**values, "versions": versions, "latest": versions[0].snapshot}


class GraphListView(APIView):
    permission_classes = [AllowAny]

    @operation("graphs_list", GraphListSerializer)
    def get(self, request: Request) -> Response:
        """The graphs that you may see: the demo first, then by name."""
        results = list_with_versions(visible_graphs(get_actor(request)))
        return Response(GraphListSerializer({"results": results}).data)


class GraphDetailView(GraphReadView):
    @operation("graphs_read", GraphDetailSerializer, parameters=[SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """Details of a graph: its types and relations, each with its count."""
        opened = self.get_open_graph(request, slug)
        return Response(_detail_payload(opened, get_actor(request)))

    @operation("graphs_change", GraphDetailSerializer, 401, 409, request=GraphUpdateSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Update the metadata and the visibility. Allowed for the owner."""
        actor = get_actor_or_raise(request)
        graph = get_graph_or_raise(actor, slug)
        sent = validate(GraphUpdateSerializer(data=request.data))
        update_graph(actor=actor, graph=graph, **sent)
        return Response(_detail_payload(self.get_open_graph(request, slug), actor))

    @operation("graphs_remove", None, 401, 409, status=204)
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a graph with all its versions, unless one of them is referenced."""
        actor = get_actor_or_raise(request)
        delete_graph(actor=actor, graph=get_graph_or_raise(actor, slug))
        return Response(status=204)


class VersionView(APIView):
    @operation("graph_versions_remove", None, 409, status=204)
    def delete(self, request: Request, slug: str, snapshot: str) -> Response:
        actor = get_actor_or_raise(request)
        version = get_version_or_raise(get_graph_or_raise(actor, slug), snapshot)
        delete_version(actor=actor, version=version)
        return Response(status=204)


def _detail_payload(opened: OpenGraph, user: User | None) -> dict[str, Any]:
    snapshot = opened.snapshot
    counts = zip(snapshot.types, snapshot.manifest.type_counts, strict=True)
    payload = list_with_versions(Graph.objects.filter(id=opened.graph.pk))[0]
    return {
        **GraphSerializer(payload).data,
        "snapshot": opened.version.snapshot,
        "types": [{"name": name, "count": count} for name, count in counts],
        "relations": RelationSerializer(snapshot.relations, many=True).data,
        "may_change": user is not None and may_change_graph(user, opened.graph),
        "date_unit": dates.unit if (dates := get_edge_dates(snapshot)) else None,
        "date_range": snapshot.date_range,
    }
