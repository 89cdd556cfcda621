"""Questionnaire files from a browser become a study."""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.imports import LONGEST_NAME, Imported, import_study
from annotation.models import Study
from annotation.pins import LONGEST_NAMED
from annotation.policies import may_import_studies
from backend.accounts.api.actor import actor_of
from backend.accounts.models import User
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.reading import LARGEST_FILE
from backend.common.errors import NotAllowed
from backend.common.fields import OneLine
from backend.common.schema import problems

MOST_FILES = 100
LARGEST_UPLOAD = 50_000_000


class ImportSerializer(serializers.Serializer[Any]):
    name = OneLine(max_length=LONGEST_NAME)
    graph = OneLine(
        max_length=LONGEST_NAMED,
        default="",
        allow_blank=True,
        help_text="What shows evidence: a graph's slug, or slug@version; the newest if none.",
    )
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=MOST_FILES
    )


class ImportedStudySerializer(serializers.Serializer[Study]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class ImportedSerializer(serializers.Serializer[Imported]):
    study = ImportedStudySerializer()
    batches = serializers.IntegerField()
    questions = serializers.IntegerField()
    candidates = serializers.IntegerField()
    added = serializers.IntegerField()
    notices = serializers.ListField(child=serializers.CharField())


class ImportStudy(APIView):
    """Every fault of every file at once, or a study with the importer as its coordinator."""

    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="import_study",
        request={"multipart/form-data": ImportSerializer},
        responses={201: ImportedSerializer, **problems(401, 403, 409, 413, 422)},
    )
    def post(self, request: Request) -> Response:
        user = actor_of(request)
        if not may_import_studies(user):
            raise NotAllowed("Only administrators and coordinators may import a study.")
        return Response(ImportedSerializer(_import(user, request)).data, status=201)


def _import(user: User, request: Request) -> Imported:
    if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST_UPLOAD:
        raise RequestDataTooBig
    sent = ImportSerializer(data=request.data)
    sent.is_valid(raise_exception=True)
    sources = [_source(file) for file in sent.validated_data["files"]]
    asked = sent.validated_data
    return import_study(actor=user, name=asked["name"], sources=sources, graph=asked["graph"])


def _source(file: "UploadedFile[bytes]") -> SourceFile:
    # One byte more than is allowed: enough to be refused, whatever follows.
    return SourceFile(file.name or "", file.read(LARGEST_FILE + 1))
