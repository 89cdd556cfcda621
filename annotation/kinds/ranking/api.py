import uuid

from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.kinds.items import Resource
from annotation.kinds.ranking.partition_requests import request_consensus_partitions
from annotation.kinds.ranking.partitions import ConsensusPartitions
from annotation.kinds.ranking.practice import PracticeItem, PracticeTask, practice_tasks
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate

CACHE_SECONDS = 300
MAX_SIZE = 32_767  # positions are small integers

ResourceSerializer = serializer_of(Resource, "PracticeResource")
ItemSerializer = serializer_of(PracticeItem, resources=ResourceSerializer(many=True))
PracticeTaskSerializer = serializer_of(PracticeTask, item=ItemSerializer())
ConsensusPartitionsSerializer = serializer_of(ConsensusPartitions)


class PracticeListSerializer(serializers.Serializer[object]):
    results = PracticeTaskSerializer(many=True)


class PracticeView(APIView):
    authentication_classes = []
    permission_classes = [AllowAny]

    @operation("practice_questions", PracticeListSerializer)
    @method_decorator(cache_control(public=True, max_age=CACHE_SECONDS))
    def get(self, request: Request) -> Response:
        return Response(PracticeListSerializer({"results": practice_tasks()}).data)


class StudyPartitionsSerializer(serializers.Serializer[object]):
    size = serializers.IntegerField(
        min_value=1,
        max_value=MAX_SIZE,
        allow_null=True,
        default=None,
        help_text="How many candidates are serendipitous; a fifth of them if left out.",
    )
    use_adjudicated = serializers.BooleanField(
        default=False, help_text="An adjudicated order replaces the experts' common order."
    )


class StudyPartitionsView(APIView):
    @operation(
        "make_partitions_of_study",
        ConsensusPartitionsSerializer,
        409,
        request=StudyPartitionsSerializer,
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Store the top of the experts' common order, and of the prior, as partitions.

        While the study is open, those who manage its set alone see them. Repeating it stores only
        what has changed since. A job adds the probabilities of studies with many answers."""
        body = validate(StudyPartitionsSerializer(data=request.data))
        created = request_consensus_partitions(
            actor=get_actor_or_raise(request), study_id=study_id, **body
        )
        return Response(ConsensusPartitionsSerializer(created).data)


urlpatterns: list[URLPattern] = [
    path("practice-questions", PracticeView.as_view()),
    path("studies/<uuid:study_id>/partitions", StudyPartitionsView.as_view()),
]
