"""Who takes part in a study: experts who leave it, conflicts of interest, own data."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.dashboard_serializers import PersonSerializer
from annotation.assignments import BatchTags, list_needed_tags, set_needed_tags
from annotation.conflicts import (
    MAX_REASON_LENGTH,
    DeclaredConflict,
    declare_conflict,
    list_conflicts,
)
from annotation.departures import Departure, list_departures, remove_expert, withdraw_from_study
from annotation.own_data import export_own_data
from annotation.shortages import Shortage, ShortageReason, find_shortage
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.downloads import send_file
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.studies.api.serializers import TagsSerializer
from backend.studies.expertise import ExpertReading, list_expert_readings
from backend.studies.policies import get_coordinated_study_or_raise


@dataclass(frozen=True)
class Participation:
    """shortage: of a pool, the questions that cannot get all their answers."""

    experts: list[ExpertReading]
    batches: list[BatchTags]
    departures: list[Departure]
    conflicts: list[DeclaredConflict]
    shortage: Shortage | None


ParticipationSerializer = serializer_of(
    Participation,
    experts=serializer_of(ExpertReading)(many=True),
    batches=serializer_of(BatchTags)(many=True),
    departures=serializer_of(Departure, expert=PersonSerializer())(many=True),
    conflicts=serializer_of(DeclaredConflict, expert=PersonSerializer())(many=True),
    shortage=serializer_of(Shortage, reasons=serializer_of(ShortageReason)(many=True))(
        allow_null=True
    ),
)


class LeavingSerializer(serializers.Serializer[Any]):
    with_answers = serializers.BooleanField(
        help_text="Whether the answers are withdrawn too; they count no more, and stay stored."
    )


class ConflictSerializer(serializers.Serializer[Any]):
    expert_id = serializers.UUIDField()
    batch = serializers.IntegerField(min_value=0, help_text="Its number.")
    question = serializers.IntegerField(min_value=0, help_text="Its number.")
    reason = serializers.CharField(max_length=MAX_REASON_LENGTH)


class ParticipationView(APIView):
    @operation("study_participation", ParticipationSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        """The experts with their expertise, who left, conflicts of interest, and what lacks."""
        study = get_coordinated_study_or_raise(get_actor_or_raise(request), study_id)
        shown = Participation(
            experts=list_expert_readings(study),
            batches=list_needed_tags(study),
            departures=list_departures(study),
            conflicts=list_conflicts(study),
            shortage=find_shortage(study),
        )
        return Response(ParticipationSerializer(shown).data)


class WithdrawalView(APIView):
    @operation("withdraw_from_study", None, 403, 409, status=204, request=LeavingSerializer)
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Leave the study as its expert. An invitation brings you back."""
        fields = validate(LeavingSerializer(data=request.data))
        withdraw_from_study(actor=get_actor_or_raise(request), study_id=study_id, **fields)
        return Response(status=204)


class RemovalView(APIView):
    @operation("remove_expert", None, 403, 409, status=204, request=LeavingSerializer)
    def post(self, request: Request, study_id: uuid.UUID, expert_id: uuid.UUID) -> Response:
        fields = validate(LeavingSerializer(data=request.data))
        remove_expert(
            actor=get_actor_or_raise(request), study_id=study_id, expert_id=expert_id, **fields
        )
        return Response(status=204)


class ConflictsView(APIView):
    @operation("declare_conflict", None, 403, 409, status=204, request=ConflictSerializer)
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """The expert never gets the question; what they have of it is withdrawn."""
        fields = validate(ConflictSerializer(data=request.data))
        declare_conflict(actor=get_actor_or_raise(request), study_id=study_id, **fields)
        return Response(status=204)


class NeededTagsView(APIView):
    @operation("set_needed_tags", TagsSerializer, 403, 409, request=TagsSerializer)
    def put(self, request: Request, study_id: uuid.UUID, batch_id: uuid.UUID) -> Response:
        """Replace the expertise that the experts of a pool need for this batch."""
        tags = set_needed_tags(
            actor=get_actor_or_raise(request),
            study_id=study_id,
            batch_id=batch_id,
            tags=validate(TagsSerializer(data=request.data))["tags"],
        )
        return Response({"tags": tags})


class OwnDataView(APIView):
    @operation("own_data", {(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request) -> StreamingHttpResponse:
        """Your part in studies, as one file: answers with their history, consents, activity."""
        parts = (part.encode() for part in export_own_data(get_actor_or_raise(request)))
        name = f"my-data-{timezone.now():%Y-%m-%d}.json"
        return send_file(request, lambda file: file.writelines(parts), name, "application/json")
