"""An expert checks questions, and the coordinator reads levels and wordings."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
)
from tests.e2e.kind_pages import (
    assert_question_stays_in_view,
    assert_touchable,
    expect_item,
    level,
    new_expert,
    scale,
    stored_responses,
)
from tests.e2e.ranking_page import SAVED, Expert, expect_saved, last_button
from tests.e2e.stack import Stack
from tests.load.studies import COORDINATOR

BETTER = "Which disease is caused by an expansion of CAG repeats in the gene HTT?"


@pytest.fixture
def expert(served: Stack) -> Expert:
    return new_expert(served.url, "question_check")


def open_question(page: Page, number: int) -> None:
    expect_item(page, number)
    expect(scale(page, "Grammar")).to_be_focused()


def test_a_question_is_checked_from_the_introduction_to_the_coordinators_list(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    introduction = f"/studies/{expert.study}/introduction"
    page = profiles.open_signed_in(expert.email, introduction, size=DESKTOP)
    expect(page.get_by_role("heading", name="What is checked")).to_be_visible()
    expect(page.get_by_text("serendipitous")).to_have_count(0)
    page.get_by_role("button", name="Check a practice question").click()
    expect(page.get_by_text("Cimetidine, Famotidine")).to_be_visible()
    assert_accessible(page)

    page.goto(expert.ranking_path)
    open_question(page, 1)
    for key in "555":
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    open_question(page, 2)
    expect(page.get_by_text("Huntington disease", exact=True)).to_be_visible()
    for key in "245w":
        page.keyboard.press(key)
    expect(page.get_by_role("textbox", name="Your wording")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(BETTER)
    assert_accessible(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("What disease is cause by")
    page.keyboard.press("Control+Enter")
    open_question(page, 3)
    expect_saved(page)
    first, second = stored_responses(expert)
    levels = {"Grammar": 2, "Clarity": 4, "Biological relevance": 5}
    assert (first["payload"]["correction"], second["payload"]["correction"]) == ("", BETTER)
    assert second["payload"]["levels"] == levels

    board = profiles.open_signed_in(COORDINATOR, f"/studies/{expert.study}?tab=questions")
    board.get_by_text(expert.questions()[1]["text"]).first.click()
    expect(board.get_by_role("definition").filter(has_text=BETTER)).to_be_visible()
    expect(board.get_by_role("row", name=re.compile("^Grammar 1, 0, 0"))).to_be_visible()
    assert_accessible(board)


def test_a_question_is_checked_by_touch(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=PHONE)
    open_question(page, 1)
    for name in ("Grammar", "Clarity", "Biological relevance"):
        level(page, name, 4).tap()
    page.get_by_role("button", name="Correct the wording").tap()
    page.get_by_role("textbox", name="Your wording").fill("Which drugs?")
    assert_touchable(page, "[data-scales]")
    assert_question_stays_in_view(page)
    assert_accessible(page)
    assert_fits(page)
    assert_nothing_truncated(page)
    last_button(page).tap()
    open_question(page, 2)
    expect(page.get_by_text(SAVED).first).to_be_attached()
    [response] = stored_responses(expert)
    assert response["payload"]["correction"] == "Which drugs?"
