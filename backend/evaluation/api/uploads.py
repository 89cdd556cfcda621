"""Resumable uploads of predictions: tus 1.0 with creation, termination and expiration."""

import base64
import binascii
import io
import uuid
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import IO, Any, BinaryIO, cast

from django.conf import settings
from django.db.models import QuerySet
from django.utils.http import http_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.generics import ListAPIView
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.api.token_authentication import TOKEN_OR_SESSION
from backend.common.errors import DomainError
from backend.common.idempotency import HEADER, StoredResponse, read_key, run_once
from backend.common.openapi import operation
from backend.common.problems import CHECKSUM_MISMATCH
from backend.evaluation.models import PredictionUpload
from backend.evaluation.policies import require_researcher
from backend.evaluation.prediction_uploads import (
    CHECKSUMS,
    Part,
    append_part,
    create_upload,
    delete_upload,
    expires_at,
    get_upload_or_raise,
    own_uploads,
    stored_offset,
)

KEY = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    description="New for every file, the same when a lost answer is requested again.",
)
VERSION = "1.0.0"
DEFAULT_NAME = "predictions.jsonl"
LONGEST_NAME = 255


def header(name: str, description: str, *, required: bool = True) -> OpenApiParameter:
    return OpenApiParameter(
        name,
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        required=required,
        description=description,
    )


class PartParser(BaseParser):
    """The content of a part, as a stream."""

    media_type = "application/offset+octet-stream"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return stream


class PredictionUploadSerializer(serializers.Serializer[PredictionUpload]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    size = serializers.IntegerField()
    offset = serializers.SerializerMethodField(help_text="Bytes stored; the next part begins here.")
    expires_at = serializers.SerializerMethodField(help_text="Unless a part arrives before.")

    def get_offset(self, upload: PredictionUpload) -> int:
        return stored_offset(upload)

    def get_expires_at(self, upload: PredictionUpload) -> datetime:
        return expires_at(upload)


class Tus(APIView):
    authentication_classes = TOKEN_OR_SESSION

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method != "OPTIONS" and request.headers.get("Tus-Resumable", VERSION) != VERSION:
            message = f"This server speaks version {VERSION} of tus. Use that one."
            status = HTTPStatus.PRECONDITION_FAILED
            raise DomainError(message, code="tus_version", status=status)

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        answer = super().finalize_response(request, response, *args, **kwargs)
        answer["Tus-Resumable"] = answer["Tus-Version"] = VERSION
        answer["Tus-Extension"] = "creation,termination,expiration,checksum"
        answer["Tus-Checksum-Algorithm"] = ",".join(CHECKSUMS)
        answer["Tus-Max-Size"] = str(settings.LARGEST_PREDICTION_UPLOAD)
        answer["Cache-Control"] = "no-store"
        return answer


def answer_with(upload: PredictionUpload, status: int = HTTPStatus.OK) -> Response:
    has_body = status != HTTPStatus.NO_CONTENT
    body = PredictionUploadSerializer(upload).data if has_body else None
    headers = {
        "Upload-Offset": str(upload.offset),
        "Upload-Length": str(upload.size),
        "Upload-Expires": http_date(expires_at(upload).timestamp()),
    }
    return Response(body, status, headers=headers)


class PredictionUploads(Tus, ListAPIView[PredictionUpload]):
    serializer_class = PredictionUploadSerializer
    throttle_scope = "prediction_uploads"

    def get_queryset(self) -> QuerySet[PredictionUpload]:
        return own_uploads(get_actor_or_raise(self.request).pk)

    def get_throttles(self) -> list[BaseThrottle]:
        return [ScopedRateThrottle()] if self.request.method == "POST" else []

    @operation("uploads_list", PredictionUploadSerializer(many=True), 412)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your uploads in parts that have not expired, the latest first."""
        return super().get(request, *args, **kwargs)

    @operation(
        "uploads_create",
        PredictionUploadSerializer,
        404,
        412,
        413,
        422,
        429,
        507,
        status=201,
        request=None,
        parameters=[
            header("Upload-Length", "Bytes of the file."),
            header("Upload-Metadata", "`filename` and the name in Base64.", required=False),
            KEY,
        ],
    )
    def post(self, request: Request) -> Response:
        """Begin to send a file in parts. Its address is in `Location`."""
        actor = get_actor_or_raise(request)
        require_researcher(actor)
        size = read_number(request, "Upload-Length")
        name = read_name(request.headers.get("Upload-Metadata", ""))

        def create() -> StoredResponse:
            upload = create_upload(actor=actor, name=name, size=size)
            return StoredResponse(str(upload.pk), HTTPStatus.CREATED)

        if HEADER in request.headers:
            content = ["uploads", name, size]
            created = run_once(owner=actor.pk, key=read_key(request), content=content, write=create)
        else:
            created = create()
        upload = get_upload_or_raise(actor, uuid.UUID(str(created.body)))
        response = answer_with(upload, HTTPStatus.CREATED)
        response["Location"] = f"/api/v1/uploads/{upload.pk}"
        return response


class PredictionUploadDetail(Tus):
    parser_classes = [PartParser]

    @operation("uploads_read", PredictionUploadSerializer, 412)
    def get(self, request: Request, upload_id: uuid.UUID) -> Response:
        """How much of an upload has arrived; HEAD has the same headers."""
        return answer_with(get_upload_or_raise(get_actor_or_raise(request), upload_id))

    @operation(
        "uploads_append",
        None,
        409,
        412,
        CHECKSUM_MISMATCH,
        507,
        status=204,
        request={PartParser.media_type: OpenApiTypes.BINARY},
        parameters=[
            header("Upload-Offset", "Where in the file this part begins."),
            header(
                "Upload-Checksum",
                "`sha256` or `sha1`, and the part's digest in Base64.",
                required=False,
            ),
        ],
    )
    def patch(self, request: Request, upload_id: uuid.UUID) -> Response:
        """Store the next part, of at most 16 MiB. `Upload-Offset` states where the next begins."""
        actor = get_actor_or_raise(request)
        get_upload_or_raise(actor, upload_id)
        offset = read_number(request, "Upload-Offset")
        if request.content_type != PartParser.media_type:
            raise UnsupportedMediaType(request.content_type or "")
        sent = request.data  # no stream where the part is empty
        content = cast(BinaryIO, sent) if hasattr(sent, "read") else io.BytesIO()
        part = Part(offset, content, read_checksum(request))
        upload = append_part(actor=actor, upload_id=upload_id, part=part)
        return answer_with(upload, HTTPStatus.NO_CONTENT)

    @operation("uploads_delete", None, 412, status=204, request=None)
    def delete(self, request: Request, upload_id: uuid.UUID) -> Response:
        """Remove an upload and its bytes. What was submitted of it stays."""
        delete_upload(actor=get_actor_or_raise(request), upload_id=upload_id)
        return Response(status=HTTPStatus.NO_CONTENT)


def read_number(request: Request, name: str) -> int:
    text = request.headers.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        message = f"The header {name} is no whole number of bytes. Send one."
        raise DomainError(message, code="invalid_header")
    return int(text)


def read_checksum(request: Request) -> tuple[str, bytes] | None:
    algorithm, _, digest = request.headers.get("Upload-Checksum", "").strip().partition(" ")
    if not algorithm:
        return None
    try:
        if algorithm in CHECKSUMS:
            return algorithm, base64.b64decode(digest, validate=True)
    except ValueError:
        pass
    message = f"Upload-Checksum is not one of {', '.join(CHECKSUMS)} with Base64. Correct it."
    raise DomainError(message, code="invalid_header", status=HTTPStatus.BAD_REQUEST)


def read_name(metadata: str) -> str:
    """`filename` of Upload-Metadata: pairs of a key and a Base64 value, with commas between."""
    for pair in metadata.split(","):
        key, _, value = pair.strip().partition(" ")
        if key == "filename":
            try:
                name = base64.b64decode(value, validate=True).decode().replace("\0", "")
            except (binascii.Error, ValueError) as error:
                message = "The file name in Upload-Metadata is not Base64 of UTF-8. Correct it."
                raise DomainError(message, code="invalid_header") from error
            # The endings state format and compression.
            return name.replace("\\", "/").rpartition("/")[2][-LONGEST_NAME:] or DEFAULT_NAME
    return DEFAULT_NAME
