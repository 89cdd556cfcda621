"""An old server is named before anything is made on it."""

import pytest

from backend.config import checks


@pytest.mark.django_db
def test_the_server_of_these_tests_has_a_fitting_pgvector() -> None:
    assert checks.check_pgvector(["default"]) == []


@pytest.mark.parametrize(
    ("version", "message_part"),
    [("", "has no pgvector;"), ("0.7.4", "has pgvector 0.7.4;"), ("0.10.0", ""), ("1.0", "")],
)
def test_a_server_without_a_fitting_pgvector_is_told_what_is_missing(
    version: str, message_part: str
) -> None:
    result = checks.version_errors([("default", version)])
    assert [message_part in message.msg for message in result] == ([True] if message_part else [])
