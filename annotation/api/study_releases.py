"""The release of a frozen study, and the methods section written from it."""

import uuid
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.job_requests import request_freezing
from annotation.methods_section import write_methods
from annotation.models import StudyRelease
from annotation.study_releases import get_release_of_study_or_raise
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.downloads import download_headers
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.common.slugs import MAX_SLUG_LENGTH
from backend.jobs.api.serializers import JobSerializer
from backend.jobs.api.views import requested_job_response
from backend.studies.policies import get_coordinated_study_or_raise


class NewStudyReleaseSerializer(serializers.Serializer[Any]):
    slug = serializers.SlugField(max_length=MAX_SLUG_LENGTH, help_text="The name to be cited.")


class StudyReleaseSerializer(serializers.Serializer[StudyRelease]):
    slug = serializers.CharField()
    checksum = serializers.CharField(
        help_text="SHA-256 of the JSON export without exported_at, keys sorted, no spaces."
    )
    created_at = serializers.DateTimeField()


class StudyReleaseView(APIView):
    @operation("study_release", StudyReleaseSerializer, 403, 404)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        return Response(StudyReleaseSerializer(_release(request, study_id)).data)

    @operation(
        "freeze_study",
        {202: JobSerializer},
        403,
        409,
        request=NewStudyReleaseSerializer,
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Start a job that freezes a closed study: then nothing of it changes again."""
        slug = validate(NewStudyReleaseSerializer(data=request.data))["slug"]
        actor = get_actor_or_raise(request)
        requested = request_freezing(actor=actor, study_id=study_id, slug=slug)
        return requested_job_response(actor, requested)


class MethodsView(APIView):
    @operation("study_methods", {(200, "text/markdown"): OpenApiTypes.STR}, 403, 404)
    def get(self, request: Request, study_id: uuid.UUID) -> HttpResponse:
        """The methods section of a paper, in Markdown."""
        release = _release(request, study_id)
        headers = download_headers(f"{release.slug}-methods.md")
        content_type = "text/markdown; charset=utf-8"
        return HttpResponse(write_methods(release), content_type=content_type, headers=headers)


def _release(request: Request, study_id: uuid.UUID) -> StudyRelease:
    study = get_coordinated_study_or_raise(get_actor_or_raise(request), study_id)
    return get_release_of_study_or_raise(study)
