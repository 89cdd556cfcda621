"""Degrees of the entities of a graph, its hubs, and its edges by year."""

from dataclasses import asdict

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.degree_profile import DegreeBin, DegreeProfile, NewEdges, get_degree_profile
from backend.graphs.edge_phrases import EntityRef

DegreeBinSerializer = serializer_of(DegreeBin)
DegreeProfileSerializer = serializer_of(
    DegreeProfile,
    snapshot=serializers.CharField(),
    bins=DegreeBinSerializer(many=True),
    hubs=serializer_of(EntityRef)(many=True),
    years=serializer_of(NewEdges)(many=True),
)


class GraphProfileView(GraphReadView):
    @operation("graphs_profile", DegreeProfileSerializer, parameters=[SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """How edges are spread over entities and years, and the entities with the most of them."""
        opened = self.get_open_graph(request, slug)
        return self.respond(opened, lambda: asdict(get_degree_profile(opened)))
