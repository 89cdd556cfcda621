"""A coordinator takes a study from a draft to its release."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import BrowserProfiles, assert_accessible
from tests.e2e.stack import Stack
from tests.e2e.test_board import expert_by_http, make_study, open_dashboard, submit_answers
from tests.e2e.test_study_tools import press


def choose_in_menu(page: Page, item: str) -> None:
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name=re.compile(item)).click()


def move(page: Page, button: str, confirm: str) -> None:
    """By keyboard."""
    press(page, page.get_by_role("button", name=button))
    page.get_by_role("button", name=confirm, exact=True).press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_from_a_draft_to_the_methods_section(served: Stack, profiles: BrowserProfiles) -> None:
    page = open_dashboard(profiles, make_study(served))
    draft = clone(page)
    try_first_question(page)
    move(page, "Open the study", "Open it")
    expert = expert_by_http(served, draft)
    assert submit_answers(expert) == [200]
    pause(page)
    assert submit_answers(expert) == [409]
    move(page, "Open the study", "Open it")
    assert submit_answers(expert) == [200]
    move(page, "Close the study", "Close it")
    choose_in_menu(page, "Freeze the study")
    page.get_by_role("dialog").get_by_label("Name of the release").fill(f"release-{draft}")
    assert_accessible(page)
    page.get_by_role("button", name="Freeze it").click()
    frozen = page.get_by_text(f"Frozen as release release-{draft}")
    expect(frozen).to_be_visible(timeout=30_000)  # a worker does it
    expect(page.get_by_role("button", name="Open the study")).to_have_count(0)
    assert_accessible(page)
    with page.expect_download() as waiting:
        choose_in_menu(page, "Methods section")
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert f"release 'release-{draft}'" in text
    assert "1 expert joined" in text


def clone(page: Page) -> str:
    """The id of the draft, whose dashboard is open then."""
    before = page.url
    choose_in_menu(page, "Clone the study")
    page.get_by_role("button", name="Create the draft").click()
    expect(page).not_to_have_url(before)
    expect(page.get_by_text("draft", exact=True).first).to_be_visible()
    return page.url.rsplit("/", 1)[-1]


def try_first_question(page: Page) -> None:
    page.get_by_role("link", name="Preview").click()
    page.get_by_role("link", name="Try as an expert").click()
    expect(page.get_by_text("Trial: nothing that you do here is stored")).to_be_visible()
    heading = page.get_by_role("heading", level=1)
    first = heading.inner_text()
    button = page.get_by_role("button", name=re.compile("I agree with this order"))
    expect(button).not_to_have_attribute("aria-disabled", "true")
    assert_accessible(page)
    button.click()
    expect(heading).not_to_have_text(first)
    page.get_by_role("link", name="End the trial").click()
    page.get_by_role("link", name="Progress", exact=True).click()
    expect(
        page.get_by_text("0 of 0").or_(page.get_by_text("nobody assigned")).first
    ).to_be_visible()


def pause(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=re.compile("^Paused")).click(force=True)
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("paused", exact=True).first).to_be_visible()
