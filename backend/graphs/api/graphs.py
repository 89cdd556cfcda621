"""Graphs: which there are, what is in one, and what its owner may change."""

from __future__ import annotations

import operator
from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.actor import actor_of, get_actor
from backend.accounts.models import User
from backend.common.schema import problems
from backend.graphs.api.reading import SNAPSHOT, GraphRead
from backend.graphs.api.serializers import (
    DescribeSerializer,
    GraphDetailSerializer,
    GraphListSerializer,
    GraphSerializer,
)
from backend.graphs.models import Graph, Version
from backend.graphs.policies import get_graph_or_raise, may_change_graph, visible_graphs
from backend.graphs.reading import OpenGraph, version_or_raise
from backend.graphs.sharing import change_graph
from backend.graphs.versions import remove_graph, remove_version

WRITES = problems(401, 403, 404, 409, 422)


def with_versions(graphs: QuerySet[Graph]) -> list[dict[str, Any]]:
    """With what is ready, the newest first."""
    ready = Version.objects.ready().order_by("-number")
    found = graphs.order_by("-is_demo", "name").prefetch_related(
        Prefetch("versions", queryset=ready, to_attr="ready_versions")
    )
    return [_told(graph) for graph in found]


def _told(graph: Graph) -> dict[str, Any]:
    versions = operator.attrgetter("ready_versions")(graph)
    fields = set(GraphSerializer.Meta.fields) - {"versions", "latest"}
    told = {name: getattr(graph, name) for name in fields}
    return {**told, "versions": versions, "latest": versions[0].snapshot}


class Graphs(APIView):
    permission_classes = [AllowAny]

    @extend_schema(operation_id="graphs_list", responses=GraphListSerializer)
    def get(self, request: Request) -> Response:
        """Those that she may see; the demo first, then by name."""
        found = with_versions(visible_graphs(get_actor(request)))
        return Response(GraphListSerializer({"results": found}).data)


class OneGraph(GraphRead):
    @extend_schema(
        operation_id="graphs_read",
        parameters=[SNAPSHOT],
        responses={200: GraphDetailSerializer, **problems(404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What is in it: types and relations, each with its count."""
        opened = self.opened(request, slug)
        return Response(_detail(opened, get_actor(request)))

    @extend_schema(
        operation_id="graphs_change",
        request=DescribeSerializer,
        responses={200: GraphDetailSerializer, **WRITES},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """By its owner: how it is described, and who may see it."""
        actor = actor_of(request)
        graph = get_graph_or_raise(actor, slug)
        sent = DescribeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        change_graph(actor=actor, graph=graph, **sent.validated_data)
        return Response(_detail(self.opened(request, slug), actor))

    @extend_schema(operation_id="graphs_remove", responses={204: None, **WRITES})
    def delete(self, request: Request, slug: str) -> Response:
        """With all its versions, unless one of them is cited."""
        actor = actor_of(request)
        remove_graph(actor=actor, graph=get_graph_or_raise(actor, slug))
        return Response(status=204)


class OneVersion(APIView):
    @extend_schema(operation_id="graph_versions_remove", responses={204: None, **WRITES})
    def delete(self, request: Request, slug: str, snapshot: str) -> Response:
        actor = actor_of(request)
        version = version_or_raise(get_graph_or_raise(actor, slug), snapshot)
        remove_version(actor=actor, version=version)
        return Response(status=204)


def _detail(opened: OpenGraph, user: User | None) -> dict[str, Any]:
    snapshot = opened.snapshot
    counts = zip(snapshot.types, snapshot.manifest.type_counts, strict=True)
    told = with_versions(Graph.objects.filter(id=opened.graph.pk))[0]
    relations = [
        {
            "relation": it.name,
            "forward": it.forward,
            "backward": it.backward,
            "symmetric": it.symmetric,
            "count": it.count,
        }
        for it in snapshot.relations
    ]
    return {
        **GraphSerializer(told).data,
        "snapshot": opened.version.snapshot,
        "types": [{"name": name, "count": count} for name, count in counts],
        "relations": relations,
        "may_change": user is not None and may_change_graph(user, opened.graph),
    }
