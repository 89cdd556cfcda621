"""One search for the whole site: entities of graphs, questions, releases and models."""

from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.models import Model, Question, Release
from backend.benchmarks.text_search import search_models, search_questions, search_releases
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.search import MAX_QUERY_LENGTH, ResultSerializer, result_payload
from backend.graphs.search.several_graphs import GraphMatch, search_graphs

MAX_RESULTS = 20  # of each kind


class SiteSearchQuery(serializers.Serializer[Any]):
    q = serializers.CharField(max_length=MAX_QUERY_LENGTH, allow_blank=True, trim_whitespace=False)
    graph = serializers.CharField(
        default="",
        max_length=100,
        allow_blank=True,
        help_text="A graph's short name; entities of all graphs if empty.",
    )
    snapshot = serializers.CharField(
        default="", max_length=200, allow_blank=True, help_text="A version of that graph."
    )
    limit = serializers.IntegerField(
        default=6, min_value=1, max_value=MAX_RESULTS, help_text="Of each kind."
    )


class EntityMatchSerializer(ResultSerializer):
    graph = serializers.CharField(help_text="The graph's short name.")
    graph_name = serializers.CharField()


class QuestionMatchSerializer(serializers.ModelSerializer[Question]):
    question_set = serializers.CharField(source="question_set.name")

    class Meta:
        model = Question
        fields = ("id", "text", "question_set")


class ReleaseMatchSerializer(serializers.ModelSerializer[Release]):
    class Meta:
        model = Release
        fields = ("slug", "name", "track")


class ModelMatchSerializer(serializers.ModelSerializer[Model]):
    class Meta:
        model = Model
        fields = ("slug", "name", "organisation")


class SiteSearchSerializer(serializers.Serializer[Any]):
    entities = EntityMatchSerializer(many=True)
    questions = QuestionMatchSerializer(many=True)
    releases = ReleaseMatchSerializer(many=True)
    models = ModelMatchSerializer(many=True)
    skipped_graphs = serializers.IntegerField(help_text="Visible graphs that were not searched.")


class SiteSearch(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "site_search"

    @operation("site_search", SiteSearchSerializer, 429, parameters=[SiteSearchQuery])
    def get(self, request: Request) -> Response:
        """Entities, questions, releases and models that you may see, the best of each."""
        query = validate(SiteSearchQuery(data=request.query_params))
        user, q, limit = get_actor(request), query["q"], query["limit"]
        graphs = search_graphs(
            user, q, slug=query["graph"], snapshot=query["snapshot"], limit=limit
        )
        payload = {
            "entities": [_entity_payload(match) for match in graphs.matches],
            "questions": search_questions(user, q, limit),
            "releases": search_releases(user, q, limit),
            "models": search_models(user, q, limit),
            "skipped_graphs": graphs.skipped_graphs,
        }
        return Response(SiteSearchSerializer(payload).data)


def _entity_payload(match: GraphMatch) -> dict[str, Any]:
    graph = match.graph.graph
    return {
        **result_payload(match.graph, match.result),
        "graph": graph.slug,
        "graph_name": graph.name,
    }
