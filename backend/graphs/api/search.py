"""Finding entities while somebody types, or by what their documents say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.schema import problems
from backend.graphs.api.reading import SNAPSHOT, GraphRead
from backend.graphs.api.serializers import BriefSerializer
from backend.graphs.entities import brief
from backend.graphs.reading import OpenGraph
from backend.graphs.search.asking import Result, ask

LONGEST = 500
MOST = 100
MODES = ("names", "documents", "hybrid")
KINDS = ("identifier", "name", "synonym", "prefix", "typo", "document")


class SearchQuery(serializers.Serializer[Any]):
    q = serializers.CharField(max_length=LONGEST, allow_blank=True, trim_whitespace=False)
    types = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST, trim_whitespace=False),
        max_length=MOST,
        required=False,
        help_text="Only entities of these types; repeated for several.",
    )
    limit = serializers.IntegerField(default=20, min_value=1, max_value=MOST)
    mode = serializers.ChoiceField(MODES, default="names")


class SnippetSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # a field, not the base's own source


class MatchedSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(KINDS)
    text = serializers.CharField(allow_blank=True, help_text="What was met, as its file has it.")
    snippet = SnippetSerializer(allow_null=True)


class ResultSerializer(BriefSerializer):
    matched = MatchedSerializer()


class FacetSerializer(serializers.Serializer[Any]):
    type = serializers.CharField(allow_blank=True)
    count = serializers.IntegerField()


class SearchSerializer(serializers.Serializer[Any]):
    snapshot = serializers.CharField()
    results = ResultSerializer(many=True)
    facets = FacetSerializer(many=True, help_text="All that was met, also of types not wanted.")


class Searching(GraphRead):
    @extend_schema(
        operation_id="graph_search",
        parameters=[SearchQuery, SNAPSHOT],
        responses={200: SearchSerializer, **problems(404, 422, 503)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Exact identifiers, names, synonyms, then what begins so, then what was mistyped.

        `mode` documents goes by the meaning of documents; hybrid fuses both.
        """
        asked = self.asked(request, SearchQuery)
        opened = self.opened(request, slug)
        return self.answer(opened, lambda: found_body(opened, asked))

    def follows_from_address(self) -> bool:
        """Not what is found by meaning: that depends on what its version was learnt with."""
        return self.request.query_params.get("mode", "names") == "names"


def found_body(opened: OpenGraph, asked: Mapping[str, Any]) -> dict[str, Any]:
    answer = ask(
        opened, asked["q"], mode=asked["mode"], types=asked.get("types"), limit=asked["limit"]
    )
    return {
        "results": [told(opened, result) for result in answer.results],
        "facets": [{"type": name, "count": count} for name, count in answer.facets],
    }


def told(opened: OpenGraph, result: Result) -> dict[str, Any]:
    it = result.snippet
    snippet = it and {"title": it.title, "text": it.text, "source": it.source}
    matched = {"kind": result.kind, "text": result.text, "snippet": snippet}
    return {**brief(opened.snapshot, result.entity), "matched": matched}
