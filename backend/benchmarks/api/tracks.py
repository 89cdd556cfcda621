"""Tracks that evaluate here, and the files that they read."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.benchmarks.api.release_serializers import (
    EvaluatedTrackListSerializer,
    EvaluatedTrackSerializer,
)
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.openapi import operation
from backend.tracks.base import AnyTrack
from backend.tracks.registry import load_tracks
from backend.validation.row_files.csv_rows import Columns

EXAMPLES = {"string": "…", "integer": 0, "number": 0.5, "boolean": True}


class TrackColumnSerializer(serializers.Serializer[Any]):
    """A column, or a field of JSON. aliases: its other names, in every format."""

    name = serializers.CharField()
    aliases = serializers.ListField(child=serializers.CharField())


class TrackFileSerializer(serializers.Serializer[Any]):
    columns = TrackColumnSerializer(many=True)
    example = serializers.CharField(allow_blank=True, help_text="The first lines of a file.")


class TrackPageSerializer(EvaluatedTrackSerializer):
    predictions = TrackFileSerializer()
    release_source = TrackFileSerializer(help_text="What a release is made of.")
    documentation = serializers.CharField(help_text="Markdown: fields, metrics and slices.")


class EvaluatedTracks(APIView):
    permission_classes = [AllowAny]

    @operation("tracks_list", EvaluatedTrackListSerializer)
    def get(self, request: Request) -> Response:
        """Tracks that evaluate here."""
        return Response(EvaluatedTrackListSerializer({"results": load_tracks().values()}).data)


class TrackPage(APIView):
    permission_classes = [AllowAny]

    @operation("tracks_read", TrackPageSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The columns of a track's files, with an example each, and its page."""
        track = get_track_or_raise(slug)
        file = track.example_file
        predictions = file.read_text(encoding="utf-8") if file.exists() else ""
        payload = {
            **EvaluatedTrackSerializer(track).data,
            "predictions": describe_file(track.prediction_columns, predictions),
            "release_source": describe_file(track.source_columns, track.source_example),
            "documentation": documentation_of(track),
        }
        return Response(payload)


def describe_file(columns: Columns, example: str) -> dict[str, Any]:
    aliases = columns.aliases.items()
    named = [
        {"name": name, "aliases": [other for other, meant in aliases if meant == name]}
        for name in columns.names
    ]
    return {"columns": named, "example": example}


def documentation_of(track: AnyTrack) -> str:
    """Its page, and how a correction writes an answer. A track of a plugin may have no page."""
    try:
        page = track.documentation()
    except FileNotFoundError:
        page = ""
    shape = json.dumps(shape_of(TypeAdapter(track.answer_schema).json_schema()), ensure_ascii=False)
    return f"{page}\n## Answers in corrections\n\n`{shape}`\n"


def shape_of(schema: Mapping[str, Any], definitions: Mapping[str, Any] | None = None) -> Any:
    """An example of a JSON schema with its required fields alone, and one entry of a list."""
    definitions = schema.get("$defs", {}) if definitions is None else definitions
    if "$ref" in schema:
        return shape_of(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    if "anyOf" in schema:
        return shape_of(schema["anyOf"][-1], definitions)
    if schema["type"] == "object":
        fields = schema.get("properties", {})
        return {name: shape_of(fields[name], definitions) for name in schema.get("required", ())}
    if schema["type"] == "array":
        return [shape_of(schema["items"], definitions)]
    return EXAMPLES[schema["type"]]
