"""The schema of a graph: its types, its relations, and which types each relation joins."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.serializers import CountSerializer, RelationSerializer
from backend.graphs.edge_kinds import EdgeKindCount, list_edge_kinds
from backend.graphs.graph_access import OpenGraph

MOST_KINDS = 2_000


class GraphSchemaSerializer(serializers.Serializer[Any]):
    """edge_kinds: the commonest first, at most 2,000. kinds_total: how many there are."""

    snapshot = serializers.CharField()
    types = CountSerializer(many=True)
    relations = RelationSerializer(many=True)
    edge_kinds = serializer_of(EdgeKindCount)(many=True)
    kinds_total = serializers.IntegerField()


class GraphSchemaView(GraphReadView):
    @operation("graphs_schema", GraphSchemaSerializer, parameters=[SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """Types and relations with their counts, and which types each relation joins."""
        opened = self.get_open_graph(request, slug)
        return self.respond(opened, lambda: schema_payload(opened))


def schema_payload(opened: OpenGraph) -> dict[str, Any]:
    snapshot = opened.snapshot
    types = zip(snapshot.types, snapshot.manifest.type_counts, strict=True)
    kinds = list_edge_kinds(opened)
    return {
        "types": [{"name": name, "count": count} for name, count in types],
        "relations": RelationSerializer(snapshot.relations, many=True).data,
        "edge_kinds": [vars(kind) for kind in kinds[:MOST_KINDS]],
        "kinds_total": len(kinds),
    }
