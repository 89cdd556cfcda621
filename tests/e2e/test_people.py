"""An administrator changes accounts: what it does is said before and after."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DEMO_PASSWORD,
    DESKTOP,
    NARROWEST,
    PHONE,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
)
from tests.e2e.stack import Stack
from tests.e2e.test_accounts import expert_with_password

ADMINISTRATOR = "administrator@demo.example"


@pytest.fixture
def member(served: Stack) -> str:
    """The address of somebody with an account."""
    return expert_with_password(served)


def open_people(visits: BrowserProfiles, theme: str = "light") -> Page:
    page = visits.open_signed_in(ADMINISTRATOR, "/people", theme=theme)
    expect(page.get_by_role("table", name="People")).to_be_visible()
    return page


def row_of(page: Page, email: str) -> str:
    """Read to the end of the list, as the expert may stand there; the words of their row."""
    row = page.get_by_role("row").filter(has_text=email)
    more = page.get_by_role("button", name="Show more")
    while row.count() == 0:
        more.click()
    return row.inner_text()


def open_dialog(page: Page, email: str) -> None:
    """By keys alone."""
    row_of(page, email)
    button = page.get_by_role("row").filter(has_text=email).get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text(email)


def test_an_account_is_closed_and_opened_again_by_keys(
    profiles: BrowserProfiles, member: str
) -> None:
    member_page = profiles.open_signed_in(member, "/home")
    page = open_people(profiles)
    open_dialog(page, member)
    dialog = page.get_by_role("dialog")
    tab_to(page, dialog.get_by_role("radio", name=re.compile("^Open")))
    page.keyboard.press("ArrowDown")
    expect(dialog.get_by_role("status")).to_contain_text("is signed out everywhere at once")
    tab_to(page, dialog.get_by_role("button", name="Close the account"))
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="signed out everywhere")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text=member)).to_contain_text("(closed)")

    member_page.goto("/home")
    member_page.wait_for_url(re.compile("/sign-in"))
    member_page.get_by_role("radio", name="Password").click()
    member_page.get_by_label("E-mail").fill(member)
    member_page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    member_page.get_by_role("button", name="Sign in", exact=True).click()
    expect(member_page.get_by_role("alert")).to_be_visible()

    open_dialog(page, member)
    tab_to(page, dialog.get_by_role("radio", name=re.compile("^Closed")))
    page.keyboard.press("ArrowUp")
    tab_to(page, dialog.get_by_role("button", name="Open the account again"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("row").filter(has_text=member)).not_to_contain_text("(closed)")
    profiles.open_signed_in(member, "/home", new_session=True)


def test_a_role_needs_an_address_that_was_shown_to_be_theirs(
    profiles: BrowserProfiles, member: str
) -> None:
    page = open_people(profiles)
    open_dialog(page, member)
    dialog = page.get_by_role("dialog")
    dialog.locator("label").filter(has_text="Researcher").click()
    dialog.get_by_role("button", name="Change the roles").click()
    expect(dialog.get_by_role("alert")).to_contain_text(f"{member} is not confirmed yet")
    page.keyboard.press("Escape")
    assert "researcher" not in row_of(page, member)


@THEMES
def test_the_dialog_is_accessible_and_fits(
    profiles: BrowserProfiles, member: str, theme: str
) -> None:
    page = open_people(profiles, theme)
    open_dialog(page, member)
    page.get_by_role("dialog").locator("label").filter(has_text="Closed").click()
    for size in (DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)
