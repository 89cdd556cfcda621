"""Without a network every page says so, offers what this device keeps, and does nothing later."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import PHONE, BrowserProfiles, assert_accessible, wait_until_loaded
from tests.e2e.ranking_page import (
    RESPONSE_URLS,
    Expert,
    candidate_order,
    cards,
    expect_unsent,
    move_first_down,
    new_expert,
    revisions,
)
from tests.e2e.ranking_page import run_coroutine as wait
from tests.e2e.stack import Stack

GRAPH, ASPIRIN = "/explore/drug-repurposing-demo", "DRUGBANK:DB00945"
ARRIVAL = 600  # ms: what is pressed sooner after a question appears is meant for the one before


@pytest.fixture
def expert(served: Stack) -> Expert:
    return wait(new_expert(served.url))


@pytest.fixture
def open_ranking(profiles: BrowserProfiles, expert: Expert) -> Page:
    """Their ranking page, able to open without a network."""
    page = profiles.open_signed_in(expert.email, expert.ranking_path, opens_offline=True)
    expect(cards(page).first).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return page


def test_signing_out_fails_at_once_and_is_not_done_when_the_network_is_back(
    open_ranking: Page, expert: Expert
) -> None:
    open_ranking.context.set_offline(True)
    move_first_down(open_ranking)
    expect_unsent(open_ranking, 1)
    open_ranking.goto("/account")
    open_ranking.get_by_role("button", name="Sign out").click()
    dialog = open_ranking.get_by_role("dialog", name="Some changes are not sent")
    dialog.get_by_role("button", name="Sign out and keep it here").click()
    expect(dialog.get_by_role("alert")).to_contain_text("The server did not answer")
    dialog.get_by_role("button", name="Stay signed in").click()
    with open_ranking.expect_response(RESPONSE_URLS):
        open_ranking.context.set_offline(False)
    expect(open_ranking.get_by_role("heading", level=1)).to_have_text("Account")
    email = open_ranking.evaluate(
        "async () => (await (await fetch('/api/v1/me')).json()).user?.email"
    )
    assert email == expert.email


def test_their_home_lists_what_this_device_keeps_and_leads_back_to_it(
    open_ranking: Page, expert: Expert
) -> None:
    open_ranking.context.set_offline(True)
    mine = move_first_down(open_ranking)
    expect_unsent(open_ranking, 1)
    open_ranking.get_by_role("link", name="Serendib, my batches").click()
    continued = open_ranking.get_by_role("link", name="Continue: Batch 1")
    expect(continued).to_be_visible()
    expect(open_ranking.get_by_text("The server did not answer.")).to_be_visible()
    open_ranking.reload()
    continued.click()
    expect(cards(open_ranking).first).to_be_visible()
    assert candidate_order(open_ranking) == mine


def test_a_batch_that_is_finished_without_a_network_ends_and_is_sent_later(
    open_ranking: Page, expert: Expert
) -> None:
    open_ranking.context.set_offline(True)
    for number in range(3):
        expect(open_ranking.get_by_role("heading", level=1)).to_contain_text(f"number {number}?")
        open_ranking.keyboard.press("a")
        expect(open_ranking.get_by_text("Press Enter to confirm")).to_be_visible()
        open_ranking.wait_for_timeout(ARRIVAL)
        open_ranking.keyboard.press("Enter")
    expect(open_ranking.get_by_role("heading", level=1)).to_have_text("Batch 1 is done")
    expect(
        open_ranking.get_by_text("3 changes are kept on this device and not sent yet.")
    ).to_be_visible()
    expect(open_ranking.get_by_text("each is saved")).to_have_count(0)
    assert_accessible(open_ranking)
    open_ranking.context.set_offline(False)
    expect(open_ranking.get_by_text("each is saved")).to_be_visible()
    expect(open_ranking.get_by_text("not sent yet")).to_have_count(0)
    expect(open_ranking.get_by_text("The server did not answer")).to_have_count(0)
    assert revisions(expert) == [1, 1, 1]


def test_the_picture_of_a_graph_that_was_seen_is_drawn_again(profiles: BrowserProfiles) -> None:
    """By files that only the pages kept for this can still give."""
    page = profiles.open_page(f"{GRAPH}/canvas?focus={ASPIRIN}", size=PHONE, opens_offline=True)
    wait_until_loaded(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.get_by_role("heading", level=1).get_by_role("link").click()
    expect(page.get_by_role("link", name="Larger view with table")).to_be_visible()
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.context.set_offline(True)
    page.get_by_role("link", name="Larger view with table").click()
    wait_until_loaded(page)
    drawing = page.get_by_role("application")
    expect(drawing.locator("[data-node]").first).to_be_visible()
    expect(drawing.locator("[data-edge]").first).to_be_attached()
