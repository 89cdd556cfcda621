"""Whatever goes wrong under /api/ is a problem+json with a stable code and no details."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, TooManyFilesSent
from rest_framework.request import Request
from rest_framework.test import APIClient
from rest_framework.views import APIView

from backend.accounts.api.views import Me
from backend.common.problems import faults_of, problem_response
from tests.personas import Answer, Person

ME = "/api/v1/me"


def shape_of(answer: Answer) -> tuple[int, str]:
    body = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert body["status"] == answer.status_code
    assert {"type", "title", "status", "code", "detail", "errors"} <= set(body)
    assert body["detail"].endswith(".")
    return answer.status_code, body["code"]


def send(browser: APIClient, body: bytes, kind: str = "application/json") -> Answer:
    return browser.generic("PATCH", ME, body, kind)  # type: ignore[arg-type]  # bytes are fine


def fail(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def get(self: APIView, request: Request) -> None:
        raise error

    monkeypatch.setattr(Me, "get", get)


def test_a_lost_session_is_401(visitor: APIClient) -> None:
    assert shape_of(visitor.patch(ME, {})) == (401, "sign_in")


def test_what_is_not_there_is_404(visitor: APIClient) -> None:
    assert shape_of(visitor.get("/api/v1/nothing")) == (404, "not_found")
    assert shape_of(visitor.get("/api/nothing")) == (404, "not_found")


def test_a_method_that_is_not_there_is_405(outsider: Person) -> None:
    answer = outsider.browser.delete(ME)
    assert shape_of(answer) == (405, "method_not_allowed")
    assert "PATCH" in answer["Allow"]


@pytest.mark.parametrize(
    "body",
    ["{", "", "nul", '{"name": NaN}', "\xff", "[" * 100_000, r'{"name": "\ud800"}', r'"\\\u0000"'],
)
def test_a_body_that_is_not_json_is_400(body: str, outsider: Person) -> None:
    answer = send(outsider.browser, body.encode("latin-1"))
    expected = (422, "invalid") if body == "" else (400, "parse_error")
    assert shape_of(answer) == expected


def test_a_backslash_before_u0000_is_text(outsider: Person) -> None:
    body = rb'{"name": "the escape \\u0000 \u00fc"}'
    answer = send(outsider.browser, body)
    assert answer.json()["user"]["name"] == r"the escape \u0000 ü"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "x"])
def test_a_body_of_another_kind_is_415(kind: str, outsider: Person) -> None:
    answer = send(outsider.browser, b"name=x", kind)
    assert shape_of(answer) == (415, "unsupported_media_type")


def test_a_body_of_ten_megabytes_is_413(outsider: Person) -> None:
    body = b'{"name": "' + b"x" * 10_000_000 + b'"}'
    answer = send(outsider.browser, body)
    assert shape_of(answer) == (413, "too_large")


def test_ten_megabytes_to_sign_in_are_413(visitor: APIClient) -> None:
    body = '{"email": "' + "x" * 10_000_000 + '"}'
    answer = visitor.generic("POST", "/_allauth/browser/v1/auth/login", body, "application/json")
    assert shape_of(answer) == (413, "too_large")


def test_a_stale_page_is_403_with_a_code_of_its_own(outsider: Person) -> None:
    careful = APIClient(enforce_csrf_checks=True)
    careful.cookies = outsider.browser.cookies
    assert shape_of(careful.patch(ME, {"name": "X"})) == (403, "csrf_failed")
    outsider.user.refresh_from_db()
    assert outsider.user.name == "Olga"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (PermissionDenied("secret"), (403, "not_allowed")),
        (TooManyFilesSent("secret"), (400, "bad_request")),
        (RuntimeError("secret"), (500, "server_error")),
    ],
)
def test_an_error_tells_nothing_of_the_inside(
    error: Exception, expected: tuple[int, str], monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    fail(monkeypatch, error)
    answer = APIClient(raise_request_exception=False).get(ME)
    assert shape_of(answer) == expected
    assert b"secret" not in answer.content


def test_an_unknown_host_is_400(visitor: APIClient) -> None:
    answer = visitor.get(ME, HTTP_HOST="evil.example")
    assert shape_of(answer) == (400, "bad_request")


def test_a_person_reads_a_sentence_instead(visitor: APIClient) -> None:
    answer = visitor.get("/", HTTP_HOST="evil.example")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content == b"This request cannot be read."


def test_faults_say_the_place_in_nested_data() -> None:
    detail: dict[str, Any] = {
        "name": ["Needed."],
        "events": [{}, {"at": ["Not a time."], "non_field_errors": ["Too many."]}],
        "non_field_errors": ["Wrong together."],
    }
    places = [(fault.place, fault.message) for fault in faults_of(detail)]
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
