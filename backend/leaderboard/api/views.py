"""Public reads of the leaderboard: no login, no database, and nothing to send twice."""

from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.leaderboard.api.serializers import TrackDetailSerializer, TrackListSerializer
from backend.leaderboard.published import published

FIVE_MINUTES = 300


def fingerprint(request: Request, track: str = "") -> str | None:
    """One mark for all answers: they change together, when the files or the catalogue do.

    An unknown track has none, so that it is never answered as 'not modified'.
    """
    results = published()
    known = not track or track in results.tracks
    return f'"{results.fingerprint}"' if known else None


cached_by_readers = [
    cache_control(public=True, max_age=FIVE_MINUTES),
    condition(etag_func=fingerprint),
]


class PublicRead(APIView):
    # Nobody is asked who she is, so a shared cache may keep the answer.
    authentication_classes = []
    permission_classes = [AllowAny]


class Leaderboards(PublicRead):
    @extend_schema(operation_id="leaderboards_list", responses=TrackListSerializer)
    @method_decorator(cached_by_readers)
    def get(self, request: Request) -> Response:
        """Tracks with published results, by paper."""
        return Response(TrackListSerializer({"results": published().tracks.values()}).data)


class Leaderboard(PublicRead):
    @extend_schema(operation_id="leaderboards_read", responses=TrackDetailSerializer)
    @method_decorator(cached_by_readers)
    def get(self, request: Request, track: str) -> Response:
        """All tables of one track, in the order of print, with best and second marked."""
        return Response(TrackDetailSerializer(published().get_track_or_raise(track)).data)
