"""Asked of every page: what axe knows, in both themes; and no scrolling sideways at 360 px."""

import pytest
from playwright.sync_api import expect

from tests.e2e.browser_helpers import (
    DEMO_PASSWORD,
    DESKTOP,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    show_each_theme,
    wait_until_loaded,
)

VISITOR = (
    "/",
    "/practice",
    "/about",
    "/privacy",
    "/sign-in",
    "/reset-password",
    "/invite#none",
    "/leaderboard",
    "/costs",
    "/judges",
    "/releases",
    "/no-such-page",
)
EXPERT = ("/home", "/account")
PLAN = "/studies/plan?judgement=pairs&items=54&raters=6&overlap=1"
COORDINATOR = ("/studies", "/studies/new", PLAN, "/releases/new", "board")
RESEARCHER = (
    "/submissions",
    "/submissions/new",
    "/team",
    "/runs",
    "/groundings",
    "/endpoints",
    "/costs?of=own",
)
ADMINISTRATOR = ("/people", "/endpoints", "/endpoints/new", "/costs?of=people")
PAGES = [
    *(("", path) for path in VISITOR),
    *(("physician@demo.example", path) for path in EXPERT),
    *(("coordinator@demo.example", path) for path in COORDINATOR),
    *(("researcher@demo.example", path) for path in RESEARCHER),
    *(("administrator@demo.example", path) for path in ADMINISTRATOR),
]


@pytest.mark.parametrize(("who", "path"), PAGES)
def test_every_page_is_accessible_and_fits(profiles: BrowserProfiles, who: str, path: str) -> None:
    start = "/studies" if path == "board" else path
    page = profiles.open_signed_in(who, start) if who else profiles.open_page(start)
    if path == "board":
        page.get_by_role("link", name="Drug repurposing (demo)").click()
        page.wait_for_url("**/studies/*-*")
    for _ in show_each_theme(page):
        for size in (DESKTOP, PHONE, NARROWEST):
            page.set_viewport_size(size)
            assert_fits(page)
        assert_accessible(page)
        page.set_viewport_size(DESKTOP)
        assert_accessible(page)


@pytest.mark.parametrize("path", ["/", "/practice", "/sign-in", "/reset-password", "/leaderboard"])
def test_a_visitor_makes_no_error_by_opening_a_page(profiles: BrowserProfiles, path: str) -> None:
    """That nobody is signed in is an answer; what is refused or missing shows in the console."""
    page = profiles.new_profile(opens_offline=True).new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: messages.append(error.message))
    with page.expect_response("**/api/v1/me") as me:
        page.goto(path)
    assert me.value.json() == {"user": None}
    wait_until_loaded(page)
    page.wait_for_load_state("networkidle")
    assert [line for line in messages if not line.startswith(("log", "info", "debug"))] == []


STORAGE_OFF = """
for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
  const denied = () => { throw new DOMException("It is switched off.", "SecurityError"); };
  Object.defineProperty(window, name, { get: denied });
}
"""


@pytest.mark.parametrize("path", ["/", "/practice", "/sign-in", "/invite#none", "/leaderboard"])
def test_a_page_opens_where_the_browser_stores_nothing(
    profiles: BrowserProfiles, path: str
) -> None:
    profile = profiles.new_profile()
    profile.add_init_script(STORAGE_OFF)
    page = profile.new_page()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(error.message))
    page.goto(path)
    wait_until_loaded(page)
    page.get_by_role("button", name="Appearance: system").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert broken == []


def test_the_expert_signs_in_where_the_browser_stores_nothing(profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/healthz")
    page.context.add_init_script(STORAGE_OFF)
    page.goto("/sign-in")
    page.get_by_role("radio", name="Password").click()
    page.get_by_label("E-mail").fill("physician@demo.example")
    page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My batches")
    wait_until_loaded(page)
