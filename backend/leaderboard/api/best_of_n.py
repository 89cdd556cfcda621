"""The most grounded of several answers of models, beside greedy decoding and the majority."""

from dataclasses import dataclass

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.policies import get_release_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.evaluation.grounding.sample_sets import SampledSetting, compare_settings
from backend.leaderboard.api.groundedness import GroundednessFilterSerializer


@dataclass(frozen=True)
class BoardBestOfN:
    split: str
    settings: list[SampledSetting]


BoardBestOfNSerializer = serializer_of(BoardBestOfN)


class BoardBestOfNView(APIView):
    permission_classes = [AllowAny]

    @operation(
        "boards_best_of_n", BoardBestOfNSerializer, parameters=[GroundednessFilterSerializer]
    )
    def get(self, request: Request, slug: str) -> Response:
        """Accuracy of the most grounded of several answers of each model task that was sampled."""
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        split = validate(GroundednessFilterSerializer(data=request.query_params))["split"]
        columns = BoardBestOfN(split, compare_settings(actor, release, split))
        return Response(BoardBestOfNSerializer(columns).data)
