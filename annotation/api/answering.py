"""The expert's routes: her batches, her questions, her answers."""

import uuid
from collections.abc import Callable

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.answers import as_told
from annotation.api.serializers import (
    BatchAssignmentsSerializer,
    ConsentSerializer,
    HomeSerializer,
    LookSerializer,
    ResponseSerializer,
    StaleSerializer,
    WriteSerializer,
)
from annotation.models import Assignment
from annotation.models import Response as Written
from annotation.policies import get_own_batch_or_raise
from annotation.presence import note_presence
from annotation.responses import record_look, write_response
from annotation.studies import batches_of, give_consent
from backend.accounts.api.actor import actor_of
from backend.accounts.models import User
from backend.common.repeats import HEADER, Answer, answer_once, read_key
from backend.common.schema import problems

PROBLEM = "application/problem+json"

KEY = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="New for every write, the same when it is repeated.",
)


class Batches(APIView):
    @extend_schema(operation_id="my_batches", responses={200: HomeSerializer, **problems(401)})
    def get(self, request: Request) -> Response:
        rows = batches_of(actor_of(request))
        needed = {row.batch.study_id: row.consent_needed for row in rows}
        shown = HomeSerializer({"results": rows}, context={"consent_needed": needed})
        return Response(shown.data)


class Consent(APIView):
    @extend_schema(
        operation_id="give_consent",
        request=ConsentSerializer,
        responses={204: None, **problems(401, 403, 404, 422)},
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        sent = ConsentSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        give_consent(
            actor=actor_of(request), study_id=study_id, version=sent.validated_data["version"]
        )
        return Response(status=204)


class BatchAssignments(APIView):
    @extend_schema(
        operation_id="batch_assignments",
        responses={200: BatchAssignmentsSerializer, **problems(401, 403, 404)},
    )
    def get(self, request: Request, batch_id: uuid.UUID) -> Response:
        user = actor_of(request)
        batch = get_own_batch_or_raise(user, batch_id)
        hers = Assignment.objects.filter(batch=batch, expert=user).with_question()
        rows = list(hers.order_by("question__number", "question__file_id"))
        shown = BatchAssignmentsSerializer(
            {"batch": batch, "total": len(rows), "assignments": rows}
        )
        return Response(shown.data)


class Active(APIView):
    @extend_schema(
        operation_id="note_presence", request=None, responses={204: None, **problems(401, 403, 404)}
    )
    def post(self, request: Request, batch_id: uuid.UUID) -> Response:
        user = actor_of(request)
        note_presence(actor=user, batch=get_own_batch_or_raise(user, batch_id))
        return Response(status=204)


class OwnResponse(APIView):
    @extend_schema(
        operation_id="write_response",
        parameters=[KEY],
        request=WriteSerializer,
        responses={
            200: ResponseSerializer,
            (409, PROBLEM): OpenApiResponse(StaleSerializer),
            **problems(400, 401, 403, 404, 413, 422),
        },
    )
    def put(self, request: Request, assignment_id: uuid.UUID) -> Response:
        body = WriteSerializer(data=request.data)
        return _answered_once(
            request,
            assignment_id,
            body,
            lambda user: write_response(actor=user, assignment_id=assignment_id, sent=body.sent()),
        )


class Looks(APIView):
    @extend_schema(
        operation_id="record_look",
        parameters=[KEY],
        request=LookSerializer,
        responses={200: ResponseSerializer, **problems(400, 401, 403, 404, 409, 413, 422)},
    )
    def post(self, request: Request, assignment_id: uuid.UUID) -> Response:
        body = LookSerializer(data=request.data)
        return _answered_once(
            request,
            assignment_id,
            body,
            lambda user: record_look(actor=user, assignment_id=assignment_id, look=body.look()),
        )


def _answered_once(
    request: Request,
    assignment_id: uuid.UUID,
    body: LookSerializer,
    write: Callable[[User], Written],
) -> Response:
    """The response as it is after the write, however often the write comes."""
    user, key = actor_of(request), read_key(request)
    body.is_valid(raise_exception=True)
    answer = answer_once(
        owner=user.id,
        key=key,
        content={"assignment": str(assignment_id), "body": request.data},
        write=lambda: Answer(as_told(write(user))),
    )
    return Response(answer.body, status=answer.status)
