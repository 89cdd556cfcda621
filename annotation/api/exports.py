"""Downloads of a study. A file is complete before it is sent: an error never cuts it short."""

import uuid

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.blinding import record_export
from annotation.formats.base import StudyFormat
from annotation.formats.registry import get_export_format_or_raise, study_formats
from annotation.policies import check_sees_answers
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.downloads import send_file
from backend.common.openapi import operation
from backend.studies.models import Study
from backend.studies.policies import get_coordinated_study_or_raise

NAMES_PARAMETER = OpenApiParameter(
    "names", OpenApiTypes.BOOL, description="Add the experts' names to their pseudonyms."
)


FORMAT_PARAMETER = OpenApiParameter(
    "format", str, required=True, description="The name of a format of `/api/v1/study-formats`."
)


class StudyFormatSerializer(serializers.Serializer[StudyFormat]):
    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    extension = serializers.CharField()
    can_export = serializers.SerializerMethodField()
    can_import = serializers.SerializerMethodField()

    def get_can_export(self, one: StudyFormat) -> bool:
        return one.write is not None

    def get_can_import(self, one: StudyFormat) -> bool:
        return one.read is not None


class StudyFormatsSerializer(serializers.Serializer[dict[str, object]]):
    results = StudyFormatSerializer(many=True)


class StudyFormatsView(APIView):
    @operation("study_formats", StudyFormatsSerializer)
    def get(self, request: Request) -> Response:
        """Formats of whole studies, with their answers."""
        get_actor_or_raise(request)
        return Response(StudyFormatsSerializer({"results": study_formats().values()}).data)


class StudyExportView(APIView):
    def download(
        self, request: Request, study_id: uuid.UUID, format_name: str
    ) -> StreamingHttpResponse:
        reader = get_actor_or_raise(request)
        study = get_coordinated_study_or_raise(reader, study_id)
        check_sees_answers(reader, study)
        one, write = get_export_format_or_raise(format_name)
        record_export(reader, study)
        with_names = request.query_params.get("names") in {"1", "true"}
        return send_file(
            request,
            lambda file: write(study, file, with_names),
            export_name(study, one),
            one.media_type,
        )


class FormatExportView(StudyExportView):
    @operation(
        "export_study",
        {
            (200, one.media_type.partition(";")[0]): OpenApiTypes.BINARY
            for one in study_formats().values()
            if one.write
        },
        403,
        409,
        parameters=[FORMAT_PARAMETER, NAMES_PARAMETER],
    )
    def get(self, request: Request, study_id: uuid.UUID) -> StreamingHttpResponse:
        return self.download(request, study_id, request.query_params.get("format", ""))


class JsonExportView(StudyExportView):
    @operation(
        "export_study_json",
        {(200, "application/json"): OpenApiTypes.OBJECT},
        403,
        409,
        parameters=[NAMES_PARAMETER],
    )
    def get(self, request: Request, study_id: uuid.UUID) -> StreamingHttpResponse:
        return self.download(request, study_id, "json")


class CsvExportView(StudyExportView):
    @operation(
        "export_study_csv",
        {(200, "text/csv"): OpenApiTypes.STR},
        403,
        409,
        parameters=[NAMES_PARAMETER],
    )
    def get(self, request: Request, study_id: uuid.UUID) -> StreamingHttpResponse:
        return self.download(request, study_id, "csv")


def export_name(study: Study, one: StudyFormat) -> str:
    """A zip archive is named for what is in it as well."""
    inside = f"-{one.name}" if one.extension == "zip" else ""
    name = slugify(study.name) or "study"
    return f"{name}{inside}-{timezone.now():%Y-%m-%d}.{one.extension}"
