"""The one place that turns errors into application/problem+json (RFC 9457).

Nobody else builds an error response.
"""

from collections.abc import Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from backend.common.errors import DomainError, Fault


def problem_body(
    status: int,
    code: str,
    detail: str,
    faults: Sequence[Fault] = (),
    data: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
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
    return Response(body, status=status, content_type="application/problem+json")


def faults_of(detail: Any, place: str = "") -> list[Fault]:
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
    return [fault for where, value in pairs for fault in faults_of(value, where)]


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler; what it does not know becomes a 500 without details."""
    response = _known(error)
    if response is not None:
        set_rollback()
    return response


def _known(error: Exception) -> Response | None:
    if isinstance(error, DomainError):
        return problem(error.status, error.code, error.detail, error.faults, error.data)
    if isinstance(error, exceptions.ValidationError):
        detail = "Some of what was sent cannot be used."
        return problem(422, "invalid", detail, faults_of(error.detail))
    if isinstance(error, Http404):
        return problem(404, "not_found", "There is nothing here, or it is not yours to see.")
    if isinstance(error, PermissionDenied):
        return problem(403, "not_allowed", "This account may not do that.")
    if isinstance(error, RequestDataTooBig):
        return problem(413, "too_large", "What was sent is larger than this server accepts.")
    if isinstance(error, SuspiciousOperation):
        return problem(400, "bad_request", "This request cannot be read.")
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    return None


# The framework's codes that a page acts upon, in this API's words.
FRAMEWORK_CODES = {
    "not_authenticated": "sign_in",
    "authentication_failed": "sign_in",
    "permission_denied": "not_allowed",
}
FRAMEWORK_SENTENCES = {
    "sign_in": "Sign in to do that.",
    "not_allowed": "This account may not do that.",
    "parse_error": "What was sent cannot be read as what its Content-Type says it is.",
    "throttled": "That was asked too often. Wait a moment and try again.",
}


def _of_framework(error: exceptions.APIException) -> Response:
    default = str(error.default_code)
    code = FRAMEWORK_CODES.get(default, default)
    detail = FRAMEWORK_SENTENCES.get(code, str(error.detail))
    response = problem(error.status_code, code, detail)
    wait = getattr(error, "wait", None)
    if wait:
        response["Retry-After"] = str(int(wait) + 1)
    if error.status_code == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Session"
    return response
