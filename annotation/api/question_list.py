"""The questions of a study with the answers of its experts, for its coordinators."""

import uuid
from typing import Any, get_args

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.adjudications import Adjudication
from annotation.api.dashboard_serializers import (
    MeasureSerializer,
    PersonSerializer,
)
from annotation.api.json_fields import EventValue, JsonObject
from annotation.api.serializers import BatchStudySerializer
from annotation.blinding import Sight
from annotation.expert_answers import ExpertAnswer
from annotation.expert_flags import QuestionFlag
from annotation.models import Blinding
from annotation.question_list import (
    STATES,
    AnsweredQuestion,
    Order,
    QuestionFilter,
    QuestionPage,
    read_question_page,
)
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.studies.policies import get_coordinated_study_or_raise

MAX_OFFSET = 1_000_000


class AnsweredQuestionFilterSerializer(serializers.Serializer[Any]):
    order = serializers.ChoiceField(get_args(Order), default="disagreement")
    search = serializers.CharField(
        max_length=120,
        default="",
        allow_blank=True,
        help_text="In questions; with answers, also in comments.",
    )
    batch = serializers.IntegerField(default=None, min_value=1, help_text="The batch's number.")
    outcome = serializers.CharField(
        max_length=40, default="", allow_blank=True, help_text="That at least one answer has."
    )
    has_comment = serializers.BooleanField(default=False)
    state = serializers.ChoiceField(list(STATES), default="", allow_blank=True)
    rater = serializers.UUIDField(default=None, help_text="An expert who answered.")
    agreement_below = serializers.FloatField(
        default=None, help_text="Of the first measure of each question."
    )
    question = serializers.UUIDField(default=None, help_text="This one alone.")
    with_answers = serializers.BooleanField(
        default=True,
        help_text="Reading them is recorded: an adjudication after it is not blind.",
    )
    offset = serializers.IntegerField(min_value=0, max_value=MAX_OFFSET, default=0)


ExpertAnswerSerializer = serializer_of(
    ExpertAnswer,
    expert=PersonSerializer(),
    payload=JsonObject(help_text="The study kind's answer."),
)


SightSerializer = serializer_of(
    Sight, state=serializers.ChoiceField(Blinding.State.choices, allow_blank=True)
)


AdjudicationSerializer = serializer_of(
    Adjudication,
    sight=SightSerializer(),
    first=ExpertAnswerSerializer(),
    revised=ExpertAnswerSerializer(allow_null=True),
)


class QuestionBatchSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)


AnsweredQuestionSerializer = serializer_of(
    AnsweredQuestion,
    batch=QuestionBatchSerializer(),
    shares=MeasureSerializer(many=True),
    measures=MeasureSerializer(many=True),
    answers=ExpertAnswerSerializer(many=True),
    adjudication=AdjudicationSerializer(allow_null=True),
    item=JsonObject(help_text="The study kind's item."),
    initial=JsonObject(help_text="The study kind's answer before anything is changed."),
    consensus=EventValue(allow_null=True, help_text="The study kind's common answer."),
    adjudicated=EventValue(allow_null=True, help_text="In the form of the common answer."),
    flags=serializer_of(QuestionFlag)(many=True),
)


class AnsweredQuestionPageSerializer(serializers.Serializer[QuestionPage]):
    study = BatchStudySerializer()
    questions = serializers.IntegerField(help_text="Of the whole study.")
    total = serializers.IntegerField(help_text="Those that match.")
    offset = serializers.IntegerField()
    results = AnsweredQuestionSerializer(many=True)


class StudyQuestionsView(APIView):
    @operation(
        "study_questions",
        AnsweredQuestionPageSerializer,
        403,
        parameters=[AnsweredQuestionFilterSerializer],
    )
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        """Every question, page by page, with its experts' newest answers unless left out."""
        reader = get_actor_or_raise(request)
        study = get_coordinated_study_or_raise(reader, study_id)
        chosen = validate(AnsweredQuestionFilterSerializer(data=request.query_params))
        page = read_question_page(study, QuestionFilter(**chosen), reader)
        return Response(AnsweredQuestionPageSerializer(page).data)
