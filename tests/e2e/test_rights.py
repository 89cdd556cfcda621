"""What an expert reads between two questions, and how an expert leaves a study."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
)
from tests.e2e.ranking_page import (
    Expert,
    cards,
    expect_saved,
    move_first_down,
    new_expert,
    resize,
    run_coroutine,
    submit,
)
from tests.e2e.stack import Stack
from tests.load import virtual_users
from tests.load.http import Browser

FIRST, SECOND = "Rank by surprise.", "Rank by surprise.\nTies are fine."


@pytest.fixture
def expert(served: Stack) -> Expert:
    return run_coroutine(new_expert(served.url))


def publish(expert: Expert, text: str) -> None:
    async def post() -> None:
        coordinator = Browser(expert.coordinator.address, expert.coordinator.cookies)
        path = f"/api/v1/studies/{expert.study}/guidelines"
        answer = await coordinator.post(path, {"text": text, "must_be_read": True})
        virtual_users.expect_status(201, answer)

    run_coroutine(post())


def wait_until_ready(page: Page) -> None:
    last = page.get_by_role("contentinfo").get_by_role("button").last
    expect(last).not_to_have_attribute("aria-disabled", "true")


def read_and_go_on(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    assert_accessible(page)
    assert_nothing_truncated(page)
    page.get_by_role("button", name="I have read this, go on").click()
    expect(cards(page).first).to_be_visible()
    wait_until_ready(page)


def test_new_guidelines_come_between_two_questions(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=DESKTOP)
    wait_until_ready(page)
    move_first_down(page)
    publish(expert, FIRST)
    expect_saved(page)
    submit(page)
    read_and_go_on(page, "This study has guidelines now")
    expect(page).to_have_url(re.compile(r"\?q=2$"))

    page.get_by_role("button", name=re.compile("^What serendipitous means")).click()
    page.get_by_role("radio", name="Guidelines").click()
    expect(page.get_by_role("region", name="Guidelines")).to_contain_text(FIRST)
    page.get_by_role("button", name="Close").click()

    publish(expert, SECOND)
    move_first_down(page)
    expect_saved(page)
    resize(page, PHONE)
    submit(page)
    expect(page.locator("ins")).to_have_text("Ties are fine.")
    resize(page, NARROWEST)
    assert_fits(page)
    read_and_go_on(page, "The guidelines have changed")
    expect(page).to_have_url(re.compile(r"\?q=3$"))
    revisions = [one for row in expert.answers() for one in row["revisions"]]
    assert [one["guidelines_number"] for one in revisions] == [0, 1]


def test_an_expert_withdraws_with_the_answers(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=PHONE)
    wait_until_ready(page)
    page.get_by_role("button", name="Conflict of interest: I cannot judge this").click()
    assert_accessible(page)
    page.get_by_role("textbox", name="Reason").fill("My own paper.")
    page.get_by_role("button", name="Skip for good").click()
    expect(page).to_have_url(re.compile(r"\?q=2$"))
    wait_until_ready(page)
    move_first_down(page)
    submit(page)
    expect(page).to_have_url(re.compile(r"\?q=3$"))
    expect(page.get_by_text("Saved", exact=True).first).to_be_visible()

    page.goto("/home")
    page.get_by_role("button", name=re.compile("^Withdraw from")).click()
    confirm = page.get_by_role("button", name="Withdraw from the study")
    expect(confirm).to_be_disabled()
    page.get_by_text("Withdraw my answers too").click()
    assert_accessible(page)
    assert_nothing_truncated(page)
    confirm.click()
    expect(page).to_have_url(re.compile("/account$"))
    expect(page.get_by_role("link", name="Download my data")).to_be_visible()
    assert_accessible(page)
    page.goto(expert.ranking_path)
    expect(page.get_by_text("This batch is not assigned to you.")).to_be_visible()
    assert {(row["state"], len(row["revisions"])) for row in expert.answers()} == {("withdrawn", 0)}
