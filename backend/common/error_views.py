"""Django's error responses outside of REST views: problem+json for the API, text for pages.

Named by handler400 … handler500 in the routes and by CSRF_FAILURE_VIEW in the settings. The
sentences reveal no more than the status does.
"""

import sys
from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse

from backend.common.authentication import CsrfTokenInvalid
from backend.common.database_errors import DATABASE_ERRORS, classify_database_error
from backend.common.problems import RETRY_AFTER_S, problem_body

API_PREFIXES = ("/api/", "/_allauth/")

ERROR_SENTENCES = {
    HTTPStatus.BAD_REQUEST: (
        "bad_request",
        "The server cannot read this request. Check its format and try again.",
    ),
    HTTPStatus.FORBIDDEN: ("not_allowed", "Your account is not allowed to do this."),
    HTTPStatus.NOT_FOUND: (
        "not_found",
        "This address does not exist, or you do not have access to it.",
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        "too_large",
        "The request is larger than this server accepts. Send less data.",
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "server_error",
        "The server failed because of an internal error. It was logged; try again later.",
    ),
}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return error_response(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return error_response(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django calls this while it handles the exception."""
    raised = sys.exc_info()[1]
    if isinstance(raised, DATABASE_ERRORS):
        error = classify_database_error(raised).to_domain_error()
        response = problem_or_text(request, error.status, error.code, error.detail)
        response["Retry-After"] = str(RETRY_AFTER_S)
        return response
    return error_response(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    error = CsrfTokenInvalid()
    return problem_or_text(request, error.status, error.code, error.detail)


def error_response(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    code, detail = ERROR_SENTENCES[status]
    return problem_or_text(request, status, code, detail)


def problem_or_text(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    if request.path.startswith(API_PREFIXES):
        body = problem_body(status, code, detail)
        return JsonResponse(body, status=status, content_type="application/problem+json")
    return HttpResponse(detail, status=status, content_type="text/plain; charset=utf-8")
