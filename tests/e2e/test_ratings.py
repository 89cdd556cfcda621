"""An expert rates queries: by keyboard on a desktop, by touch on a phone."""

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


@pytest.fixture
def expert(served: Stack) -> Expert:
    return new_expert(served.url, "ratings")


def open_query(page: Page, number: int) -> None:
    expect_item(page, number)
    expect(scale(page, "Naturalness")).to_be_focused()


def test_queries_are_rated_by_keyboard(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=DESKTOP)
    open_query(page, 1)
    expect(last_button(page)).to_be_disabled()
    assert_accessible(page)
    assert_nothing_truncated(page)
    page.keyboard.press("Control+Enter")
    open_query(page, 1)
    page.keyboard.press("5")
    expect(scale(page, "Diversity")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("[data-reason]").first).to_be_focused()
    assert_accessible(page)
    page.keyboard.press("3")
    expect(scale(page, "Practicality")).to_be_focused()
    expect(last_button(page)).to_contain_text("1 of 3 to rate")
    expect_saved(page)

    page.reload()
    expect(scale(page, "Practicality")).to_be_focused()
    expect(level(page, "Naturalness", 5)).to_be_checked()
    page.keyboard.press("2")
    page.keyboard.press("c")
    page.keyboard.type("Not n, 4 or 5.")
    page.keyboard.press("Escape")
    assert_accessible(page)
    page.keyboard.press("Control+Enter")

    open_query(page, 2)
    for key in ("4", "3", "ArrowUp", "2", "1"):
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    open_query(page, 3)
    for _ in range(3):
        page.keyboard.press("n")
        page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    open_query(page, 4)
    expect_saved(page)

    first, second, third = stored_responses(expert)
    assert [one["outcome"] for one in (first, second, third)] == ["rated", "rated", "not_sure"]
    assert first["payload"] == {
        "levels": {"Naturalness": 5, "Diversity": None, "Practicality": 2},
        "unsure": {"Diversity": "scale_unclear"},
        "comment": "Not n, 4 or 5.",
    }
    assert second["payload"]["levels"] == {"Naturalness": 4, "Diversity": 2, "Practicality": 1}


def test_queries_are_rated_by_touch(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=PHONE)
    open_query(page, 1)
    assert_accessible(page)
    assert_fits(page)
    assert_nothing_truncated(page)
    assert_touchable(page, "[data-scales]")
    level(page, "Naturalness", 4).tap()
    scale(page, "Diversity").get_by_role("button", name="Not sure").tap()
    assert_touchable(page, "[data-scales]")
    assert_accessible(page)
    page.get_by_role("button", name="Outside my field").tap()
    level(page, "Practicality", 5).tap()
    expect(page.get_by_text(SAVED).first).to_be_attached()
    page.reload()
    open_query(page, 1)
    expect(level(page, "Practicality", 5)).to_be_checked()
    page.get_by_role("button", name="Submit my ratings").tap()
    open_query(page, 2)
    expect(page.get_by_text(SAVED).first).to_be_attached()
    [response] = stored_responses(expert)
    assert response["payload"]["levels"] == {"Naturalness": 4, "Diversity": None, "Practicality": 5}
    assert response["payload"]["unsure"] == {"Diversity": "outside_my_field"}
    page.set_viewport_size(NARROWEST)
    assert_fits(page)
    assert_nothing_truncated(page)
    assert_question_stays_in_view(page)


def test_the_coordinator_reads_the_ratings_by_scale(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=DESKTOP)
    open_query(page, 1)
    for key in ("5", "3", "1"):
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    open_query(page, 2)
    expect_saved(page)
    board = profiles.open_signed_in(COORDINATOR, f"/studies/{expert.study}", size=DESKTOP)
    board.get_by_role("button", name=re.compile("^Agreement")).click()
    # How queries were rated is shown once the study is closed.
    expect(board.get_by_role("menuitemradio", name=re.compile("negative"))).to_have_count(0)
    board.get_by_role("menuitemradio", name=re.compile("^Practicality, alpha")).click()
    expect(board.get_by_role("row", name=re.compile("^Batch 1"))).to_contain_text("too few to tell")
    assert_accessible(board)
    board.goto(f"/studies/{expert.study}?tab=questions&answers=shown")
    expect(board.get_by_text("Naturalness 5, Diversity 3, Practicality 1")).to_be_visible()
    board.get_by_text(expert.questions()[0]["text"]).first.click()
    expect(board.get_by_role("row", name=re.compile("^Practicality 1, 0, 0"))).to_be_visible()
    assert_accessible(board)


def test_the_introduction_has_a_text_to_try(profiles: BrowserProfiles, expert: Expert) -> None:
    for size in (DESKTOP, PHONE):
        page = profiles.open_signed_in(
            expert.email, f"/studies/{expert.study}/introduction", size=size
        )
        page.get_by_role("button", name="Try a practice text").click()
        level(page, "Naturalness", 5).click()
        level(page, "Practicality", 3).click()
        page.get_by_role("button", name="Show what to consider").click()
        expect(page.get_by_text(re.compile("^Naturalness: 5 of 5"))).to_be_visible()
        assert_accessible(page)
        assert_fits(page)
    assert stored_responses(expert) == []
