from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.openapi import operation
from backend.common.serializers import shadowing_field
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.serializers import (
    EntityListQuery,
    EntityListSerializer,
    EntitySerializer,
    NeighbourQuery,
    NeighboursSerializer,
)
from backend.graphs.entity_details import entities_payload, entity_payload, neighbours_payload
from backend.graphs.entity_history import history_payload


class EntityListView(GraphReadView):
    @operation(
        "graph_entities_list",
        EntityListSerializer,
        parameters=[EntityListQuery, SNAPSHOT_PARAMETER],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Entities of a type, those with the most edges first; `next` is the next page's cursor."""
        query = self.validated_query(request, EntityListQuery)
        opened = self.get_open_graph(request, slug)
        after = int(query.get("cursor", -1))
        return self.respond(
            opened,
            lambda: entities_payload(
                opened.snapshot, query["type"], after=after, limit=query["limit"]
            ),
        )


class EntityView(GraphReadView):
    @operation("graph_entities_read", EntitySerializer, parameters=[SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str, identifier: str) -> Response:
        opened = self.get_open_graph(request, slug)
        number = opened.entity_number_or_raise(identifier)
        return self.respond(opened, lambda: entity_payload(opened.snapshot, number))


class YearCountSerializer(serializers.Serializer[Any]):
    """source: what states these dates; 'synthetic' if nothing does."""

    year = serializers.IntegerField()
    source = shadowing_field(serializers.CharField(allow_blank=True))
    count = serializers.IntegerField()


class EntityHistorySerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    years = YearCountSerializer(many=True, help_text="Edges by the year they were first seen in.")
    undated = serializers.IntegerField()


class EntityHistoryView(GraphReadView):
    @operation("graph_entities_history", EntityHistorySerializer, parameters=[SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str, identifier: str) -> Response:
        """Edges of an entity by year. Empty where edges are dated by PMID or not at all."""
        opened = self.get_open_graph(request, slug)
        number = opened.entity_number_or_raise(identifier)
        return self.respond(opened, lambda: history_payload(opened.snapshot, number))


class NeighboursView(GraphReadView):
    @operation(
        "graph_neighbours_list",
        NeighboursSerializer,
        parameters=[NeighbourQuery, SNAPSHOT_PARAMETER],
    )
    def get(self, request: Request, slug: str, identifier: str) -> Response:
        """Neighbours by relation, then number; `next` is the cursor of the next page."""
        query = self.validated_query(request, NeighbourQuery)
        opened = self.get_open_graph(request, slug)
        number = opened.entity_number_or_raise(identifier)
        view = opened.view_until(query.get("first_seen_until"))
        return self.respond(
            opened,
            lambda: neighbours_payload(
                view,
                number,
                relation=query.get("relation"),
                outgoing=query["outgoing"],
                after=int(query["cursor"]) if "cursor" in query else None,
                limit=query["limit"],
            ),
        )
