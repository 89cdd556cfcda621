"""The data card of a release in Croissant, with what its items tell apart."""

from drf_spectacular.types import OpenApiTypes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.api.release_cards import digest_items
from backend.benchmarks.croissant import describe_release
from backend.benchmarks.policies import get_release_or_raise
from backend.common.openapi import operation
from backend.leaderboard.resolution import describe_resolution


class ReleaseDataCard(APIView):
    permission_classes = [AllowAny]

    @operation("releases_croissant", {(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, slug: str) -> Response:
        """The data card in Croissant 1.0: the files of public items, with digests and fields."""
        release = get_release_or_raise(get_actor(request), slug)
        return Response(
            describe_release(release, digest_items(release), describe_resolution(release))
        )
