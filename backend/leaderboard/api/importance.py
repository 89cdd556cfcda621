"""Components of the importance of later links, where they are public."""

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
from backend.leaderboard.importance_components import (
    ImportanceComponent,
    ImportanceComponents,
    ValueBin,
    measure_components,
)

ImportanceComponentsSerializer = serializer_of(
    ImportanceComponents,
    components=serializer_of(ImportanceComponent, bins=serializer_of(ValueBin)(many=True))(
        many=True
    ),
    missing=serializers.ListField(child=serializers.CharField()),
    correlations=serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField(allow_null=True)),
        help_text="Spearman's, of each component with each, in their order.",
    ),
)


class BoardImportance(APIView):
    permission_classes = [AllowAny]

    @operation("boards_importance", ImportanceComponentsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """How each component of importance is spread over the true links, and how they go together.

        Of the dev split, or of the board of a sealed release.
        """
        release = get_release_or_raise(get_actor(request), slug)
        return Response(asdict(measure_components(release)))
