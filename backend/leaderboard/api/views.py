"""Public reads of the leaderboard: no login, and nothing to send twice."""

from collections.abc import Sequence

from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.openapi import operation
from backend.common.serializers import serializer_of, shadowing_field
from backend.leaderboard.figures import figures_of_track
from backend.leaderboard.overview import TrackOverview, list_overview, overview_fingerprint
from backend.leaderboard.published_results import TrackResults, load_published
from backend.leaderboard.tables import ResultCell, ResultColumn, ResultRow, ResultTable, TableSlice

CACHE_SECONDS = 300
OVERVIEW_CACHE_SECONDS = 15


class TrackBaseSerializer(serializers.Serializer[object]):
    track = serializers.CharField(source="track.id")
    title = serializers.CharField(source="track.title")
    paper = serializers.CharField(source="track.paper")
    description = serializers.CharField(source="track.description")


TrackSerializer = serializer_of(TrackOverview, "Track")


class TrackListSerializer(serializers.Serializer[object]):
    results = TrackSerializer(many=True)


class MetricSerializer(serializers.Serializer[object]):
    metric = serializers.CharField(source="id")
    label = shadowing_field(serializers.CharField())
    description = serializers.CharField()
    section = serializers.CharField()


TableSerializer = serializer_of(
    ResultTable,
    "Table",
    slices=serializer_of(TableSlice, "Slice")(many=True),
    metrics=MetricSerializer(many=True),
    columns=serializer_of(ResultColumn, "Column")(many=True),
    rows=serializer_of(ResultRow, "Row", cells=serializer_of(ResultCell, "Cell")(many=True))(
        many=True
    ),
)


class TrackDetailSerializer(TrackBaseSerializer):
    entries = serializers.IntegerField(source="entry_count")
    figures = serializers.SerializerMethodField(help_text="Names of the figures that it has.")
    tables = TableSerializer(many=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_figures(self, results: TrackResults) -> Sequence[str]:
        return figures_of_track(results.track.id)


def etag(request: Request, track: str) -> str | None:
    """One mark for all tracks: they change together, when the files or the catalogue do.

    An unknown track has none, so that it is never answered as 'not modified'.
    """
    results = load_published()
    return f'"{results.fingerprint}"' if track in results.tracks else None


def overview_etag(request: Request) -> str:
    return f'"{overview_fingerprint()}"'


cache_decorators = [cache_control(public=True, max_age=CACHE_SECONDS), condition(etag_func=etag)]
overview_decorators = [
    cache_control(public=True, max_age=OVERVIEW_CACHE_SECONDS),
    condition(etag_func=overview_etag),
]


class PublicRead(APIView):
    # The same for every user, so that a shared cache may store it.
    authentication_classes = []
    permission_classes = [AllowAny]


class Leaderboards(PublicRead):
    @operation("leaderboards_list", TrackListSerializer)
    @method_decorator(overview_decorators)
    def get(self, request: Request) -> Response:
        """Tracks by paper, each with its best entries, evaluated here and as printed."""
        return Response(TrackListSerializer({"results": list_overview()}).data)


class Leaderboard(PublicRead):
    @operation("leaderboards_read", TrackDetailSerializer)
    @method_decorator(cache_decorators)
    def get(self, request: Request, track: str) -> Response:
        """All tables of one track, in the order of print, with best and second marked."""
        return Response(TrackDetailSerializer(load_published().get_track_or_raise(track)).data)
