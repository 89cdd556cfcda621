"""What the server answers beside its API."""

import pytest
from django.test import Client


@pytest.mark.parametrize("asked", ["/favicon.ico", "/robots.txt", "/apple/touch-icon.png"])
def test_what_a_browser_asks_for_by_itself_is_no_page_and_sets_no_cookie(asked: str) -> None:
    answer = Client().get(asked)
    assert answer.status_code == 404
    assert not answer.cookies


@pytest.mark.parametrize("asked", ["/", "/home", "/rank/0190a1b2/end", "/leaderboard/stark-prime"])
def test_every_other_path_is_the_page_and_sets_the_csrf_cookie(asked: str) -> None:
    answer = Client().get(asked)
    assert answer.status_code in {200, 503}  # 503 where the bundle is not built
    assert "csrftoken" in answer.cookies
