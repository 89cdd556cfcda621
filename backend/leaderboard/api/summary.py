from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.leaderboard.api.views import PublicRead, TrackSerializer
from backend.leaderboard.site_summary import VALID_SECONDS, SiteSummary, get_summary

SiteSummarySerializer = serializer_of(SiteSummary, tracks=TrackSerializer(many=True))


class SiteSummaryView(PublicRead):
    @operation("site_summary", SiteSummarySerializer)
    @method_decorator(cache_control(public=True, max_age=VALID_SECONDS))
    def get(self, request: Request) -> Response:
        """Counts of what is public, examples to open, and the first models of three tracks."""
        return Response(SiteSummarySerializer(get_summary()).data)
