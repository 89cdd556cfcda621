"""What every view that reads a graph shares: nobody needs to sign in for a public one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.actor import get_actor
from backend.graphs.reading import OpenGraph, open_graph

A_DAY = 24 * 3600
SNAPSHOT = OpenApiParameter("snapshot", str, description="A version; the newest if not given.")


class GraphRead(APIView):
    permission_classes = [AllowAny]

    def opened(self, request: Request, slug: str) -> OpenGraph:
        return open_graph(get_actor(request), slug, request.query_params.get("snapshot", ""))

    def asked(
        self, request: Request, serializer: type[serializers.Serializer[Any]]
    ) -> Mapping[str, Any]:
        """The query, checked."""
        query = serializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        return dict(query.validated_data)

    def answer(self, opened: OpenGraph, body: Mapping[str, Any]) -> Response:
        """The body with its snapshot. A pinned answer never changes, so a browser may keep it.

        It is hers alone all the same: a graph that is public today may be private tomorrow.
        """
        response = Response({"snapshot": opened.version.snapshot, **body})
        if opened.pinned and opened.is_public:
            response["Cache-Control"] = f"private, max-age={A_DAY}, immutable"
        return response
