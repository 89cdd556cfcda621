import uuid

from django.urls import URLPattern, path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.kinds.written_queries.query_sets import WrittenQueries, store_written_queries
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of

WrittenQueriesSerializer = serializer_of(WrittenQueries)


class StudyQueriesView(APIView):
    @operation("store_queries_of_study", WrittenQueriesSerializer, 409, request=None)
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Store the queries that experts wrote as a question set, and count which are verified.

        A study of ratings of this set verifies them. Repeating it stores only what is new."""
        stored = store_written_queries(actor=get_actor_or_raise(request), study_id=study_id)
        return Response(WrittenQueriesSerializer(stored).data)


urlpatterns: list[URLPattern] = [
    path("studies/<uuid:study_id>/queries", StudyQueriesView.as_view())
]
