"""A study's downloads. They are made whole first, then sent: a fault is never half a file."""

import asyncio
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import IO

from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.models import Study
from annotation.policies import get_coordinated_study_or_raise
from backend.accounts.api.actor import actor_of
from backend.common.schema import problems

CHUNK = 64 * 1024
NAMES = OpenApiParameter(
    "names", OpenApiTypes.BOOL, description="Add the experts' names to their pseudonyms."
)


class Export(APIView):
    def study(self, request: Request, study_id: uuid.UUID) -> Study:
        return get_coordinated_study_or_raise(actor_of(request), study_id)


class ExportJson(Export):
    @extend_schema(
        operation_id="export_study_json",
        parameters=[NAMES],
        responses={(200, "application/json"): OpenApiTypes.OBJECT, **problems(401, 403, 404)},
    )
    def get(self, request: Request, study_id: uuid.UUID) -> StreamingHttpResponse:
        study = self.study(request, study_id)
        parts = export_json(study, with_names=_wants_names(request))
        return _download(request, study, parts, "json", "application/json")


class ExportCsv(Export):
    @extend_schema(
        operation_id="export_study_csv",
        parameters=[NAMES],
        responses={(200, "text/csv"): OpenApiTypes.STR, **problems(401, 403, 404)},
    )
    def get(self, request: Request, study_id: uuid.UUID) -> StreamingHttpResponse:
        study = self.study(request, study_id)
        parts = export_csv(study, with_names=_wants_names(request))
        return _download(request, study, parts, "csv", "text/csv; charset=utf-8")


def _wants_names(request: Request) -> bool:
    return request.query_params.get("names") in {"1", "true"}


def _download(
    request: Request, study: Study, parts: Iterator[str], suffix: str, content_type: str
) -> StreamingHttpResponse:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is sent, or collected
    for part in parts:
        file.write(part.encode())
    size = file.tell()
    file.seek(0)
    # A server that waits for nothing reads between other work; the other kind reads at once.
    over_asgi = isinstance(request._request, ASGIRequest)
    chunks = _chunks_in_turn(file) if over_asgi else _chunks(file)
    name = f"{slugify(study.name) or 'study'}-{timezone.now():%Y-%m-%d}.{suffix}"
    headers = {
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        "Content-Length": str(size),
        "Cache-Control": "no-store",
    }
    return StreamingHttpResponse(chunks, content_type=content_type, headers=headers)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk


async def _chunks_in_turn(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk
