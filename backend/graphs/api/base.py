"""Base of the views that read a graph: access, query validation and HTTP caching."""

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.graphs.graph_access import OpenGraph, open_graph

MAX_AGE_S = 24 * 3600
SNAPSHOT_PARAMETER = OpenApiParameter(
    "snapshot", str, description="Snapshot of a version; the latest if empty."
)


class GraphReadView(APIView):
    permission_classes = [AllowAny]

    def get_open_graph(self, request: Request, slug: str) -> OpenGraph:
        return open_graph(get_actor(request), slug, request.query_params.get("snapshot", ""))

    def validated_query(
        self, request: Request, serializer: type[serializers.Serializer[Any]]
    ) -> Mapping[str, Any]:
        return dict(get_validator(serializer).run_validation(request.query_params))

    def is_cacheable(self) -> bool:
        """Whether the response depends on the snapshot and the URL alone."""
        return self.request.method in ("GET", "HEAD")

    def is_complete(self, body: Mapping[str, Any]) -> bool:
        """Whether the body is complete; False if a time limit cut it short."""
        return True

    def respond(self, opened: OpenGraph, make: Callable[[], Mapping[str, Any]]) -> Response:
        """The body with its snapshot, or 304 without computing it if the client has it already.

        The response of a pinned request never changes, so a browser may cache it. It is cached as
        private: a public graph may become private later, and a private one is not cached at all.
        """
        if not (opened.is_pinned and self.is_cacheable()):
            return Response({"snapshot": opened.version.snapshot, **make()})
        tag = compute_etag(self.request, opened)
        if tag in client_etags(self.request):
            return _with_cache_headers(Response(status=304), opened, tag)
        body = make()
        response = Response({"snapshot": opened.version.snapshot, **body})
        return _with_cache_headers(response, opened, tag) if self.is_complete(body) else response


@cache
def get_validator(serializer: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """One shared instance: validation does not change it, and creating one is slow."""
    return serializer()


def _with_cache_headers(response: Response, opened: OpenGraph, tag: str) -> Response:
    response["ETag"] = tag
    if opened.is_public:
        response["Cache-Control"] = f"private, max-age={MAX_AGE_S}, immutable"
    return response


def compute_etag(request: Request, opened: OpenGraph) -> str:
    """ETag from the build, the snapshot, the path and the query."""
    parts = (
        build_id(),
        opened.version.snapshot,
        request.path,
        request.META.get("QUERY_STRING", ""),
    )
    return f'"{blake2b(repr(parts).encode(), digest_size=16).hexdigest()}"'


def client_etags(request: Request) -> set[str]:
    """The ETags in If-None-Match; compression marks them weak, which is ignored."""
    return {it.removeprefix("W/") for it in parse_etags(request.headers.get("If-None-Match", ""))}


@cache
def build_id() -> str:
    """Differs after an upgrade, because the same address may then have another response."""
    backend = Path(__file__).parents[2]
    files = sorted((str(one), one.stat().st_mtime_ns) for one in backend.rglob("*.py"))
    return blake2b(repr(files).encode(), digest_size=16).hexdigest()
