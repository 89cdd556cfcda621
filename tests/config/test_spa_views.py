"""What the server answers beside its API."""

import re
from pathlib import Path

import pytest
from django.conf import settings as project
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from backend.config.spa_views import PAGES

pytestmark = pytest.mark.django_db
ROUTER = project.ROOT / "frontend" / "src" / "app" / "router.tsx"


@pytest.fixture
def bundle(settings: Settings, tmp_path: Path) -> Path:
    settings.BUNDLE = tmp_path
    (tmp_path / "index.html").write_text("<title>Serendib</title>")
    return tmp_path


@pytest.mark.parametrize("path", ["/favicon.ico", "/robots.txt", "/apple/touch-icon.png"])
def test_what_a_browser_requests_by_itself_is_no_page_and_sets_no_cookie(path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 404
    assert not response.cookies


@pytest.mark.parametrize("path", ["/", "/home", "/rank/0190a1b2/end", "/leaderboard/stark-prime"])
def test_a_page_is_served_and_sets_the_csrf_cookie(bundle: Path, path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 200
    assert "csrftoken" in response.cookies


@pytest.mark.parametrize("path", ["/nothing-here", "/explore/demo/nothing", "/rank"])
def test_an_address_without_a_page_is_404_and_shows_the_page_that_says_so(
    bundle: Path, path: str
) -> None:
    response = Client().get(path)
    assert (response.status_code, b"Serendib" in response.content) == (404, True)


def test_only_the_embedded_board_may_be_framed(bundle: Path) -> None:
    framed = Client().get("/embed/board/pairs")
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    assert not framed.cookies
    for path in ("/", "/leaderboard/truthhypo", "/embed/board/pairs/more", "/embed/board"):
        page = Client().get(path)
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
        assert page["X-Frame-Options"] == "DENY"


def test_a_missing_bundle_is_503(settings: Settings, tmp_path: Path) -> None:
    settings.BUNDLE = tmp_path
    response: HttpResponse = Client().get("/nothing-here")  # type: ignore[assignment]  # of the stubs
    assert response.status_code == 503


def test_the_server_knows_each_route_of_the_front_end() -> None:
    routes = set(re.findall(r'\bpath: "([^"*]+)"', ROUTER.read_text()))
    assert {page for page in PAGES if page} == routes
