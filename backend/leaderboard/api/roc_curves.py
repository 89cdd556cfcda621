"""ROC curves of later links, where their answers are public."""

from dataclasses import asdict

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.policies import get_release_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.leaderboard.api.discoveries import ForecasterSerializer
from backend.leaderboard.roc_curves import EntryCurve, RocCurve, RocCurves, list_roc_curves

RocCurveSerializer = serializer_of(
    RocCurve,
    points=serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2),
        help_text="False and true positive rate by falling score, from (0, 0) to (1, 1).",
    ),
)
RocCurvesSerializer = serializer_of(
    RocCurves,
    degrees=RocCurveSerializer(allow_null=True),
    results=serializer_of(EntryCurve, entry=ForecasterSerializer(), curve=RocCurveSerializer())(
        many=True
    ),
)


class BoardRocCurves(APIView):
    permission_classes = [AllowAny]

    @operation("boards_roc_curves", RocCurvesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Of the five best entries, on the dev split or the board of a sealed release."""
        release = get_release_or_raise(get_actor(request), slug)
        return Response(RocCurvesSerializer(asdict(list_roc_curves(release))).data)
