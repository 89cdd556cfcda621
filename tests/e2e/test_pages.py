"""Asked of every page: what axe knows, in both themes; and no scrolling sideways at 360 px."""

import pytest
from playwright.sync_api import expect

from tests.e2e.browsing import (
    DEMO_PASSWORD,
    DESKTOP,
    NARROWEST,
    PHONE,
    Visits,
    assert_accessible,
    assert_fits,
    settle,
)

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


@pytest.mark.parametrize("path", ["/", "/practice", "/sign-in", "/reset-password", "/leaderboard"])
def test_a_visitor_makes_no_error_by_opening_a_page(visits: Visits, path: str) -> None:
    """That nobody is signed in is an answer; what is refused or missing shows in the console."""
    page = visits.profile().new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(error.message))
    with page.expect_response("**/api/v1/me") as asked:
        page.goto(path)
    assert asked.value.json() == {"user": None}
    settle(page)
    page.wait_for_load_state("networkidle")
    assert [line for line in said if not line.startswith(("log", "info", "debug"))] == []


STORAGE_OFF = """
for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
  const denied = () => { throw new DOMException("It is switched off.", "SecurityError"); };
  Object.defineProperty(window, name, { get: denied });
}
"""


@pytest.mark.parametrize("path", ["/", "/practice", "/sign-in", "/invite#none", "/leaderboard"])
def test_a_page_opens_where_the_browser_stores_nothing(visits: Visits, path: str) -> None:
    profile = visits.profile()
    profile.add_init_script(STORAGE_OFF)
    page = profile.new_page()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(error.message))
    page.goto(path)
    settle(page)
    page.get_by_role("button", name="Appearance: as the system").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert broken == []


def test_she_signs_in_where_the_browser_stores_nothing(visits: Visits) -> None:
    page = visits.visitor("/healthz")
    page.context.add_init_script(STORAGE_OFF)
    page.goto("/sign-in")
    page.get_by_role("radio", name="Password").click()
    page.get_by_label("E-mail").fill("physician@demo.example")
    page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My batches")
    settle(page)
