"""Strategies of guided exploration on a board, each beside one of them."""

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
from backend.leaderboard.api.groundedness import GroundednessFilterSerializer
from backend.leaderboard.strategies import StrategyTable, compare_strategies


class StrategyFilterSerializer(GroundednessFilterSerializer):
    metric = serializers.CharField(default="", help_text="The main metric without it.")
    reference = serializers.UUIDField(
        required=False, help_text="A submission of the table; the RNS beam without it."
    )


StrategyTableSerializer: Any = serializer_of(StrategyTable)


class BoardStrategies(APIView):
    permission_classes = [AllowAny]

    @operation("boards_strategies", StrategyTableSerializer, parameters=[StrategyFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """Runs by model and setting with the baselines, and paired differences to a reference."""
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        chosen = validate(StrategyFilterSerializer(data=request.query_params))
        table = compare_strategies(
            actor, release, chosen["split"], chosen["metric"], chosen.get("reference")
        )
        return Response(StrategyTableSerializer(table).data)
