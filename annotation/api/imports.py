"""Create a study from uploaded questionnaire files, or add them to one."""

from dataclasses import fields as dataclass_fields
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.study_creation_serializers import OverlapField, QualityOptionsSerializer
from annotation.imports import MAX_STUDY_NAME_LENGTH, StudyImport, import_study
from annotation.job_requests import request_archive_import, require_importer
from annotation.study_creation import Design, require_new_name, set_design
from annotation.study_graph import MAX_VERSION_NAME_LENGTH
from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import User
from backend.benchmarks.policies import get_set_or_raise
from backend.benchmarks.questionnaire import SourceFile
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.parsers import require_body_size
from backend.common.serializers import serializer_of, validate
from backend.jobs.api.serializers import JobSerializer
from backend.jobs.api.views import requested_job_response
from backend.studies.models import Study
from backend.validation.json_files import MAX_FILE_BYTES

MAX_FILES = 100
MAX_INTRODUCTION_LENGTH = 5_000
MAX_UPLOAD_BYTES = 50_000_000


class StudyImportRequestSerializer(QualityOptionsSerializer):
    """Options of the design are for new studies alone."""

    name = OneLineField(max_length=MAX_STUDY_NAME_LENGTH)
    kind = OneLineField(
        max_length=40,
        default="",
        allow_blank=True,
        help_text="The study kind of a new study; the default of the installation if empty.",
    )
    graph = OneLineField(
        max_length=MAX_VERSION_NAME_LENGTH,
        default="",
        allow_blank=True,
        help_text="The graph that shows evidence: a slug, or slug@version; none if empty.",
    )
    description = serializers.CharField(
        max_length=MAX_INTRODUCTION_LENGTH,
        default="",
        allow_blank=True,
        help_text="Words to the experts before the first question; empty leaves them as they are.",
    )
    question_set = serializers.UUIDField(
        default=None,
        allow_null=True,
        help_text="A set that you own and whose questions the files join, by id and text.",
    )
    overlap = OverlapField()
    is_draft = serializers.BooleanField(
        default=False, help_text="A new study stays a draft until it is opened."
    )
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=MAX_FILES
    )


class ImportedStudySerializer(serializers.Serializer[Study]):
    id = serializers.UUIDField()
    name = serializers.CharField()


StudyImportSerializer = serializer_of(StudyImport, study=ImportedStudySerializer())


class StudyImportView(APIView):
    """The importer becomes the coordinator. Every fault of every file is reported at once."""

    parser_classes = [MultiPartParser]

    @operation(
        "import_study",
        StudyImportSerializer,
        404,
        409,
        status=201,
        request={"multipart/form-data": StudyImportRequestSerializer},
    )
    def post(self, request: Request) -> Response:
        user = get_actor_or_raise(request)
        require_importer(user)
        return Response(StudyImportSerializer(_import(user, request)).data, status=201)


class ArchiveImportRequestSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=MAX_STUDY_NAME_LENGTH)
    format = OneLineField(max_length=40, help_text="A format of `/api/v1/study-formats`.")
    file = serializers.FileField(allow_empty_file=True)


class ArchiveImportView(APIView):
    """The importer becomes the coordinator of a closed study with the answers of the file."""

    parser_classes = [MultiPartParser]

    @operation(
        "import_archive",
        {202: JobSerializer},
        409,
        request={"multipart/form-data": ArchiveImportRequestSerializer},
    )
    def post(self, request: Request) -> Response:
        """Start a job, whose result names the study; its error lists faults with their lines."""
        user = get_actor_or_raise(request)
        require_importer(user)
        _check_size(request)
        fields = validate(ArchiveImportRequestSerializer(data=request.data), is_form=True)
        requested = request_archive_import(
            actor=user, name=fields["name"], format_name=fields["format"], file=fields["file"]
        )
        return requested_job_response(user, requested)


def _check_size(request: Request) -> None:
    require_body_size(request, MAX_UPLOAD_BYTES)


@transaction.atomic
def _import(user: User, request: Request) -> StudyImport:
    _check_size(request)
    fields = validate(StudyImportRequestSerializer(data=request.data), is_form=True)
    sources = [_source(file) for file in fields.pop("files")]
    joined = fields.pop("question_set")
    question_set = get_set_or_raise(user, joined) if joined else None
    names = [one.name for one in dataclass_fields(Design) if one.name in fields]
    options = {name: fields.pop(name) for name in names}
    has_design = any(name in request.data for name in names)
    if has_design:
        require_new_name(fields["name"])
    imported = import_study(actor=user, sources=sources, question_set=question_set, **fields)
    if has_design:
        set_design(imported.study, Design(**options))
    return imported


def _source(file: "UploadedFile[bytes]") -> SourceFile:
    # One byte more than is allowed is enough to reject the file.
    return SourceFile(file.name or "", file.read(MAX_FILE_BYTES + 1))
