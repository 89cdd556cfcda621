"""Saved views: created and opened by whoever may see the graph."""

import uuid

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.serializers import NewViewSerializer, ViewSerializer
from backend.graphs.graph_access import get_version_or_raise
from backend.graphs.policies import get_graph_or_raise
from backend.graphs.saved_views import get_view_or_raise, save_view


class SavedViewListView(APIView):
    permission_classes = [AllowAny]
    # Saving needs no account, so the rate is limited.
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "saved_view"

    @operation("graph_views_create", ViewSerializer, 429, status=201, request=NewViewSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Save a view of one version; the version cannot be deleted while views refer to it."""
        actor = get_actor(request)
        graph = get_graph_or_raise(actor, slug)
        data = validate(NewViewSerializer(data=request.data))
        version = get_version_or_raise(graph, data.get("snapshot") or "")
        view = save_view(actor=actor, version=version, title=data["title"], state=data["state"])
        return Response(ViewSerializer(view).data, status=201)


class SavedViewDetailView(APIView):
    permission_classes = [AllowAny]

    @operation("graph_views_read", ViewSerializer)
    def get(self, request: Request, view_id: uuid.UUID) -> Response:
        return Response(ViewSerializer(get_view_or_raise(get_actor(request), view_id)).data)
