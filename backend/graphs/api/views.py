"""Saved views: kept by whoever may see the graph, opened by whoever has the link and may too."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.actor import get_actor
from backend.common.schema import problems
from backend.graphs.api.serializers import NewViewSerializer, ViewSerializer
from backend.graphs.policies import get_graph_or_raise
from backend.graphs.reading import version_or_raise
from backend.graphs.views import get_view_or_raise, save_view


class Views(APIView):
    permission_classes = [AllowAny]
    # Nobody needs to sign in to send a colleague a link, so that programs could fill the table.
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "saved_view"

    @extend_schema(
        operation_id="graph_views_create",
        request=NewViewSerializer,
        responses={201: ViewSerializer, **problems(404, 422, 429)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Keep a view of one version; that version is then kept, too."""
        actor = get_actor(request)
        graph = get_graph_or_raise(actor, slug)
        sent = NewViewSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = sent.validated_data
        version = version_or_raise(graph, asked.get("snapshot") or "")
        view = save_view(actor=actor, version=version, title=asked["title"], state=asked["state"])
        return Response(ViewSerializer(view).data, status=201)


class OneView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="graph_views_read", responses={200: ViewSerializer, **problems(404)}
    )
    def get(self, request: Request, view_id: uuid.UUID) -> Response:
        return Response(ViewSerializer(get_view_or_raise(get_actor(request), view_id)).data)
