"""An administrator changes accounts: what it does is said before and after."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import (
    DEMO_PASSWORD,
    DESKTOP,
    NARROWEST,
    PHONE,
    Visits,
    assert_accessible,
    assert_fits,
    press_to,
)
from tests.e2e.stack import Stack
from tests.e2e.test_accounts import expert_with_password

ADMINISTRATOR = "administrator@demo.example"


@pytest.fixture
def member(served: Stack) -> str:
    """The address of somebody with an account."""
    return expert_with_password(served)


def people(visits: Visits, theme: str = "light") -> Page:
    page = visits.signed_in(ADMINISTRATOR, "/people", theme=theme)
    expect(page.get_by_role("table", name="People")).to_be_visible()
    return page


def row_of(page: Page, email: str) -> str:
    """Read to the end of the list, as she may stand there; the words of her row."""
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


def test_an_account_is_closed_and_opened_again_by_keys(visits: Visits, member: str) -> None:
    hers = visits.signed_in(member, "/home")
    page = people(visits)
    open_dialog(page, member)
    dialog = page.get_by_role("dialog")
    press_to(page, dialog.get_by_role("radio", name=re.compile("^Open")))
    page.keyboard.press("ArrowDown")
    expect(dialog.get_by_role("status")).to_contain_text("is signed out everywhere at once")
    press_to(page, dialog.get_by_role("button", name="Close the account"))
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="signed out everywhere")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text=member)).to_contain_text("(closed)")

    hers.goto("/home")
    hers.wait_for_url(re.compile("/sign-in"))
    hers.get_by_role("radio", name="Password").click()
    hers.get_by_label("E-mail").fill(member)
    hers.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    hers.get_by_role("button", name="Sign in", exact=True).click()
    expect(hers.get_by_role("alert")).to_be_visible()

    open_dialog(page, member)
    press_to(page, dialog.get_by_role("radio", name=re.compile("^Closed")))
    page.keyboard.press("ArrowUp")
    press_to(page, dialog.get_by_role("button", name="Open the account again"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("row").filter(has_text=member)).not_to_contain_text("(closed)")
    visits.signed_in(member, "/home")


def test_a_role_needs_an_address_that_was_shown_to_be_hers(visits: Visits, member: str) -> None:
    page = people(visits)
    open_dialog(page, member)
    dialog = page.get_by_role("dialog")
    dialog.locator("label").filter(has_text="Researcher").click()
    dialog.get_by_role("button", name="Change the roles").click()
    expect(dialog.get_by_role("alert")).to_contain_text(f"{member} is not confirmed yet")
    page.keyboard.press("Escape")
    assert "researcher" not in row_of(page, member)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_dialog_is_accessible_and_fits(visits: Visits, member: str, theme: str) -> None:
    page = people(visits, theme)
    open_dialog(page, member)
    page.get_by_role("dialog").locator("label").filter(has_text="Closed").click()
    for size in (DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)
