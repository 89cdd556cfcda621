"""Graphs from a browser: files are sent, a worker does the rest, the page asks how far it is."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.actor import actor_of
from backend.common.fields import OneLine
from backend.common.schema import problems
from backend.graphs.importers.catalogue import FORMATS
from backend.graphs.importers.making import CONTROL
from backend.graphs.imports import Wanted, cancel_import, request_import
from backend.graphs.models import Graph, GraphImport
from backend.graphs.policies import get_import_or_raise, own_imports, require_importer
from backend.graphs.uploads import told_of_no_room

MOST_FILES = 1_000
ABOUT = ("description", "licence", "citation", "source_url", "visibility")


class NewImportSerializer(serializers.Serializer[Any]):
    name = OneLine(max_length=200)
    format = serializers.ChoiceField(
        [(it.name, it.title) for it in FORMATS], required=False, allow_blank=True
    )
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=MOST_FILES
    )
    mapping = serializers.JSONField(required=False)
    dry_run = serializers.BooleanField(default=False)
    visibility = serializers.ChoiceField(Graph.Visibility.choices, required=False)
    description = serializers.CharField(required=False, allow_blank=True, max_length=20_000)
    licence = OneLine(max_length=200, required=False, allow_blank=True)
    citation = serializers.CharField(required=False, allow_blank=True, max_length=20_000)
    source_url = serializers.URLField(max_length=2000, required=False, allow_blank=True)

    def validate_mapping(self, value: object) -> dict[str, str]:
        """Her name of each column, as in {"source": "subject_id"}."""
        if not isinstance(value, dict) or len(value) > 50:
            raise serializers.ValidationError("This must be an object of at most 50 columns.")
        if not all(map(_is_name, (*value, *value.values()))):
            raise serializers.ValidationError("Columns have names of at most 500 characters.")
        return value


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 500 and not CONTROL.search(value)


class ImportSerializer(serializers.ModelSerializer[GraphImport]):
    graph = serializers.CharField(source="graph.slug", default=None, allow_null=True)
    snapshot = serializers.CharField(source="version.snapshot", default=None, allow_null=True)
    report = serializers.DictField()

    class Meta:
        model = GraphImport
        fields = [
            "id",
            "name",
            "format",
            "files",
            "dry_run",
            "state",
            "doing",
            "percent",
            "seconds_left",
            "report",
            "graph",
            "snapshot",
            "created_at",
            "ended_at",
        ]
        read_only_fields = fields


class ImportListSerializer(serializers.Serializer[Any]):
    results = ImportSerializer(many=True)


class GraphImports(APIView):
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="graph_imports_list",
        responses={200: ImportListSerializer, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Her latest imports; everybody's for administrators."""
        actor = actor_of(request)
        require_importer(actor)
        return Response(ImportListSerializer({"results": own_imports(actor)[:50]}).data)

    @extend_schema(
        operation_id="graph_imports_create",
        request={"multipart/form-data": NewImportSerializer},
        responses={202: ImportSerializer, **problems(401, 403, 409, 413, 422)},
    )
    def post(self, request: Request) -> Response:
        actor = actor_of(request)
        require_importer(actor)
        if int(request.META.get("CONTENT_LENGTH") or 0) > settings.LARGEST_GRAPH_UPLOAD:
            raise RequestDataTooBig
        with told_of_no_room():
            sent = NewImportSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = sent.validated_data
        made = request_import(actor=actor, wanted=_wanted(asked), files=asked["files"])
        return Response(ImportSerializer(made).data, status=202)


class OneImport(APIView):
    @extend_schema(
        operation_id="graph_imports_read", responses={200: ImportSerializer, **problems(401, 404)}
    )
    def get(self, request: Request, import_id: uuid.UUID) -> Response:
        """How far it is, then what became of it."""
        return Response(ImportSerializer(get_import_or_raise(actor_of(request), import_id)).data)


class CancelledImport(APIView):
    @extend_schema(
        operation_id="graph_imports_cancel",
        request=None,
        responses={200: ImportSerializer, **problems(401, 404, 409)},
    )
    def post(self, request: Request, import_id: uuid.UUID) -> Response:
        """Stop it: its actor or an administrator. Nothing of it stays."""
        actor = actor_of(request)
        found = get_import_or_raise(actor, import_id)
        return Response(ImportSerializer(cancel_import(actor=actor, graph_import=found)).data)


def _wanted(asked: dict[str, Any]) -> Wanted:
    return Wanted(
        name=asked["name"],
        format=asked.get("format", ""),
        columns=asked.get("mapping", {}),
        about={name: asked[name] for name in ABOUT if name in asked},
        dry_run=asked["dry_run"],
    )
