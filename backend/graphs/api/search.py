"""Search for entities by name while typing, or by the content of their documents."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.serializers import EntitySummarySerializer
from backend.graphs.entity_details import entity_summary
from backend.graphs.graph_access import OpenGraph
from backend.graphs.search.query import SearchResult, search_graph
from backend.graphs.search.snippets import Snippet

MAX_QUERY_LENGTH = 500
MAX_RESULTS = 100
SEARCH_MODES = ("names", "documents", "hybrid")
MATCH_KINDS = ("identifier", "name", "synonym", "prefix", "typo", "document")


class SearchQuery(serializers.Serializer[Any]):
    q = serializers.CharField(max_length=MAX_QUERY_LENGTH, allow_blank=True, trim_whitespace=False)
    types = serializers.ListField(
        child=serializers.CharField(max_length=MAX_QUERY_LENGTH, trim_whitespace=False),
        max_length=MAX_RESULTS,
        required=False,
        help_text="Only entities of these types; repeated for several.",
    )
    limit = serializers.IntegerField(default=20, min_value=1, max_value=MAX_RESULTS)
    mode = serializers.ChoiceField(SEARCH_MODES, default="names")


SnippetSerializer = serializer_of(Snippet)


class MatchedSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(MATCH_KINDS)
    text = serializers.CharField(
        allow_blank=True, help_text="The matched text, as in the source file."
    )
    snippet = SnippetSerializer(allow_null=True)


class ResultSerializer(EntitySummarySerializer):
    matched = MatchedSerializer()


class FacetSerializer(serializers.Serializer[Any]):
    type = serializers.CharField(allow_blank=True)
    count = serializers.IntegerField()


class SearchSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    results = ResultSerializer(many=True)
    facets = FacetSerializer(
        many=True, help_text="Counts of all matches, including types that are filtered out."
    )


class SearchView(GraphReadView):
    @operation("graph_search", SearchSerializer, parameters=[SearchQuery, SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """Ranked by match: identifier, name, synonym, prefix, then typing errors.

        `mode` documents ranks by similarity of documents; hybrid fuses both rankings.
        """
        query = self.validated_query(request, SearchQuery)
        opened = self.get_open_graph(request, slug)
        return self.respond(opened, lambda: search_payload(opened, query))

    def is_cacheable(self) -> bool:
        """Document search is not cached: it depends on the embedder of the version."""
        return self.request.query_params.get("mode", "names") == "names"


def search_payload(opened: OpenGraph, query: Mapping[str, Any]) -> dict[str, Any]:
    answer = search_graph(
        opened, query["q"], mode=query["mode"], types=query.get("types"), limit=query["limit"]
    )
    return {
        "results": [result_payload(opened, result) for result in answer.results],
        "facets": [{"type": name, "count": count} for name, count in answer.facets],
    }


def result_payload(opened: OpenGraph, result: SearchResult) -> dict[str, Any]:
    snippet = result.snippet and asdict(result.snippet)
    matched = {"kind": result.match_kind, "text": result.text, "snippet": snippet}
    return {**entity_summary(opened.snapshot, result.entity), "matched": matched}
