from http import HTTPStatus
from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.fields import BoundedJSONField, OneLineField
from backend.common.openapi import operation
from backend.common.parsers import require_body_size
from backend.common.serializers import validate
from backend.graphs.import_service import ImportRequest, request_import
from backend.graphs.importers.common.record_builder import CONTROL_CHARACTERS
from backend.graphs.importers.registry import graph_formats
from backend.graphs.models import Graph
from backend.graphs.policies import require_importer
from backend.jobs.api.serializers import JobSerializer
from backend.jobs.api.views import job_payload

MAX_FILES = 1_000
METADATA_FIELDS = ("description", "licence", "citation", "source_url", "visibility")


class GraphFormatSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="The value of `format` of a new import.")
    title = serializers.CharField()
    description = serializers.CharField()
    file_hint = serializers.CharField(help_text="The files that the format expects.")
    has_column_mapping = serializers.BooleanField(
        help_text="Whether columns with other names can be mapped."
    )


class GraphFormatListSerializer(serializers.Serializer[Any]):
    results = GraphFormatSerializer(many=True)


class GraphFormatListView(APIView):
    permission_classes = [AllowAny]

    @operation("graph_formats_list", GraphFormatListSerializer)
    def get(self, request: Request) -> Response:
        """Formats by title."""
        formats = sorted(graph_formats().values(), key=lambda it: it.title.casefold())
        return Response(GraphFormatListSerializer({"results": formats}).data)


class NewImportSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=200)
    format = serializers.CharField(max_length=32, required=False, allow_blank=True)
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=MAX_FILES
    )
    mapping = BoundedJSONField(required=False)
    dry_run = serializers.BooleanField(default=False)
    visibility = serializers.ChoiceField(Graph.Visibility.choices, required=False)
    description = serializers.CharField(required=False, allow_blank=True, max_length=20_000)
    licence = OneLineField(max_length=200, required=False, allow_blank=True)
    citation = serializers.CharField(required=False, allow_blank=True, max_length=20_000)
    source_url = serializers.URLField(max_length=2000, required=False, allow_blank=True)

    def validate_mapping(self, value: object) -> dict[str, str]:
        """The file's name of each column, as in {"source": "subject_id"}."""
        if not isinstance(value, dict) or len(value) > 50:
            raise serializers.ValidationError(
                "The mapping must be an object with at most 50 columns."
            )
        if not all(map(_is_column_name, (*value, *value.values()))):
            raise serializers.ValidationError("Column names may have at most 500 characters.")
        return value


def _is_column_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 500 and not CONTROL_CHARACTERS.search(value)


class GraphImportsView(APIView):
    parser_classes = [MultiPartParser]

    @operation(
        "graph_imports_create",
        JobSerializer,
        409,
        status=202,
        request={"multipart/form-data": NewImportSerializer},
    )
    def post(self, request: Request) -> Response:
        """Upload the files of a graph; the job that imports them is read at /jobs."""
        actor = get_actor_or_raise(request)
        require_importer(actor)
        require_body_size(request, settings.LARGEST_GRAPH_UPLOAD)
        fields = validate(NewImportSerializer(data=request.data), is_form=True)
        created = request_import(
            actor=actor, import_request=_build_request(fields), files=fields["files"]
        )
        return Response(job_payload(actor, created), status=HTTPStatus.ACCEPTED)


def _build_request(fields: dict[str, Any]) -> ImportRequest:
    return ImportRequest(
        name=fields["name"],
        format=fields.get("format", ""),
        column_mapping=fields.get("mapping", {}),
        metadata={name: fields[name] for name in METADATA_FIELDS if name in fields},
        dry_run=fields["dry_run"],
    )
