from typing import Any

from django.urls import URLPattern, path
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.kinds.ratings.mixed_sets import (
    MAX_SET_NAME_LENGTH,
    MAX_SETS,
    MIN_SETS,
    MixedQueries,
    mix_question_sets,
)
from backend.accounts.api.current_user import get_actor_or_raise
from backend.benchmarks.policies import get_set_or_raise
from backend.common.errors import NotAllowed
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.studies.policies import may_import_studies

MixedQueriesSerializer = serializer_of(MixedQueries)


class MixedSetSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=MAX_SET_NAME_LENGTH, help_text="Of the new question set.")
    question_sets = serializers.ListField(
        child=serializers.UUIDField(),
        min_length=MIN_SETS,
        max_length=MAX_SETS,
        help_text="Question sets that you own, whose questions have the same scales.",
    )


class MixedSetsView(APIView):
    @operation(
        "mix_question_sets",
        MixedQueriesSerializer,
        404,
        409,
        status=201,
        request=MixedSetSerializer,
    )
    def post(self, request: Request) -> Response:
        """One question set of the queries of several, shuffled and without their source.

        The statistics of a study of ratings of this set compare the sources."""
        actor = get_actor_or_raise(request)
        if not may_import_studies(actor):
            raise NotAllowed("Only administrators and coordinators can mix question sets.")
        fields = validate(MixedSetSerializer(data=request.data))
        sets = [get_set_or_raise(actor, one) for one in fields["question_sets"]]
        mixed = mix_question_sets(actor=actor, name=fields["name"], sets=sets)
        return Response(MixedQueriesSerializer(mixed).data, status=201)


urlpatterns: list[URLPattern] = [path("mixed-question-sets", MixedSetsView.as_view())]
