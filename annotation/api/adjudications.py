"""A coordinator's routes for single questions: decisions, the queue, and adjudication."""

import uuid
from typing import Any, get_args

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.adjudication_queue import QueuedQuestion, read_queue
from annotation.adjudications import reopen_adjudication, take_adjudication
from annotation.api.dashboard_serializers import PersonSerializer
from annotation.api.question_list import QuestionBatchSerializer, SightSerializer
from annotation.api.serializers import BatchAssignmentsSerializer
from annotation.blinding import current_sight, sight_of
from annotation.models import Assignment, Batch
from annotation.question_decisions import QuestionAction, decide_on_questions
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.studies.policies import get_coordinated_study_or_raise

MAX_QUESTIONS = 1000
MAX_REASON = 1000


class QuestionDecisionSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(
        get_args(QuestionAction),
        help_text="'leave' and 'include' take back the action before them.",
    )
    questions = serializers.ListField(
        child=serializers.UUIDField(), min_length=1, max_length=MAX_QUESTIONS
    )
    reason = serializers.CharField(
        max_length=MAX_REASON, default="", allow_blank=True, help_text="Needed to exclude."
    )


class DecidedQuestionsSerializer(serializers.Serializer[Any]):
    changed = serializers.IntegerField()


class QuestionDecisionsView(APIView):
    @operation(
        "decide_on_questions", DecidedQuestionsSerializer, 403, request=QuestionDecisionSerializer
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Release, adjudicate or exclude several questions, or take that back."""
        body = validate(QuestionDecisionSerializer(data=request.data))
        changed = decide_on_questions(
            actor=get_actor_or_raise(request),
            study_id=study_id,
            action=body["action"],
            question_ids=body["questions"],
            reason=body["reason"],
        )
        return Response({"changed": changed})


QueuedQuestionSerializer = serializer_of(
    QueuedQuestion,
    batch=QuestionBatchSerializer(),
    adjudicator=PersonSerializer(allow_null=True),
    sight=SightSerializer(),
)


class AdjudicationQueueSerializer(serializers.Serializer[Any]):
    results = QueuedQuestionSerializer(many=True)


class AdjudicationQueueView(APIView):
    @operation("adjudication_queue", AdjudicationQueueSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        """What waits for adjudication, without anything of the experts' answers."""
        reader = get_actor_or_raise(request)
        study = get_coordinated_study_or_raise(reader, study_id)
        return Response(AdjudicationQueueSerializer({"results": read_queue(study, reader)}).data)


class TakenAdjudicationSerializer(BatchAssignmentsSerializer):
    sight = SightSerializer(help_text="What you had seen of the experts' answers.")


class AdjudicationView(APIView):
    @operation("take_adjudication", TakenAdjudicationSerializer, 403, 409, request=None)
    def post(self, request: Request, study_id: uuid.UUID, question_id: uuid.UUID) -> Response:
        """Begin or continue an adjudication: the question alone, as an expert gets it."""
        taken = take_adjudication(
            actor=get_actor_or_raise(request), study_id=study_id, question_id=question_id
        )
        own = Assignment.objects.filter(id=taken.id).with_item().with_response().get()
        batch = Batch.objects.with_guidelines().get(id=own.batch_id)
        shown = {"batch": batch, "total": 1, "available": 0, "assignments": [own]}
        is_open = own in Assignment.objects.blind().filter(id=own.id)
        sight = current_sight(own) if is_open else sight_of(own)
        return Response(TakenAdjudicationSerializer({**shown, "sight": sight}).data)


class AdjudicationReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=MAX_REASON)


class ReopenedAdjudicationView(APIView):
    @operation(
        "reopen_adjudication", None, 403, 409, status=204, request=AdjudicationReasonSerializer
    )
    def post(self, request: Request, assignment_id: uuid.UUID) -> Response:
        """Allow one revision of an own adjudication, for this reason."""
        body = validate(AdjudicationReasonSerializer(data=request.data))
        reopen_adjudication(
            actor=get_actor_or_raise(request), assignment_id=assignment_id, reason=body["reason"]
        )
        return Response(status=204)
