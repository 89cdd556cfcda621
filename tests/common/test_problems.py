"""Whatever goes wrong under /api/ is a problem+json with a stable code and no details."""

import json
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, TooManyFilesSent
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection
from django.urls import URLPattern, URLResolver, path
from psycopg_pool import PoolTimeout
from pytest_django import Settings
from rest_framework.exceptions import Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.test import APIClient
from rest_framework.views import APIView

from backend.common.command_utils import JsonCommand, Output
from backend.common.database_errors import classify_database_error
from backend.common.problems import flatten_faults, problem_response
from backend.config import urls
from backend.jobs.faults import PlatformFault, classify_error
from tests.personas import Person, Response

ME = "/api/v1/me"


def problem_of(answer: Response) -> tuple[int, str]:
    body = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert body["status"] == answer.status_code
    assert {"type", "title", "status", "code", "detail", "errors"} <= set(body)
    assert body["detail"].endswith(".")
    return answer.status_code, body["code"]


def send(browser: APIClient, body: bytes, kind: str = "application/json") -> Response:
    return browser.generic("PATCH", ME, body, kind)  # type: ignore[arg-type]  # bytes are fine


class FailingCommand(JsonCommand):
    error: Exception = RuntimeError()

    def run(self, options: dict[str, Any]) -> Output:
        raise self.error


class FailingView(APIView):
    permission_classes = [AllowAny]
    error: Exception = RuntimeError()

    def get(self, request: Request) -> None:
        raise self.error


handler500 = urls.handler500
urlpatterns: list[URLPattern | URLResolver] = []
"""This module is the ROOT_URLCONF of a test that calls `add_failing_view`."""
FAILING = "/api/v1/failing"


@pytest.fixture
def add_failing_view(settings: Settings) -> Iterator[Callable[[Exception], None]]:
    """Serve a view that raises this error at FAILING."""

    def add(error: Exception) -> None:
        urlpatterns[:] = [path(FAILING[1:], FailingView.as_view(error=error))]
        settings.ROOT_URLCONF = __name__

    yield add
    urlpatterns.clear()


def test_a_lost_session_is_401(visitor: APIClient) -> None:
    assert problem_of(visitor.patch(ME, {})) == (401, "sign_in")


def test_what_is_not_there_is_404(visitor: APIClient) -> None:
    assert problem_of(visitor.get("/api/v1/nothing")) == (404, "not_found")
    assert problem_of(visitor.get("/api/nothing")) == (404, "not_found")


def test_a_method_that_is_not_there_is_405(outsider: Person) -> None:
    answer = outsider.browser.delete(ME)
    assert problem_of(answer) == (405, "method_not_allowed")
    assert "PATCH" in answer["Allow"]


@pytest.mark.parametrize(
    "body",
    ["{", "nul", '{"name": NaN}', "\xff", "[" * 100_000, r'{"name": "\ud800"}', r'"\\\u0000"'],
)
def test_a_body_that_is_not_json_is_400(body: str, outsider: Person) -> None:
    answer = send(outsider.browser, body.encode("latin-1"))
    assert problem_of(answer) == (400, "parse_error")


def test_an_empty_body_is_an_empty_object(outsider: Person) -> None:
    before = outsider.browser.get(ME).json()
    assert send(outsider.browser, b"").json() == before


def test_a_backslash_before_u0000_is_text(outsider: Person) -> None:
    body = rb'{"name": "the escape \\u0000 \u00fc"}'
    answer = send(outsider.browser, body)
    assert answer.json()["user"]["name"] == r"the escape \u0000 ü"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "x"])
def test_a_body_of_another_kind_is_415(kind: str, outsider: Person) -> None:
    answer = send(outsider.browser, b"name=x", kind)
    assert problem_of(answer) == (415, "unsupported_media_type")


def test_a_body_of_ten_megabytes_is_413(outsider: Person) -> None:
    body = b'{"name": "' + b"x" * 10_000_000 + b'"}'
    answer = send(outsider.browser, body)
    assert problem_of(answer) == (413, "too_large")


def test_ten_megabytes_to_sign_in_are_413(visitor: APIClient) -> None:
    body = '{"email": "' + "x" * 10_000_000 + '"}'
    answer = visitor.generic("POST", "/_allauth/browser/v1/auth/login", body, "application/json")
    assert problem_of(answer) == (413, "too_large")


def test_a_stale_page_is_403_with_a_code_of_its_own(outsider: Person) -> None:
    careful = APIClient(enforce_csrf_checks=True)
    careful.cookies = outsider.browser.cookies
    assert problem_of(careful.patch(ME, {"name": "X"})) == (403, "csrf_failed")
    outsider.user.refresh_from_db()
    assert outsider.user.name == "Olga"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (PermissionDenied("secret"), (403, "not_allowed")),
        (TooManyFilesSent("secret"), (400, "too_many_files")),
        (OperationalError("secret"), (503, "unavailable")),
        (InterfaceError("secret"), (503, "unavailable")),
        (RuntimeError("secret"), (500, "server_error")),
    ],
)
def test_an_error_tells_nothing_of_the_inside(
    error: Exception,
    expected: tuple[int, str],
    add_failing_view: Callable[[Exception], None],
    db: None,
) -> None:
    add_failing_view(error)
    answer = APIClient(raise_request_exception=False).get(FAILING)
    assert problem_of(answer) == expected
    assert b"secret" not in answer.content


def raised_by_postgresql(state: str) -> OperationalError:
    with pytest.raises(OperationalError) as caught, connection.cursor() as cursor:
        cursor.execute("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '" + state + "'; END $$")
    return caught.value


NOT_SAVED = "Nothing was saved; try again in a few seconds."
DATABASE_PROBLEMS = {
    "53100": ("disk_full", f"The server's disk is full. {NOT_SAVED}"),
    "40P01": ("busy", f"The database is busy. {NOT_SAVED}"),
    "57014": ("busy", f"The database is busy. {NOT_SAVED}"),
    "53300": ("busy", f"The database is busy. {NOT_SAVED}"),
    "57P01": (
        "unavailable",
        "The database is unavailable. Your last change may not be saved; try again in a few "
        "seconds.",
    ),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("state", DATABASE_PROBLEMS)
def test_a_failure_of_the_database_has_one_meaning_in_requests_jobs_and_commands(
    state: str, add_failing_view: Callable[[Exception], None]
) -> None:
    error = raised_by_postgresql(state)
    code, detail = DATABASE_PROBLEMS[state]
    add_failing_view(error)
    body = APIClient(raise_request_exception=False).get(FAILING).json()
    assert (body["status"], body["code"], body["detail"]) == (503, code, detail)
    fault = classify_error(error)
    assert isinstance(fault, PlatformFault)
    assert fault.code == (code if code == "disk_full" else f"database_{code}")
    assert fault.is_retried == (code != "disk_full")
    command, out = FailingCommand(), StringIO()
    command.error = error
    with pytest.raises(SystemExit):
        call_command(command, "--json", stdout=out)
    assert json.loads(out.getvalue())["error"]["detail"] == detail


def test_without_a_connection_nothing_can_have_been_saved() -> None:
    error = OperationalError()
    error.__cause__ = PoolTimeout()
    fault = classify_database_error(error)
    assert (fault.code, fault.is_undone) == ("unavailable", True)


def test_while_the_database_restarts_a_client_is_told_when_to_try_again(
    add_failing_view: Callable[[Exception], None], outsider: Person
) -> None:
    add_failing_view(OperationalError("the connection was closed"))
    assert outsider.browser.get(FAILING)["Retry-After"] == "5"


def test_a_database_that_is_lost_before_a_view_runs_is_503_too(
    monkeypatch: pytest.MonkeyPatch, outsider: Person
) -> None:
    def lose(session: object) -> None:  # the test's own connection cannot be cut at this moment
        raise OperationalError("the connection was closed")

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", lose)
    browser = APIClient(raise_request_exception=False)
    browser.cookies = outsider.browser.cookies
    answer = browser.get("/_allauth/browser/v1/auth/session")
    assert problem_of(answer) == (503, "unavailable")
    assert answer["Retry-After"] == "5"


def test_an_unknown_host_is_400(visitor: APIClient) -> None:
    answer = visitor.get(ME, HTTP_HOST="evil.example")
    assert problem_of(answer) == (400, "bad_request")


def test_a_person_reads_a_sentence_instead(visitor: APIClient) -> None:
    answer = visitor.get("/", HTTP_HOST="evil.example")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content == b"The server cannot read this request. Check its format and try again."


def test_faults_say_the_place_in_nested_data() -> None:
    detail: dict[str, Any] = {
        "name": ["Needed."],
        "events": [{}, {"at": ["Not a time."], "non_field_errors": ["Too many."]}],
        "non_field_errors": ["Wrong together."],
    }
    places = [(fault.place, fault.message) for fault in flatten_faults(detail)]
    assert places == [
        ("name", "Needed."),
        ("events[1].at", "Not a time."),
        ("events[1]", "Too many."),
        ("", "Wrong together."),
    ]


def test_an_unknown_error_is_left_to_the_server() -> None:
    assert problem_response(RuntimeError(), {}) is None


@pytest.mark.parametrize("place", ["/", ME, "/api/v1/nothing", "/_allauth/browser/v1/auth/session"])
def test_every_answer_carries_the_security_headers(place: str, visitor: APIClient) -> None:
    answer = visitor.get(place)
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]
    assert ("no-store" in answer.get("Cache-Control", "")) == (place != "/")


@pytest.mark.parametrize(
    ("wait", "when"),
    [
        (None, "Wait a moment, then try again."),
        (60, "Wait a moment, then try again."),
        (61, "Try again in 2 minutes."),
        (3601, "Try again in 2 hours."),
    ],
)
def test_whoever_sends_too_much_reads_when_to_try_again(wait: float | None, when: str) -> None:
    answer = problem_response(Throttled(wait), {})
    assert answer is not None and answer.data is not None
    assert answer.data["detail"] == f"Too many requests. {when}"
    assert ("next_at" in answer.data, answer.has_header("Retry-After")) == (bool(wait), bool(wait))
