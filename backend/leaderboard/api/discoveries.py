"""Links that were discovered later and mattered, where they are public."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.policies import get_release_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.leaderboard.discoveries import Discovery, Forecaster, list_discoveries
from backend.science.importance.combined import COMPONENTS


class DiscoveryFilterSerializer(serializers.Serializer[Any]):
    year = serializers.IntegerField(required=False, min_value=1, max_value=9_999)
    component = serializers.ChoiceField(COMPONENTS, required=False)


ForecasterSerializer = serializer_of(Forecaster)
DiscoverySerializer = serializer_of(
    Discovery,
    components=serializers.DictField(child=serializers.FloatField()),
    component_values=serializers.DictField(child=serializers.FloatField()),
    foreseen_by=ForecasterSerializer(many=True),
)


class DiscoveriesSerializer(serializers.Serializer[Any]):
    """The most important first, at most 100 of `total`."""

    split = serializers.CharField()
    years = serializers.DictField(child=serializers.IntegerField(), help_text="Links by year.")
    entries = serializers.IntegerField(
        help_text="Entries that were scored on these links: at most the 100 best of the board."
    )
    total = serializers.IntegerField()
    results = DiscoverySerializer(many=True)


class BoardDiscoveries(APIView):
    permission_classes = [AllowAny]

    @operation("boards_discoveries", DiscoveriesSerializer, parameters=[DiscoveryFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """Links of the dev split, or of the board of a sealed release, by how much they mattered.

        With the entries that score each above all of its own negatives. By one component of
        importance where it is named.
        """
        release = get_release_or_raise(get_actor(request), slug)
        chosen = validate(DiscoveryFilterSerializer(data=request.query_params))
        discoveries = list_discoveries(release, chosen.get("year"), chosen.get("component"))
        return Response(DiscoveriesSerializer(asdict(discoveries)).data)
