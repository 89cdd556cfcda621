"""How problems look in the OpenAPI schema; views name the statuses that they may answer."""

from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers


class FaultSerializer(serializers.Serializer[object]):
    place = serializers.CharField()
    message = serializers.CharField()
    code = serializers.CharField()
    expected = serializers.CharField()


class ProblemSerializer(serializers.Serializer[object]):
    """application/problem+json; some codes add members of their own."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    errors = FaultSerializer(many=True)  # type: ignore[assignment]  # a field, not the property


def problems(*statuses: int) -> dict[tuple[int, str], OpenApiResponse]:
    """Entries for extend_schema(responses={200: …, **problems(404, 409)})."""
    return {
        (status, "application/problem+json"): OpenApiResponse(ProblemSerializer)
        for status in statuses
    }
