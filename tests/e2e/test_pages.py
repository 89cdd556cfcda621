"""Pages open without an error, and where the browser stores nothing.

What is asked of every page is in test_page_weights.py.
"""

import pytest
from playwright.sync_api import expect

from tests.e2e.browser_helpers import DEMO_PASSWORD, BrowserProfiles, wait_until_loaded


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
