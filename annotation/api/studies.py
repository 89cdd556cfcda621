"""The coordinator's routes: her studies, their boards, their experts."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.board_serializers import (
    BatchesSerializer,
    BoardSerializer,
    StatusSerializer,
    StudiesSerializer,
    StudySerializer,
)
from annotation.assignments import set_expert_batches
from annotation.board import read_board
from annotation.models import Study
from annotation.policies import get_coordinated_study_or_raise
from annotation.studies import change_status, coordinated_studies, study_for
from backend.accounts.api.actor import actor_of
from backend.accounts.models import User
from backend.common.schema import problems


class Studies(APIView):
    @extend_schema(operation_id="my_studies", responses={200: StudiesSerializer, **problems(401)})
    def get(self, request: Request) -> Response:
        rows = coordinated_studies(actor_of(request))
        return Response(StudiesSerializer({"results": rows}).data)


class OneStudy(APIView):
    @extend_schema(
        operation_id="study", responses={200: StudySerializer, **problems(401, 403, 404)}
    )
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        user = actor_of(request)
        return _told(user, get_coordinated_study_or_raise(user, study_id))

    @extend_schema(
        operation_id="change_study",
        request=StatusSerializer,
        responses={200: StudySerializer, **problems(401, 403, 404, 422)},
    )
    def patch(self, request: Request, study_id: uuid.UUID) -> Response:
        user = actor_of(request)
        sent = StatusSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        status = Study.Status(sent.validated_data["status"])
        return _told(user, change_status(actor=user, study_id=study_id, status=status))


class StudyBoard(APIView):
    @extend_schema(
        operation_id="study_board", responses={200: BoardSerializer, **problems(401, 403, 404)}
    )
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        study = get_coordinated_study_or_raise(actor_of(request), study_id)
        return Response(BoardSerializer(read_board(study)).data)


class ExpertBatches(APIView):
    @extend_schema(
        operation_id="set_expert_batches",
        request=BatchesSerializer,
        responses={200: BatchesSerializer, **problems(401, 403, 404, 409, 422)},
    )
    def put(self, request: Request, study_id: uuid.UUID, expert_id: uuid.UUID) -> Response:
        sent = BatchesSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        batches = set_expert_batches(
            actor=actor_of(request),
            study_id=study_id,
            expert_id=expert_id,
            batch_ids=sent.validated_data["batches"],
        )
        return Response(BatchesSerializer({"batches": [batch.id for batch in batches]}).data)


def _told(user: User, study: Study) -> Response:
    return Response(StudySerializer(study_for(user, study)).data)
