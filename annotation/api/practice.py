"""The practice question, for everybody."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.practice import Practice, PracticeCandidate, PracticeQuestion, practice_question


class PracticeResourceSerializer(serializers.Serializer[dict[str, str]]):
    name = serializers.CharField()
    link = serializers.CharField(allow_blank=True)


class PracticeCandidateSerializer(serializers.Serializer[PracticeCandidate]):
    id = serializers.CharField()
    name = serializers.CharField()
    link = serializers.CharField(allow_blank=True)
    prior_rank = serializers.IntegerField()
    hint = serializers.CharField()


class PracticeSourceSerializer(serializers.Serializer[dict[str, str]]):
    claim = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field, not the option
    url = serializers.CharField(allow_blank=True)


class PracticeQuestionSerializer(serializers.Serializer[PracticeQuestion]):
    id = serializers.CharField()
    file_id = serializers.CharField()
    number = serializers.IntegerField()
    text = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    resources = PracticeResourceSerializer(many=True)
    candidates = PracticeCandidateSerializer(many=True)
    prior = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class PracticeSerializer(serializers.Serializer[Practice]):
    question = PracticeQuestionSerializer()
    explanation = serializers.CharField()
    sources = PracticeSourceSerializer(many=True)


class PracticeView(APIView):
    authentication_classes = []
    permission_classes = [AllowAny]

    @extend_schema(operation_id="practice_question", responses=PracticeSerializer)
    def get(self, request: Request) -> Response:
        return Response(PracticeSerializer(practice_question()).data)
