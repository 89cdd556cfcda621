"""The one place that converts errors to application/problem+json (RFC 9457)."""

import logging
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from http import HTTPStatus
from math import ceil
from typing import Any

from django.conf import settings
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFilesSent,
)
from django.http import Http404
from django.utils import timezone
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from backend.common.database_errors import DATABASE_ERRORS, classify_database_error
from backend.common.errors import DISK_FULL_ERRNOS, DomainError, InstallationFault
from backend.common.pluralize import pluralize
from backend.validation.faults import Fault

logger = logging.getLogger(__name__)

RETRY_AFTER_S = 5
# Of the protocol tus, not of HTTP.
CHECKSUM_MISMATCH = 460
OTHER_TITLES = {CHECKSUM_MISMATCH: "Checksum Mismatch"}
NO_SPACE = ("no_space", "The server's disk is full, so this was not stored. Try again later.")


def problem_body(
    status: int,
    code: str,
    detail: str,
    faults: Sequence[Fault] = (),
    data: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "type": "about:blank",
        "title": OTHER_TITLES.get(status) or HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "errors": [asdict(fault) for fault in faults],
        **(data or {}),
    }


def problem(
    status: int,
    code: str,
    detail: str,
    faults: Sequence[Fault] = (),
    data: dict[str, Any] | None = None,
) -> Response:
    body = problem_body(status, code, detail, faults, data)
    headers = {"Retry-After": str(RETRY_AFTER_S)} if status == 503 else {}
    return Response(body, status, content_type="application/problem+json", headers=headers)


def flatten_faults(detail: Any, place: str = "") -> list[Fault]:
    """Flatten a serializer's nested messages into faults with a dotted place."""
    if isinstance(detail, dict):
        pairs = [(f"{place}.{key}".strip("."), value) for key, value in detail.items()]
    elif isinstance(detail, list) and any(isinstance(part, dict | list) for part in detail):
        pairs = [(f"{place}[{index}]", value) for index, value in enumerate(detail)]
    elif isinstance(detail, list):
        pairs = [(place, value) for value in detail]
    else:
        code = getattr(detail, "code", "invalid")
        where = place.removesuffix("non_field_errors").removesuffix(".")
        return [Fault(where, str(detail), code)]
    return [fault for where, value in pairs for fault in flatten_faults(value, where)]


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler; an unknown error becomes a 500 without details."""
    response = _convert_full_disk(error) or _convert_installation_fault(error) or _convert(error)
    if response is not None:
        set_rollback()
    return response


def _convert_full_disk(error: Exception) -> Response | None:
    """Also while the parser writes an upload, which the check of a CSRF token begins."""
    if not isinstance(error, OSError) or error.errno not in DISK_FULL_ERRNOS:
        return None
    logger.error("The disk is full.", exc_info=error)
    return problem(507, *NO_SPACE)


def _convert_installation_fault(error: Exception) -> Response | None:
    if not isinstance(error, InstallationFault):
        return None
    logger.error("%s", error.detail, exc_info=error)
    return problem(503, error.code, error.detail)


def _convert(error: Exception) -> Response | None:
    if isinstance(error, DATABASE_ERRORS):
        fault = classify_database_error(error)
        logger.error("%s", fault.cause, exc_info=error)
        return _convert(fault.to_domain_error())
    if isinstance(error, DomainError):
        return problem(error.status, error.code, error.detail, error.faults, error.data)
    if isinstance(error, exceptions.ValidationError):
        detail = "Some fields are invalid. Correct them and try again."
        return problem(422, "invalid", detail, flatten_faults(error.detail))
    if isinstance(error, Http404):
        return problem(
            404, "not_found", "This address does not exist, or you do not have access to it."
        )
    if isinstance(error, PermissionDenied):
        return problem(403, "not_allowed", "Your account is not allowed to do this.")
    if isinstance(error, RequestDataTooBig):
        return problem(
            413, "too_large", "The request is larger than this server accepts. Send less data."
        )
    if isinstance(error, TooManyFilesSent):
        limit = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        detail = f"A request can have at most {limit:,} files. Send fewer, or one zip archive."
        return problem(400, "too_many_files", detail)
    if isinstance(error, SuspiciousOperation):
        return problem(
            400,
            "bad_request",
            "The server cannot read this request. Check its format and try again.",
        )
    if isinstance(error, exceptions.APIException):
        return _convert_framework_error(error)
    return None


# The framework's codes that pages handle, and their names in this API.
FRAMEWORK_CODES = {
    "not_authenticated": "sign_in",
    "authentication_failed": "sign_in",
    "permission_denied": "not_allowed",
}
FRAMEWORK_SENTENCES = {
    "sign_in": "Sign in to do this.",
    "not_allowed": "Your account is not allowed to do this.",
    "parse_error": "The body does not match its Content-Type. Check the format and try again.",
}
MINUTE_S, HOUR_S = 60, 3600


def _when_again(seconds: float) -> str:
    if seconds <= MINUTE_S:
        return "Wait a moment, then try again."
    if seconds <= HOUR_S:
        return f"Try again in {pluralize(ceil(seconds / MINUTE_S), 'minute')}."
    return f"Try again in {pluralize(ceil(seconds / HOUR_S), 'hour')}."


def _convert_framework_error(error: exceptions.APIException) -> Response:
    default = str(error.default_code)
    code = FRAMEWORK_CODES.get(default, default)
    wait = getattr(error, "wait", None)
    detail = FRAMEWORK_SENTENCES.get(code, str(error.detail))
    if isinstance(error, exceptions.Throttled):
        detail = f"Too many requests. {_when_again(wait or 0)}"
    if wait:
        seconds = int(wait) + 1
        next_at = timezone.now() + timedelta(seconds=seconds)
        response = problem(error.status_code, code, detail, data={"next_at": next_at})
        response["Retry-After"] = str(seconds)
    else:
        response = problem(error.status_code, code, detail)
    if error.status_code == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Session"
    return response
