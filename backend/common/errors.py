"""Domain errors and the one place that turns them into application/problem+json (RFC 9457).

A service raises a DomainError: a stable code, a sentence for the reader, the places that are
wrong, and whatever data the page needs to help. Nobody else builds an error response.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback


@dataclass(frozen=True)
class Fault:
    """One wrong place: where, what is wrong there, and what was expected instead."""

    place: str
    message: str
    code: str = "invalid"
    expected: str = ""


class DomainError(Exception):
    """Something the caller can understand and act upon."""

    code = "invalid"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(
        self,
        detail: str,
        *,
        code: str | None = None,
        status: HTTPStatus | None = None,
        faults: Sequence[Fault] = (),
        data: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or self.code
        self.status = status or self.status
        self.faults = tuple(faults)
        self.data = data or {}


class Conflict(DomainError):
    """The write was made against a state that is no longer there."""

    code = "conflict"
    status = HTTPStatus.CONFLICT


class NotAllowed(DomainError):
    code = "not_allowed"
    status = HTTPStatus.FORBIDDEN


class Missing(DomainError):
    """Not there, or not for this person: the two look the same from outside."""

    code = "not_found"
    status = HTTPStatus.NOT_FOUND


def problem(
    status: int,
    code: str,
    detail: str,
    faults: Sequence[Fault] = (),
    data: dict[str, Any] | None = None,
) -> Response:
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "errors": [asdict(fault) for fault in faults],
        **(data or {}),
    }
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
        return [Fault(place.removeprefix("non_field_errors"), str(detail), code)]
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
    if isinstance(error, exceptions.APIException):
        return _of_framework(error)
    return None


def _of_framework(error: exceptions.APIException) -> Response:
    code = "sign_in" if error.status_code == HTTPStatus.UNAUTHORIZED else str(error.default_code)
    response = problem(error.status_code, code, str(error.detail))
    wait = getattr(error, "wait", None)
    if wait:
        response["Retry-After"] = str(int(wait) + 1)
    if error.status_code == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Session"
    return response
