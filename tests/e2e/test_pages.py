"""Asked of every page: what axe knows, in both themes; and no scrolling sideways at 360 px."""

import pytest

from tests.e2e.browsing import DESKTOP, NARROWEST, PHONE, Visits, assert_accessible, assert_fits

VISITOR = (
    "/",
    "/practice",
    "/sign-in",
    "/reset-password",
    "/invite#none",
    "/leaderboard",
    "/no-such-page",
)
EXPERT = ("/home", "/account")
COORDINATOR = ("/studies", "/studies/new", "board")
ADMINISTRATOR = ("/people",)
PAGES = [
    *(("", path) for path in VISITOR),
    *(("physician@demo.example", path) for path in EXPERT),
    *(("coordinator@demo.example", path) for path in COORDINATOR),
    *(("administrator@demo.example", path) for path in ADMINISTRATOR),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("who", "path"), PAGES)
def test_every_page_is_accessible_and_fits(visits: Visits, who: str, path: str, theme: str) -> None:
    start = "/studies" if path == "board" else path
    page = visits.signed_in(who, start, theme=theme) if who else visits.visitor(start, theme=theme)
    if path == "board":
        page.get_by_role("link", name="Drug repurposing (demo)").click()
        page.wait_for_url("**/studies/*-*")
    for size in (DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)
    assert_accessible(page)
