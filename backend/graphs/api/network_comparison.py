"""Curated, co-occurring and text-mined networks side by side."""

from dataclasses import asdict

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.graphs.api.profile import DegreeBinSerializer
from backend.graphs.graph_access import open_graph
from backend.graphs.network_comparison import (
    MOST_NETWORKS,
    LinksUntil,
    NetworkComparison,
    NetworkFigures,
    NetworkHub,
    SharedLinks,
    compare_networks,
)

GRAPHS = OpenApiParameter(
    "graph", str, many=True, description="Slugs of two to four graphs, one `graph` for each."
)
NetworkComparisonSerializer = serializer_of(
    NetworkComparison,
    networks=serializer_of(
        NetworkFigures,
        bins=DegreeBinSerializer(many=True),
        hubs=serializer_of(
            NetworkHub,
            degrees=serializers.ListField(child=serializers.IntegerField(allow_null=True)),
        )(many=True),
        years=serializer_of(LinksUntil)(many=True),
    )(many=True),
    shared=serializer_of(SharedLinks)(many=True),
)


class NetworkComparisonView(APIView):
    permission_classes = [AllowAny]

    @operation("graphs_networks", NetworkComparisonSerializer, 404, parameters=[GRAPHS])
    def get(self, request: Request) -> Response:
        """How the links of graphs are spread, their hubs, and what they share.

        Links are simple and undirected. Of the newest version of each graph.
        """
        actor = get_actor(request)
        slugs = request.query_params.getlist("graph")[: MOST_NETWORKS + 1]
        return Response(asdict(compare_networks([open_graph(actor, slug) for slug in slugs])))
