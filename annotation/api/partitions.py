"""Partitions of the questions of a closed study, by its experts' orders."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.partitions import OfMethod, PartitionedStudy, make_partitions_of_study
from backend.accounts.api.actor import actor_of
from backend.common.schema import problems

LARGEST = 32_767  # positions are small integers


class StudyPartitionsSerializer(serializers.Serializer[dict[str, int | None]]):
    size = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST,
        allow_null=True,
        default=None,
        help_text="How many candidates are serendipitous; a fifth of them if left out.",
    )


class OfMethodSerializer(serializers.Serializer[OfMethod]):
    partitions = serializers.IntegerField(help_text="Questions that have one now.")
    new = serializers.IntegerField(help_text="Those that differ from what was there.")
    tied = serializers.IntegerField(
        help_text="Those in which the order of the candidates decided a tie."
    )


class PartitionedStudySerializer(serializers.Serializer[PartitionedStudy]):
    study = serializers.CharField()
    question_set = serializers.UUIDField()
    questions = serializers.IntegerField()
    expert = OfMethodSerializer()
    llm = OfMethodSerializer()
    kept = serializers.IntegerField(
        help_text="Questions whose language model's partition is from elsewhere, and stays."
    )
    few_raters = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Numbers of questions without an experts' partition: fewer than two orders.",
    )
    few_candidates = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Numbers of questions without any: not more candidates than `size`.",
    )
    not_sure_left_out = serializers.IntegerField()
    skipped_left_out = serializers.IntegerField()
    calibrations = serializers.IntegerField(
        help_text="Partitions by RNS whose weights are learnt from these experts now."
    )


class StudyPartitions(APIView):
    @extend_schema(
        operation_id="make_partitions_of_study",
        request=StudyPartitionsSerializer,
        responses={200: PartitionedStudySerializer, **problems(401, 403, 404, 409, 422)},
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Store the top of the experts' common order, and of the order shown first, as partitions.

        Only of a closed study. Asked again, it stores what has changed since, if anything.
        """
        sent = StudyPartitionsSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made = make_partitions_of_study(
            actor=actor_of(request), study_id=study_id, size=sent.validated_data["size"]
        )
        return Response(PartitionedStudySerializer(made).data)
