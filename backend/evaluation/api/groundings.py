"""Groundings: which claims of a rationale a graph and papers support."""

import uuid
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.models import User
from backend.common.downloads import download_headers
from backend.common.idempotency import HEADER, StoredResponse, read_key, run_once
from backend.common.openapi import operation
from backend.common.pagination import CreatedAtCursorPagination
from backend.common.serializers import validate
from backend.evaluation.api.grounding_serializers import (
    GroundingChangeSerializer,
    GroundingExportSerializer,
    GroundingFileResultSerializer,
    GroundingFileSerializer,
    GroundingQuotaSerializer,
    GroundingSerializer,
    GroundingSummarySerializer,
    NewGroundingSerializer,
)
from backend.evaluation.grounding.limits import (
    LONGEST_HYPOTHESIS,
    LONGEST_RATIONALE,
    MOST_UPLOADED_ROWS,
)
from backend.evaluation.grounding.payloads import (
    cite_grounding,
    export_csv,
    full_payload,
    summary_payload,
)
from backend.evaluation.grounding.policies import (
    get_grounding_or_raise,
    is_own,
    may_read_evidence,
    own_groundings,
    require_evidence,
)
from backend.evaluation.grounding.rationale_files import FileRow, read_rationales
from backend.evaluation.grounding.services import (
    GroundingSettings,
    groundings_today,
    request_groundings,
    set_public,
    start_of_day,
)
from backend.evaluation.models.grounding import Grounding
from backend.graphs.graph_access import open_graph
from backend.graphs.literature.policies import get_collection_or_raise
from backend.llm.policies import get_usable_endpoint_or_raise
from backend.tracks.grounding_claims import MOST_CLAIMS

KEY = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="New for every grounding, the same when the request is repeated.",
)


def read_settings(actor: User, form: dict[str, Any]) -> GroundingSettings:
    """Raises NotFound for a graph, collection or endpoint that the actor may not use."""
    literature, endpoint = form.get("literature"), form.get("endpoint")
    return GroundingSettings(
        version=open_graph(actor, form["graph"]).version,
        collection=get_collection_or_raise(actor, literature) if literature else None,
        cutoff=form.get("cutoff"),
        endpoint=get_usable_endpoint_or_raise(actor, endpoint) if endpoint else None,
        budget=form["budget"],
        is_public=form["is_public"],
    )


def page_address(grounding: Grounding) -> str:
    return f"{settings.SITE_URL}/groundings/{grounding.pk}"


def grounding_payload(request: Request, grounding: Grounding) -> dict[str, Any]:
    reader = get_actor(request)
    own, has_claims = is_own(reader, grounding), may_read_evidence(reader, grounding)
    payload = {
        **full_payload(grounding, has_claims=has_claims),
        "is_own": own,
        "is_withheld": not has_claims,
        "job": grounding.job_id if own else None,
        "bibtex": cite_grounding(grounding, page_address(grounding)),
    }
    return dict(GroundingSerializer(payload).data)


def find_with_evidence(request: Request, grounding_id: uuid.UUID) -> Grounding:
    """Raises NotFound, or SourcesNotReadable where its owner may no longer read what it quotes."""
    reader = get_actor(request)
    grounding = get_grounding_or_raise(reader, grounding_id)
    require_evidence(reader, grounding)
    return grounding


class Groundings(ListAPIView[Grounding]):
    serializer_class = GroundingSummarySerializer
    pagination_class = CreatedAtCursorPagination

    def get_queryset(self) -> QuerySet[Grounding]:
        return own_groundings(get_actor_or_raise(self.request))

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        if args:
            args = ([summary_payload(one) for one in args[0]], *args[1:])
        return super().get_serializer(*args, **kwargs)

    @operation("groundings_list", GroundingSummarySerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your groundings, the latest first."""
        return super().get(request, *args, **kwargs)

    @operation(
        "groundings_create",
        GroundingSerializer,
        404,
        409,
        429,
        status=202,
        request=NewGroundingSerializer,
        parameters=[KEY],
    )
    def post(self, request: Request) -> Response:
        """Ground one rationale. It is queued; read it again until it has ended."""
        actor, key = get_actor_or_raise(request), read_key(request)
        form = validate(NewGroundingSerializer(data=request.data))

        def write() -> StoredResponse:
            chosen = read_settings(actor, form)
            row = FileRow(1, form["hypothesis"], form["rationale"])
            (grounding,), job = request_groundings(actor=actor, rows=[row], settings=chosen)
            grounding.job = job
            return StoredResponse(grounding_payload(request, grounding), HTTPStatus.ACCEPTED)

        content = {"groundings": "create", "body": request.data}
        stored = run_once(owner=actor.pk, key=key, content=content, write=write)
        return Response(stored.body, status=stored.status)


class GroundingFiles(APIView):
    parser_classes = [MultiPartParser]

    @operation(
        "groundings_create_from_file",
        GroundingFileResultSerializer,
        404,
        409,
        429,
        status=202,
        request={"multipart/form-data": GroundingFileSerializer},
        parameters=[KEY],
    )
    def post(self, request: Request) -> Response:
        """Ground the rationales of a file as one job. A file with faults is refused with all."""
        actor, key = get_actor_or_raise(request), read_key(request)
        form = validate(GroundingFileSerializer(data=request.data), is_form=True)
        upload = form["file"]
        digest, name = digest_upload(upload), upload.name or "file.jsonl"

        def write() -> StoredResponse:
            chosen = read_settings(actor, form)
            rows = read_rationales(upload, name, most_rows=MOST_UPLOADED_ROWS)
            groundings, job = request_groundings(actor=actor, rows=rows, settings=chosen)
            payload = {"job": job.pk, "groundings": [one.pk for one in groundings]}
            body = dict(GroundingFileResultSerializer(payload).data)
            return StoredResponse(body, HTTPStatus.ACCEPTED)

        fields = {field: value for field, value in form.items() if field != "file"}
        content = {"groundings": "file", "fields": fields, "name": name, "file": digest}
        stored = run_once(owner=actor.pk, key=key, content=content, write=write)
        return Response(stored.body, status=stored.status)


def digest_upload(upload: "UploadedFile[Any]") -> str:
    """Leaves the file at its beginning."""
    digest = sha256()
    for part in upload.chunks():
        digest.update(part)
    upload.seek(0)
    return digest.hexdigest()


class GroundingQuota(APIView):
    @operation("groundings_quota", GroundingQuotaSerializer)
    def get(self, request: Request) -> Response:
        """How many rationales you have grounded today, and what bounds one has."""
        payload = {
            "used": groundings_today(get_actor_or_raise(request)),
            "limit": settings.GROUNDINGS_PER_DAY,
            "next_at": start_of_day() + timedelta(days=1),
            "longest_hypothesis": LONGEST_HYPOTHESIS,
            "longest_rationale": LONGEST_RATIONALE,
            "most_claims": MOST_CLAIMS,
            "most_rows": MOST_UPLOADED_ROWS,
        }
        return Response(GroundingQuotaSerializer(payload).data)


class GroundingDetail(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("groundings_read", GroundingSerializer)
    def get(self, request: Request, grounding_id: uuid.UUID) -> Response:
        """One of yours, or a public one."""
        grounding = get_grounding_or_raise(get_actor(request), grounding_id)
        return Response(grounding_payload(request, grounding))

    @operation("groundings_change", GroundingSerializer, 409, request=GroundingChangeSerializer)
    def patch(self, request: Request, grounding_id: uuid.UUID) -> Response:
        """Publish it at its address, or make it private again."""
        actor = get_actor_or_raise(request)
        grounding = get_grounding_or_raise(actor, grounding_id)
        form = validate(GroundingChangeSerializer(data=request.data))
        changed = set_public(actor=actor, grounding=grounding, is_public=form["is_public"])
        return Response(grounding_payload(request, changed))


class GroundingJson(APIView):
    permission_classes = [AllowAny]

    @operation("groundings_json", GroundingExportSerializer, 403)
    def get(self, request: Request, grounding_id: uuid.UUID) -> Response:
        """The grounding with claims, verdicts and evidence."""
        grounding = find_with_evidence(request, grounding_id)
        data = GroundingExportSerializer(full_payload(grounding)).data
        return Response(data, headers=download_headers(f"grounding-{grounding.pk}.json"))


class GroundingCsv(APIView):
    permission_classes = [AllowAny]

    @operation("groundings_csv", {(200, "text/csv"): OpenApiTypes.STR}, 403)
    def get(self, request: Request, grounding_id: uuid.UUID) -> HttpResponse:
        """A row for each part of the evidence of each verdict."""
        grounding = find_with_evidence(request, grounding_id)
        headers = download_headers(f"grounding-{grounding.pk}.csv")
        content_type = "text/csv; charset=utf-8"
        return HttpResponse(export_csv(grounding), content_type=content_type, headers=headers)


class GroundingCitation(APIView):
    permission_classes = [AllowAny]

    @operation("groundings_citation", {(200, "application/x-bibtex"): OpenApiTypes.STR})
    def get(self, request: Request, grounding_id: uuid.UUID) -> HttpResponse:
        """The grounding as a BibTeX entry."""
        grounding = get_grounding_or_raise(get_actor(request), grounding_id)
        content_type = "application/x-bibtex; charset=utf-8"
        headers = download_headers(f"grounding-{grounding.pk}.bib")
        text = cite_grounding(grounding, page_address(grounding))
        return HttpResponse(text, content_type=content_type, headers=headers)
