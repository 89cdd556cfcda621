"""What every view that reads a graph shares: nobody needs to sign in for a public one."""

from __future__ import annotations

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

from backend.accounts.api.actor import get_actor
from backend.graphs.reading import OpenGraph, open_graph

A_DAY = 24 * 3600
# Under backend: whose code makes an answer of a snapshot.
ROOMS = ("benchmarks", "common", "graphs", "science")
SNAPSHOT = OpenApiParameter("snapshot", str, description="A version; the newest if not given.")


class GraphRead(APIView):
    permission_classes = [AllowAny]

    def opened(self, request: Request, slug: str) -> OpenGraph:
        return open_graph(get_actor(request), slug, request.query_params.get("snapshot", ""))

    def asked(
        self, request: Request, serializer: type[serializers.Serializer[Any]]
    ) -> Mapping[str, Any]:
        """The query, checked."""
        return dict(checker(serializer).run_validation(request.query_params))

    def follows_from_address(self) -> bool:
        """Whether the snapshot and the address alone decide what is answered."""
        return self.request.method in ("GET", "HEAD")

    def is_whole(self, body: Mapping[str, Any]) -> bool:
        """False where the time it took has decided, too."""
        return True

    def answer(self, opened: OpenGraph, make: Callable[[], Mapping[str, Any]]) -> Response:
        """The body with its snapshot; nothing is made for who has it already.

        A pinned answer never changes, so a browser may keep it. It is hers alone all the same: a
        graph that is public today may be private tomorrow, and a private one is kept nowhere.
        """
        if not (opened.pinned and self.follows_from_address()):
            return Response({"snapshot": opened.version.snapshot, **make()})
        tag = tag_of(self.request, opened)
        if tag in held_by(self.request):
            return _kept(Response(status=304), opened, tag)
        body = make()
        response = Response({"snapshot": opened.version.snapshot, **body})
        return _kept(response, opened, tag) if self.is_whole(body) else response


@cache
def checker(serializer: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """One for all requests: checking writes nothing to it, and making it takes longer than that."""
    return serializer()


def _kept(response: Response, opened: OpenGraph, tag: str) -> Response:
    response["ETag"] = tag
    if opened.is_public:
        response["Cache-Control"] = f"private, max-age={A_DAY}, immutable"
    return response


def tag_of(request: Request, opened: OpenGraph) -> str:
    """The snapshot, what was asked of it, and the code that answers."""
    said = (code(), opened.version.snapshot, request.path, request.META.get("QUERY_STRING", ""))
    return f'"{blake2b(repr(said).encode(), digest_size=16).hexdigest()}"'


def held_by(request: Request) -> set[str]:
    """Compression makes a tag a weak one; it stands for the same answer."""
    return {it.removeprefix("W/") for it in parse_etags(request.headers.get("If-None-Match", ""))}


@cache
def code() -> str:
    """After an upgrade the same address may be answered in other words."""
    backend = Path(__file__).parents[2]
    files = sorted(file for room in ROOMS for file in (backend / room).rglob("*.py"))
    return blake2b(b"".join(file.read_bytes() for file in files), digest_size=16).hexdigest()
