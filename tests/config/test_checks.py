"""An old server is named before anything is made on it."""

import pytest

from backend.config import checks


@pytest.mark.django_db
def test_the_server_of_these_tests_has_a_fitting_pgvector() -> None:
    assert checks.pgvector_is_there(["default"]) == []


@pytest.mark.parametrize(
    ("version", "said"),
    [("", "has no pgvector;"), ("0.7.4", "has pgvector 0.7.4;"), ("0.10.0", ""), ("1.0", "")],
)
def test_a_server_without_a_fitting_pgvector_is_told_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, version: str, said: str
) -> None:
    monkeypatch.setattr(checks, "available_version", lambda alias: version)
    found = checks.pgvector_is_there(["default"])
    assert [said in message.msg for message in found] == ([True] if said else [])
