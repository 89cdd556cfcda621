"""Without a network every page says so, offers what this device keeps, and does nothing later."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import Visits
from tests.e2e.desk import ANSWERS, Expert, cards, expect_kept, move_first_down, new_expert
from tests.e2e.desk import wait_for as wait
from tests.e2e.stack import Stack


@pytest.fixture
def expert(served: Stack) -> Expert:
    return wait(new_expert(served.url))


@pytest.fixture
def desk(visits: Visits, expert: Expert) -> Page:
    """Her ranking page, able to open without a network."""
    page = visits.signed_in(expert.email, expert.desk)
    expect(cards(page).first).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return page


def test_signing_out_fails_at_once_and_is_not_done_when_the_network_is_back(
    desk: Page, expert: Expert
) -> None:
    desk.context.set_offline(True)
    move_first_down(desk)
    expect_kept(desk, 1)
    desk.goto("/account")
    desk.get_by_role("button", name="Sign out").click()
    dialog = desk.get_by_role("dialog", name="Some changes are not sent")
    dialog.get_by_role("button", name="Sign out and keep it here").click()
    expect(dialog.get_by_role("alert")).to_contain_text("The server did not answer")
    dialog.get_by_role("button", name="Stay signed in").click()
    with desk.expect_response(ANSWERS):
        desk.context.set_offline(False)
    expect(desk.get_by_role("heading", level=1)).to_have_text("Account")
    email = desk.evaluate("async () => (await (await fetch('/api/v1/me')).json()).user?.email")
    assert email == expert.email
