"""The strongest neighbours of an entity, as a guided exploration reads them."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.openapi import operation
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.serializers import NeighbourSerializer
from backend.graphs.entity_details import (
    entity_summary,
    evidence_payload,
    relation_number_or_raise,
)
from backend.graphs.scored_neighbours import MOST_NEIGHBOURS, find_best_neighbours
from backend.graphs.snapshots.snapshot import Snapshot


class StrongestNeighbourQuery(serializers.Serializer[Any]):
    relation = serializers.CharField(
        required=False, trim_whitespace=False, help_text="All relations without it."
    )
    limit = serializers.IntegerField(default=10, min_value=1, max_value=MOST_NEIGHBOURS)


class StrongestNeighbourSerializer(NeighbourSerializer):
    outgoing = serializers.BooleanField()
    weight = serializers.FloatField(
        allow_null=True, help_text="From 0.01 to 1; null for an edge without a measure."
    )
    prognosis = serializers.IntegerField(
        help_text="1 favourable, -1 unfavourable, 0 where the graph states none."
    )


class StrongestNeighboursSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    results = StrongestNeighbourSerializer(many=True)


class StrongestNeighboursView(GraphReadView):
    @operation(
        "graph_strongest_neighbours_list",
        StrongestNeighboursSerializer,
        parameters=[StrongestNeighbourQuery, SNAPSHOT_PARAMETER],
    )
    def get(self, request: Request, slug: str, identifier: str) -> Response:
        """Edges both ways by their weight (SerenQA, appendix D.3), the strongest first.

        Where none has a measure, the same ones are drawn for the same graph.
        """
        query = self.validated_query(request, StrongestNeighbourQuery)
        opened = self.get_open_graph(request, slug)
        number = opened.entity_number_or_raise(identifier)
        relation, limit = query.get("relation"), query["limit"]
        return self.respond(
            opened, lambda: strongest_payload(opened.snapshot, number, relation, limit)
        )


def strongest_payload(
    snapshot: Snapshot, number: int, relation: str | None, limit: int
) -> Mapping[str, Any]:
    relations = [one.number for one in snapshot.relations]
    if relation is not None:
        relations = [relation_number_or_raise(snapshot, relation)]
    return {
        "results": [
            {
                "edge": one.edge,
                "relation": snapshot.relations[one.relation].name,
                "outgoing": one.forward,
                "entity": entity_summary(snapshot, one.neighbour),
                "weight": one.weight,
                "prognosis": one.prognosis,
                "evidence": evidence_payload(snapshot.edge(one.edge)),
            }
            for one in find_best_neighbours(snapshot, number, relations, most=limit)
        ]
    }
