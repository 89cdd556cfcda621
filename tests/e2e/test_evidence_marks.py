"""An expert marks the path that decided: by keyboard on a desktop, by touch on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
)
from tests.e2e.evidence_study import new_expert
from tests.e2e.ranking_page import SAVED, Expert, candidate_order, cards, run_coroutine
from tests.e2e.stack import Stack
from tests.load.studies import COORDINATOR

STEP = re.compile("multiple myeloma .* Bortezomib")
TOUCH_SIZE = 44  # px
SMALL_MARKS = """size => [...document.querySelectorAll("#evidence [data-evidence]")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.innerText, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < size - 0.5)
  .map(([name, { width, height }]) => `${name} ${width}x${height}`)"""


@pytest.fixture
def expert(served: Stack) -> Expert:
    return run_coroutine(new_expert(served.url))


def mark_by_keyboard(page: Page) -> None:
    expect(page.locator("#evidence").get_by_role("button", name=STEP).first).to_be_visible()
    page.keyboard.press("w")
    expect(page.locator("#evidence [data-evidence]").first).to_be_focused()
    page.keyboard.press("Enter")


def mark_by_touch(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Evidence for")).tap()
    step = page.get_by_role("dialog").get_by_role("button", name=STEP).first
    step.tap()
    expect(step).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(SMALL_MARKS, TOUCH_SIZE) == []
    assert_accessible(page)
    page.get_by_role("dialog").get_by_role("button", name="Close").tap()


@pytest.mark.parametrize("way", ["keyboard", "touch"])
def test_a_step_of_a_path_is_marked_and_stored(
    profiles: BrowserProfiles, expert: Expert, way: str
) -> None:
    size = DESKTOP if way == "keyboard" else PHONE
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=size)
    expect(cards(page).first).to_be_focused()
    before = candidate_order(page)
    (mark_by_keyboard if way == "keyboard" else mark_by_touch)(page)
    marks = page.get_by_role("list", name="What decided")
    expect(marks.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_text(SAVED).first).to_be_attached()
    assert_accessible(page)
    assert_fits(page)
    assert candidate_order(page) == before
    page.reload()
    expect(marks.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("button", name="Skip")).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("case 2?")
    expect(page.get_by_text(SAVED).first).to_be_attached()
    [mark] = read_marks(expert)
    assert (mark["type"], mark["step"]) == ("path", 0)
    assert STEP.search(mark["text"])
    board = profiles.open_signed_in(
        COORDINATOR, f"/studies/{expert.study}?tab=questions", size=size
    )
    board.get_by_text(expert.questions()[0]["text"]).first.click()
    expect(board.get_by_text(f"Marked by 1 expert: “{mark['text']}”")).to_be_visible()


def read_marks(expert: Expert) -> list[dict[str, Any]]:
    marks: list[dict[str, Any]] = expert.answers()[0]["response"]["payload"]["because"]
    return marks
