"""Without a network every page says so, offers what this device keeps, and does nothing later."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import PHONE, Visits, assert_accessible, settle
from tests.e2e.desk import (
    ANSWERS,
    Expert,
    cards,
    expect_kept,
    move_first_down,
    new_expert,
    order,
    revisions,
)
from tests.e2e.desk import wait_for as wait
from tests.e2e.stack import Stack

GRAPH, ASPIRIN = "/explore/drug-repurposing-demo", "DRUGBANK:DB00945"
ARRIVAL = 600  # ms: what is pressed sooner after a question appears is meant for the one before


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


def test_her_home_lists_what_this_device_keeps_and_leads_back_to_it(
    desk: Page, expert: Expert
) -> None:
    desk.context.set_offline(True)
    mine = move_first_down(desk)
    expect_kept(desk, 1)
    desk.get_by_role("link", name="Serendib, my batches").click()
    continued = desk.get_by_role("link", name="Continue: Batch 1")
    expect(continued).to_be_visible()
    expect(desk.get_by_text("The server did not answer.")).to_be_visible()
    desk.reload()
    continued.click()
    expect(cards(desk).first).to_be_visible()
    assert order(desk) == mine


def test_a_batch_that_is_finished_without_a_network_ends_and_is_sent_later(
    desk: Page, expert: Expert
) -> None:
    desk.context.set_offline(True)
    for number in range(3):
        expect(desk.get_by_role("heading", level=1)).to_contain_text(f"number {number}?")
        desk.keyboard.press("a")
        expect(desk.get_by_text("Press Enter to agree")).to_be_visible()
        desk.wait_for_timeout(ARRIVAL)
        desk.keyboard.press("Enter")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Batch 1 is done")
    expect(desk.get_by_text("3 changes are kept on this device and not sent yet.")).to_be_visible()
    expect(desk.get_by_text("each is saved")).to_have_count(0)
    assert_accessible(desk)
    desk.context.set_offline(False)
    expect(desk.get_by_text("each is saved")).to_be_visible()
    expect(desk.get_by_text("not sent yet")).to_have_count(0)
    expect(desk.get_by_text("The server did not answer")).to_have_count(0)
    assert revisions(expert) == [1, 1, 1]


def test_the_picture_of_a_graph_that_was_seen_is_arranged_again(visits: Visits) -> None:
    """By its own worker, a file that only the pages kept for this can still give."""
    page = visits.visitor(f"{GRAPH}/canvas?focus={ASPIRIN}", size=PHONE)
    settle(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.get_by_role("heading", level=1).get_by_role("link").click()
    expect(page.get_by_role("link", name="Show what is near")).to_be_visible()
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.context.set_offline(True)
    with page.expect_worker(lambda worker: "layout.worker" in worker.url) as arranging:
        page.get_by_role("link", name="Show what is near").click()
    settle(page)
    expect(page.get_by_role("application").locator("canvas").first).to_be_visible()
    assert arranging.value in page.workers, "it could not be loaded, and the picture is a ring"
