"""A cursor comes from outside, like everything in an address."""

from base64 import b64encode
from typing import Any

import pytest

from tests.annotation.personas import Cast, client_of

WORDS = ("p=notadate", "p=\0", "p=" + "9" * 50, "o=-1", "o=x", "p=0000-00-00")


def get_page(cast: Cast, word: str) -> Any:
    cursor = b64encode(word.encode()).decode()
    path = f"/api/v1/studies/{cast.study.id}/invitations"
    return client_of(cast.coordinator).get(path, {"cursor": cursor})


@pytest.mark.parametrize("word", WORDS)
def test_a_cursor_that_was_not_made_here_leads_nowhere(cast: Cast, word: str) -> None:
    assert get_page(cast, word).status_code == 404


def test_a_cursor_far_beyond_the_end_leads_to_an_empty_page(cast: Cast) -> None:
    answer = get_page(cast, "o=" + "9" * 50)
    assert (answer.status_code, answer.json()["results"]) == (200, [])
