"""The schema of a graph: its types, its relations, and which types each relation joins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.serializers import CountSerializer, RelationSerializer
from backend.graphs.graph_access import OpenGraph
from backend.runtime.lru_cache import LruCache
from backend.science.edge_kinds import count_edge_kinds

VERSIONS_IN_MEMORY = 64
MOST_KINDS = 2_000


@dataclass(frozen=True)
class EdgeKindCount:
    source: str
    relation: str
    target: str
    count: int


class GraphSchemaSerializer(serializers.Serializer[Any]):
    """edge_kinds: the commonest first, at most 2,000. kinds_total: how many there are."""

    snapshot = serializers.CharField()
    types = CountSerializer(many=True)
    relations = RelationSerializer(many=True)
    edge_kinds = serializer_of(EdgeKindCount)(many=True)
    kinds_total = serializers.IntegerField()


_cache: LruCache[Sequence[EdgeKindCount]] = LruCache(VERSIONS_IN_MEMORY)


class GraphSchemaView(GraphReadView):
    @operation("graphs_schema", GraphSchemaSerializer, parameters=[SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """Types and relations with their counts, and which types each relation joins."""
        opened = self.get_open_graph(request, slug)
        return self.respond(opened, lambda: schema_payload(opened))


def schema_payload(opened: OpenGraph) -> dict[str, Any]:
    snapshot = opened.snapshot
    types = zip(snapshot.types, snapshot.manifest.type_counts, strict=True)
    kinds = _cache.get_or_create(opened.version.snapshot, lambda: list_edge_kinds(opened))
    return {
        "types": [{"name": name, "count": count} for name, count in types],
        "relations": RelationSerializer(snapshot.relations, many=True).data,
        "edge_kinds": [vars(kind) for kind in kinds[:MOST_KINDS]],
        "kinds_total": len(kinds),
    }


def list_edge_kinds(opened: OpenGraph) -> list[EdgeKindCount]:
    snapshot = opened.snapshot
    counts = count_edge_kinds(snapshot.forward, snapshot.type_of)
    kinds = [
        EdgeKindCount(
            snapshot.types[source], snapshot.relations[relation].name, snapshot.types[target], count
        )
        for (source, relation, target), count in counts.items()
    ]
    return sorted(kinds, key=lambda one: -one.count)
