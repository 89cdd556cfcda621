"""An expert explores an entity and writes a query for it, and the coordinator reads it."""

import re

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
)
from tests.e2e.kind_pages import assert_touchable, expect_item, new_expert, stored_responses
from tests.e2e.ranking_page import (
    SAVED,
    Expert,
    expect_saved,
    invite_expert,
    is_response_write,
    last_button,
    run_coroutine,
)
from tests.e2e.stack import Stack
from tests.load import virtual_users
from tests.load.http import Browser
from tests.load.studies import COORDINATOR

QUERY = "Which enzyme of cholesterol synthesis do bisphosphonates block?"


@pytest.fixture
def expert(served: Stack) -> Expert:
    return new_expert(served.url, "written_queries")


def query_field(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("^Your query"))


def test_a_query_is_written_from_the_introduction_to_the_coordinators_list(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    introduction = f"/studies/{expert.study}/introduction"
    page = profiles.open_signed_in(expert.email, introduction, size=DESKTOP)
    expect(page.get_by_role("heading", name="What a good query is")).to_be_visible()
    page.get_by_role("button", name="Write a practice query").click()
    expect(page.get_by_text("Pepcid", exact=True)).to_be_visible()
    assert_accessible(page)

    page.goto(expert.ranking_path)
    expect_item(page, 1)
    expect(page.get_by_text("takes part in").first).to_be_visible()
    page.keyboard.press("w")
    expect(query_field(page)).to_be_focused()
    page.keyboard.insert_text("Which FDPS-like enzyme?")
    expect(page.get_by_text("The query contains “FDPS”.")).to_be_visible()
    expect(last_button(page)).to_be_disabled()
    assert_accessible(page)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(QUERY)
    expect_saved(page)
    page.reload()
    expect_item(page, 1)
    expect(query_field(page)).to_have_value(QUERY)
    page.keyboard.press("Control+Enter")
    expect_item(page, 2)
    page.keyboard.press("n")
    expect(page.get_by_role("checkbox", name="No query is possible")).to_be_checked()
    assert_accessible(page)
    page.keyboard.press("Control+Enter")
    expect_item(page, 3)
    expect_saved(page)
    first, second = stored_responses(expert)
    assert (first["outcome"], first["payload"]["query"]) == ("written", QUERY)
    assert second["outcome"] == "impossible"

    board = profiles.open_signed_in(COORDINATOR, f"/studies/{expert.study}?tab=questions")
    board.get_by_text(expert.questions()[0]["text"]).first.click()
    expect(board.get_by_role("definition").filter(has_text=QUERY).first).to_be_visible()
    assert_accessible(board)


def test_a_query_is_written_by_touch(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=PHONE)
    expect_item(page, 1)
    query_field(page).fill("What is HGNC:3631?")
    expect(page.get_by_text("The query contains “HGNC:3631”.")).to_be_visible()
    assert_touchable(page, "[data-entity]")
    assert_accessible(page)
    assert_fits(page)
    assert_nothing_truncated(page)
    query_field(page).fill(QUERY)
    last_button(page).tap()
    expect_item(page, 2)
    expect(page.get_by_text(SAVED).first).to_be_attached()
    [response] = stored_responses(expert)
    assert response["payload"]["query"] == QUERY


async def close_study(expert: Expert) -> None:
    coordinator = Browser(expert.coordinator.address, expert.coordinator.cookies)
    closed = await coordinator.send(
        "PATCH", f"/api/v1/studies/{expert.study}", {"status": "closed"}
    )
    virtual_users.expect_status(200, closed)


async def invite_verifier(expert: Expert, question_set: str) -> Expert:
    """Another expert, in a new study of ratings of this set."""
    coordinator = Browser(expert.coordinator.address, expert.coordinator.cookies)
    body = {"name": f"Ratings {question_set}", "question_set": question_set, "kind": "ratings"}
    created = await coordinator.post("/api/v1/studies", body)
    study = virtual_users.expect_status(201, created)["study"]["id"]
    return await invite_expert(coordinator, study)


def test_a_second_expert_verifies_a_query(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=DESKTOP)
    expect_item(page, 1)
    query_field(page).fill(QUERY)
    page.keyboard.press("Control+Enter")
    expect_item(page, 2)
    expect_saved(page)
    run_coroutine(close_study(expert))
    board = profiles.open_signed_in(COORDINATOR, f"/studies/{expert.study}", size=PHONE)
    stored = store_queries(board)
    expect(board.get_by_text(re.compile("Not rated yet: 1"))).to_be_visible()
    assert_accessible(board)
    assert_fits(board)

    verifier = run_coroutine(invite_verifier(expert, stored))
    page = profiles.open_signed_in(verifier.email, verifier.ranking_path, size=DESKTOP)
    expect(page.get_by_role("heading", level=1)).to_contain_text(QUERY)
    expect(page.get_by_text("Answer: farnesyl diphosphate synthase")).to_be_visible()
    expect_item(page, 1)
    for key in "5443":
        page.keyboard.press(key)
    # The study closes after this: what waits on the page then would not count.
    with page.expect_response(is_submission):
        page.keyboard.press("Control+Enter")
    page.wait_for_url("**/end")
    run_coroutine(close_study(verifier))
    board.reload()
    store_queries(board)
    expect(board.get_by_text(re.compile("Verified by other experts: 1"))).to_be_visible()


def is_submission(response: Response) -> bool:
    request = response.request
    return is_response_write(request) and '"submit"' in (request.post_data or "")


def store_queries(board: Page) -> str:
    """The question set of the study's queries."""
    board.get_by_role("button", name="Queries and verdicts").click()
    with board.expect_response("**/queries") as answered:
        board.get_by_role("button", name="Store them").click()
    stored: str = answered.value.json()["question_set"]
    return stored
