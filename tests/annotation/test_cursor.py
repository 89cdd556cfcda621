"""A cursor comes from outside, like everything in an address."""

from base64 import b64encode

import pytest

from tests.annotation.personas import Cast, client_of

WORDS = ("p=notadate", "p=\0", "p=" + "9" * 50, "o=" + "9" * 50, "p=0000-00-00")


@pytest.mark.parametrize("word", WORDS)
def test_a_cursor_that_was_not_made_here_leads_nowhere(cast: Cast, word: str) -> None:
    cursor = b64encode(word.encode()).decode()
    path = f"/api/v1/studies/{cast.study.id}/invitations"
    answer = client_of(cast.coordinator).get(path, {"cursor": cursor})
    assert answer.status_code in {200, 404}
