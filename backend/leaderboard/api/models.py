"""Models with their results over all tracks."""

from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.leaderboard.model_matrix import (
    MatrixRow,
    MatrixTrack,
    list_matrix_rows,
    matrix_tracks,
)
from backend.leaderboard.model_results import ModelResults, get_model_results_or_raise

MODELS_PER_PAGE = 200
ModelResultsSerializer = serializer_of(ModelResults)


class MatrixFilterSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(
        default="", allow_blank=True, max_length=120, help_text="In the model or organisation."
    )
    offset = serializers.IntegerField(min_value=0, max_value=1_000_000, default=0)


class ModelMatrixSerializer(serializers.Serializer[Any]):
    tracks = serializer_of(MatrixTrack)(many=True)
    matching = serializers.IntegerField(help_text="Models that the filter leaves.")
    offset = serializers.IntegerField()
    results = serializer_of(MatrixRow)(many=True)


class ModelResultsView(APIView):
    permission_classes = [AllowAny]

    @operation("models_results", ModelResultsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A model's results on every track: evaluated here, and as the papers print them."""
        results = get_model_results_or_raise(get_actor(request), slug)
        return Response(ModelResultsSerializer(results).data)


class ModelMatrix(APIView):
    permission_classes = [AllowAny]

    @operation("models_matrix", ModelMatrixSerializer, parameters=[MatrixFilterSerializer])
    def get(self, request: Request) -> Response:
        """The main figure of every model on every track, evaluated here and printed apart."""
        chosen = validate(MatrixFilterSerializer(data=request.query_params))
        text, offset = chosen["text"].casefold(), chosen["offset"]
        rows = [
            row
            for row in list_matrix_rows()
            if text in row.name.casefold() or text in row.organisation.casefold()
        ]
        payload = {
            "tracks": matrix_tracks(),
            "matching": len(rows),
            "offset": offset,
            "results": rows[offset : offset + MODELS_PER_PAGE],
        }
        return Response(ModelMatrixSerializer(payload).data)
