"""What is sent as JSON: in UTF-8, not deeper than anything that is read here, storable."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.common.parsers import MAX_JSON_DEPTH
from tests.personas import Person

ME = "/api/v1/me"
JSON = "application/json"


def send(browser: APIClient, body: bytes, kind: str = JSON) -> tuple[int, str]:
    answer = browser.patch(ME, body, content_type=kind)
    return answer.status_code, answer.json().get("code", "")


def post(browser: APIClient, path: str, body: bytes) -> int:
    return browser.post(path, body, content_type=JSON).status_code


@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "latin-1", "zlib"])
def test_a_charset_other_than_utf_8_lets_nothing_past(outsider: Person, charset: str) -> None:
    encoded = "utf-8" if charset == "zlib" else charset
    body = json.dumps({"name": "a\0b"}).encode(encoded)
    status, _ = send(outsider.browser, body, f"application/json; charset={charset}")
    # In UTF-7 a backslash is written +AFw-, which in UTF-8 is a name like any other.
    assert status == (200 if charset == "utf-7" else 400)
    outsider.user.refresh_from_db()
    assert "\0" not in outsider.user.name


@pytest.mark.parametrize("depth", [MAX_JSON_DEPTH + 1, 900, 905, 5_000, 100_000])
def test_what_is_nested_too_deeply_is_refused_by_every_parser(
    outsider: Person, visitor: APIClient, depth: int
) -> None:
    nested = b"[" * depth + b"]" * depth
    assert send(outsider.browser, b'{"name": ' + nested + b"}") == (400, "parse_error")
    login = "/_allauth/browser/v1/auth/login"
    body = b'{"email": "a@example.org", "password": ' + nested + b"}"
    assert post(visitor, login, body) == 400


def test_what_is_wide_is_not_deep(outsider: Person) -> None:
    body = json.dumps({"name": "Olga", "else": [[]] * 1000}).encode()
    # It is read: what is refused is the member that the route does not have.
    assert send(outsider.browser, body) == (422, "invalid")


@pytest.mark.parametrize("text", ["\\u0000", "\\ud800"])
def test_the_place_of_a_text_that_cannot_be_stored_is_named(outsider: Person, text: str) -> None:
    body = f'{{"else": [{{"a": 1}}, {{"name": "a{text}b"}}]}}'.encode()
    answer: Any = outsider.browser.patch(ME, body, content_type=JSON)
    assert answer.status_code == 400
    (fault,) = answer.json()["errors"]
    assert fault["place"] == "else[1].name"
