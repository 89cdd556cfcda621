"""Plans of studies that do not exist yet."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.study_plans import (
    JUDGEMENTS,
    MAX_HOURS,
    MAX_RATERS,
    MAX_REQUESTED,
    MAX_SECONDS,
    PlanRequest,
    StudyPlan,
    read_plan,
)
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.errors import NotAllowed
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.studies.policies import may_import_studies


class PlanRequestSerializer(serializers.Serializer[Any]):
    judgement = serializers.ChoiceField([(name, one.label) for name, one in JUDGEMENTS.items()])
    raters = serializers.IntegerField(min_value=1, max_value=MAX_RATERS)
    items = serializers.IntegerField(
        min_value=1,
        max_value=MAX_REQUESTED,
        default=None,
        allow_null=True,
        help_text="Or give `hours_per_rater`.",
    )
    hours_per_rater = serializers.FloatField(
        min_value=0,
        max_value=MAX_HOURS,
        default=None,
        allow_null=True,
        help_text="Instead of `items`: as many as fit into these hours are planned.",
    )
    overlap = serializers.IntegerField(
        min_value=1, default=PlanRequest.overlap, help_text="Raters of each item."
    )
    seconds = serializers.FloatField(
        min_value=0,
        max_value=MAX_SECONDS,
        default=PlanRequest.seconds,
        help_text="Active time of one judgement.",
    )
    preference = serializers.FloatField(
        min_value=0.01,
        max_value=0.99,
        default=PlanRequest.preference,
        help_text="Of pairs: the share that prefers one arm.",
    )
    candidates = serializers.IntegerField(
        min_value=2,
        max_value=50,
        default=PlanRequest.candidates,
        help_text="Of rankings: candidates of a question.",
    )


class StudyPlansView(APIView):
    @operation("plan_study", serializer_of(StudyPlan), request=PlanRequestSerializer)
    def post(self, request: Request) -> Response:
        """What a study of this size will show, by simulation. Nothing is stored."""
        if not may_import_studies(get_actor_or_raise(request)):
            raise NotAllowed("Only administrators and coordinators can plan a study.")
        plan = read_plan(PlanRequest(**validate(PlanRequestSerializer(data=request.data))))
        return Response(serializer_of(StudyPlan)(plan).data)
