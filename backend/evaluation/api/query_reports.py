"""What became of the queries of a submission: read by its submitter and the organiser."""

import uuid

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.api.token_authentication import TOKEN_OR_SESSION
from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.evaluation.failed_rows import locate_failures
from backend.evaluation.policies import get_submission_or_raise
from backend.evaluation.query_reports import FailedQuery, QueryReportView, read_query_report
from backend.evaluation.visibility import ScoreVisibility, score_visibility

FailedQuerySerializer = serializer_of(FailedQuery)
QueryReportSerializer = serializer_of(
    QueryReportView,
    "QueryReport",
    kinds=serializers.DictField(child=serializers.IntegerField()),
    failures=FailedQuerySerializer(many=True, allow_null=True),
)
NO_QUERIES = QueryReportView(0, 0, {}, None)


class SubmissionQueryReport(APIView):
    authentication_classes = TOKEN_OR_SESSION

    @operation("submissions_query_report", QueryReportSerializer)
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Which Cypher queries failed and why; on the test split, how many of each kind."""
        actor = get_actor_or_raise(request)
        submission = get_submission_or_raise(actor, submission_id)
        # How many queries of a test split failed is a score: the Ladder hides it with the others.
        is_shown = score_visibility(actor, submission) == ScoreVisibility.SHOWN
        report = read_query_report(actor, submission) if is_shown else None
        located = locate_failures(submission, report or NO_QUERIES)
        return Response(QueryReportSerializer(located).data)
