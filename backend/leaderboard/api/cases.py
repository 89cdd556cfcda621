"""Cases of public results on dev splits: what was answered to each item, and how good it is."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.common.errors import NotFound
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.evaluation.cases import (
    CaseFilter,
    JudgedCase,
    count_cases,
    get_cases_or_raise,
)
from backend.leaderboard.results import get_result_or_raise
from backend.tracks.text_vectors import ThresholdRow

PAGE = 25
MOST = 100


class CaseQuerySerializer(serializers.Serializer[Any]):
    outcome = serializers.CharField(max_length=40, required=False, default="")
    group = serializers.CharField(max_length=200, required=False, default="")
    text = serializers.CharField(
        max_length=200, required=False, default="", help_text="A part of the question."
    )
    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, required=False, help_text="`next` of the page before."
    )
    limit = serializers.IntegerField(min_value=1, max_value=MOST, required=False, default=PAGE)


class CasePageSerializer(serializers.Serializer[Any]):
    results = serializer_of(JudgedCase)(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="`after` of the next page.")
    count = serializers.IntegerField(help_text="Cases with this outcome, group and text.")
    outcome_names = serializers.ListField(child=serializers.CharField())
    outcomes = serializers.DictField(child=serializers.IntegerField())
    groups = serializers.DictField(child=serializers.IntegerField())
    sweep = serializer_of(ThresholdRow)(
        many=True, help_text="Metrics of the cosine by threshold; empty without an embedder."
    )


class ResultCases(APIView):
    permission_classes = [AllowAny]

    @operation("results_cases", CasePageSerializer, parameters=[CaseQuerySerializer])
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Items of a dev split with their true answers; of a test split there are none."""
        result = get_result_or_raise(get_actor(request), submission_id)
        if result.content is None:
            raise NotFound("This result was withdrawn.", code="withdrawn")
        chosen = validate(CaseQuerySerializer(data=request.query_params))
        listed = get_cases_or_raise(result.submission)
        filtered = CaseFilter(chosen["outcome"], chosen["group"], chosen["text"])
        selected = filtered.select(listed.cases)
        after, limit = chosen.get("after", -1), chosen["limit"]
        page = [one for one in selected if one.position > after][: limit + 1]
        counts = count_cases(listed.cases, filtered)
        payload = {
            "results": page[:limit],
            "next": page[limit - 1].position if len(page) > limit else None,
            "count": len(selected),
            "outcome_names": listed.outcome_names,
            "outcomes": counts.outcomes,
            "groups": dict(sorted(counts.groups.items())),
            "sweep": listed.sweep,
        }
        return Response(CasePageSerializer(payload).data)
