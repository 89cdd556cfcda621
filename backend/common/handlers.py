"""What Django itself answers outside of a REST view: a problem to programs, a sentence to people.

Named by handler400 … handler500 in the routes and by CSRF_FAILURE_VIEW in the settings. No
answer here tells more than its status does.
"""

from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse

from backend.common.authentication import CsrfFailed
from backend.common.problems import problem_body

FOR_PROGRAMS = ("/api/", "/_allauth/")

SENTENCES = {
    HTTPStatus.BAD_REQUEST: ("bad_request", "This request cannot be read."),
    HTTPStatus.FORBIDDEN: ("not_allowed", "This account may not do that."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is nothing here, or it is not yours to see."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        "too_large",
        "What was sent is larger than this server accepts.",
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "server_error",
        "Something went wrong here, not with what you did. It was logged; try again later.",
    ),
}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return answer(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return answer(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    return answer(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    error = CsrfFailed()
    return respond(request, error.status, error.code, error.detail)


def answer(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    code, detail = SENTENCES[status]
    return respond(request, status, code, detail)


def respond(request: HttpRequest, status: HTTPStatus, code: str, detail: str) -> HttpResponse:
    if request.path.startswith(FOR_PROGRAMS):
        body = problem_body(status, code, detail)
        return JsonResponse(body, status=status, content_type="application/problem+json")
    return HttpResponse(detail, status=status, content_type="text/plain; charset=utf-8")
