"""Words and answers of the questions of a set."""

import uuid

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.policies import get_set_or_raise, visible_questions
from backend.benchmarks.question_statistics import QuestionStatistics, describe_questions
from backend.common.openapi import operation
from backend.common.serializers import serializer_of

QuestionStatisticsSerializer = serializer_of(QuestionStatistics)


class SetStatistics(APIView):
    permission_classes = [AllowAny]

    @operation("question_set_statistics", QuestionStatisticsSerializer)
    def get(self, request: Request, set_id: uuid.UUID) -> Response:
        """Lengths, answers and diversity of words of the questions that the user may see."""
        actor = get_actor(request)
        question_set = get_set_or_raise(actor, set_id)
        visible = visible_questions(actor).filter(question_set=question_set)
        return Response(QuestionStatisticsSerializer(describe_questions(visible)).data)
