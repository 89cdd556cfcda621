"""An expert's routes: assigned batches, their questions, responses and activity."""

import uuid

from django.db.models import QuerySet, prefetch_related_objects
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.activity import ActivityEntry, record_activity
from annotation.api.serializers import (
    ActivitySerializer,
    AssignedBatchesSerializer,
    BatchAssignmentsSerializer,
    LeaseSerializer,
    RecordedActivitySerializer,
    ResponseSerializer,
    ResponseWriteSerializer,
    StudyKindsSerializer,
    VersionConflictSerializer,
)
from annotation.comparison import AnswerComparison, compare_with_others
from annotation.contributions import Contribution, read_contribution
from annotation.kinds.registry import study_kinds
from annotation.models import Action, Assignment, Batch
from annotation.policies import get_own_batch_or_raise
from annotation.pool import count_available, lease_questions
from annotation.presence import record_presence
from annotation.qualification import own_qualifications
from annotation.responses import ResponseWrite, serialize_response, write_in_transaction
from annotation.studies import assigned_batches, coordinator_names
from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import User
from backend.common.idempotency import HEADER, StoredResponse, read_key, run_once
from backend.common.openapi import operation
from backend.common.prepared_queries import PreparedQuery
from backend.common.serializers import serializer_of, validate, validate_with

PROBLEM_CONTENT_TYPE = "application/problem+json"
_WRITE, _ACTIVITY = ResponseWriteSerializer(), ActivitySerializer()

IDEMPOTENCY_KEY_PARAMETER = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="New for every write, the same when it is repeated.",
)


class StudyKindsView(APIView):
    authentication_classes = []
    permission_classes = [AllowAny]

    @operation("study_kinds", StudyKindsSerializer)
    def get(self, request: Request) -> Response:
        """The study kinds of this installation, with the outcomes of their responses."""
        kinds = list(study_kinds().values())
        return Response(StudyKindsSerializer({"results": kinds}).data)


class AssignedBatchesView(APIView):
    @operation("my_batches", AssignedBatchesSerializer)
    def get(self, request: Request) -> Response:
        user = get_actor_or_raise(request)
        rows = assigned_batches(user)
        to_read = {row.batch.study_id: row.to_read for row in rows}
        context = {
            "to_read": to_read,
            "coordinators": coordinator_names(to_read),
            "qualifications": own_qualifications(user.id, to_read),
        }
        shown = AssignedBatchesSerializer({"results": rows}, context=context)
        return Response(shown.data)


class BatchAssignmentsView(APIView):
    @operation("batch_assignments", BatchAssignmentsSerializer, 403)
    def get(self, request: Request, batch_id: uuid.UUID) -> Response:
        user = get_actor_or_raise(request)
        return _batch_assignments(user, get_own_batch_or_raise(user, batch_id))


class LeasesView(APIView):
    @operation("lease_questions", BatchAssignmentsSerializer, 403, 409, request=LeaseSerializer)
    def post(self, request: Request, batch_id: uuid.UUID) -> Response:
        """Take questions of a pool until so many are open; where there is no pool, none."""
        user = get_actor_or_raise(request)
        count = validate(LeaseSerializer(data=request.data))["count"]
        batch = get_own_batch_or_raise(user, batch_id)
        lease_questions(actor=user, study_id=batch.study_id, count=count, batch=batch.id)
        return _batch_assignments(user, batch)


def _shown_assignments(expert: uuid.UUID, batch: uuid.UUID) -> QuerySet[Assignment]:
    own = Assignment.objects.not_released().filter(batch=batch, expert=expert)
    return own.with_item_fields().with_response().order_by("question__number", "question__file_id")


_shown = PreparedQuery(_shown_assignments, expert=uuid.uuid4(), batch=uuid.uuid4())


def _batch_assignments(user: User, batch: Batch) -> Response:
    rows = _shown.fetch(expert=user.pk, batch=batch.pk)
    prefetch_related_objects(rows, "question__candidates", "question__resources")
    available = count_available(user, batch.id).get(batch.id, 0)
    shown = BatchAssignmentsSerializer(
        {"batch": batch, "total": len(rows), "available": available, "assignments": rows}
    )
    return Response(shown.data)


class ComparisonView(APIView):
    @operation("batch_comparison", serializer_of(AnswerComparison), 403, 409)
    def get(self, request: Request, batch_id: uuid.UUID) -> Response:
        """How the other experts answered, once the study is closed."""
        user = get_actor_or_raise(request)
        batch = get_own_batch_or_raise(user, batch_id)
        shown = compare_with_others(expert=user, batch=batch)
        return Response(serializer_of(AnswerComparison)(shown).data)


class ContributionView(APIView):
    @operation("contribution", serializer_of(Contribution), 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        """What the expert did for this study, to be cited."""
        user = get_actor_or_raise(request)
        shown = read_contribution(actor=user, study_id=study_id)
        return Response(serializer_of(Contribution)(shown).data)


class PresenceView(APIView):
    @operation("record_presence", None, status=204, request=None)
    def post(self, request: Request, batch_id: uuid.UUID) -> Response:
        user = get_actor_or_raise(request)
        record_presence(actor=user, batch=get_own_batch_or_raise(user, batch_id))
        return Response(status=204)


class ResponseView(APIView):
    @operation(
        "write_response",
        {
            200: ResponseSerializer,
            (409, PROBLEM_CONTENT_TYPE): OpenApiResponse(VersionConflictSerializer),
        },
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=ResponseWriteSerializer,
    )
    def put(self, request: Request, assignment_id: uuid.UUID) -> Response:
        """Save a draft, submit an answer or skip the question."""
        sent = request.data
        user, key = get_actor_or_raise(request), read_key(request)
        values = validate_with(_WRITE, sent)
        action = Action(values.pop("action"))

        def write() -> StoredResponse:
            written = write_in_transaction(
                actor=user,
                assignment_id=assignment_id,
                write=ResponseWrite(action=action, **values),
            )
            return StoredResponse(serialize_response(written))

        content = {"assignment": str(assignment_id), "body": sent}
        stored = run_once(owner=user.id, key=key, content=content, write=write)
        return Response(stored.body, status=stored.status)


class ActivityView(APIView):
    @operation("record_activity", RecordedActivitySerializer, 409, request=ActivitySerializer)
    def post(self, request: Request, assignment_id: uuid.UUID) -> Response:
        """Add entries to the activity log. Known entries are ignored; the order is free.

        The kind `message_sent` is a message to the coordinators, with its text as `new`.
        """
        user = get_actor_or_raise(request)
        values = validate_with(_ACTIVITY, request.data)
        recorded = record_activity(
            actor=user,
            assignment_id=assignment_id,
            entries=[ActivityEntry(**entry) for entry in values["entries"]],
            interface=values["interface"],
        )
        return Response({"recorded": recorded})
