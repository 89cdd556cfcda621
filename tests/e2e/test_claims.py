"""An expert verifies claims: three by keyboard on a desktop, three by touch on a phone."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

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
    new_expert,
    submitted_answers,
)
from tests.e2e.ranking_page import SAVED, Expert, expect_saved, last_button
from tests.e2e.stack import Stack


@pytest.fixture
def expert(served: Stack) -> Expert:
    return new_expert(served.url, "claims")


def claim(page: Page) -> Locator:
    return page.locator("[data-claim]")


def passage(page: Page, text: str) -> Locator:
    return claim(page).get_by_role("button", name=text)


def verdict(page: Page, name: str) -> Locator:
    return claim(page).get_by_role("radio", name=name, exact=True)


def open_claim(page: Page, number: int) -> None:
    expect_item(page, number)
    expect(claim(page)).to_be_focused()


def stored(expert: Expert) -> list[tuple[str, list[dict[str, Any]]]]:
    """Outcomes and marks of the submitted answers."""
    responses = [one["response"] for one in submitted_answers(expert)]
    return [(one["outcome"], one["payload"]["because"]) for one in responses]


def test_three_claims_by_keyboard(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=DESKTOP)
    open_claim(page, 1)
    assert_accessible(page)
    assert_nothing_truncated(page)
    expect(last_button(page)).to_be_disabled()
    page.keyboard.press("1")
    expect(verdict(page, "Supported")).to_be_checked()
    expect(claim(page).get_by_role("status")).to_have_text(
        "Mark the sentence or edge that decides."
    )
    expect(last_button(page)).to_be_disabled()
    assert_accessible(page)
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    expect(passage(page, "It inhibits BCR-ABL")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(passage(page, "inhibits → ABL1")).to_have_attribute("aria-pressed", "true")
    assert_accessible(page)
    page.keyboard.press("c")
    page.keyboard.type("I know the trial: 2, n, j.")
    page.keyboard.press("Escape")
    expect_saved(page)

    page.reload()
    open_claim(page, 1)
    expect(verdict(page, "Supported")).to_be_checked()
    expect(passage(page, "It inhibits BCR-ABL")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+Enter")
    open_claim(page, 2)
    page.keyboard.press("3")
    page.keyboard.press("Control+Enter")
    open_claim(page, 3)
    page.keyboard.press("n")
    page.keyboard.press("Control+Enter")
    open_claim(page, 4)
    expect_saved(page)
    marks = [{"document": "druker-2001", "number": 2}, {"document": None, "number": 0}]
    assert stored(expert) == [("supported", marks), ("not_enough", []), ("not_sure", [])]


def test_three_claims_by_touch(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=PHONE)
    open_claim(page, 1)
    assert_accessible(page)
    assert_fits(page)
    assert_nothing_truncated(page)
    assert_touchable(page, "[data-claim]")
    edge = passage(page, "treats → Chronic myeloid leukaemia")
    edge.scroll_into_view_if_needed()
    edge.tap()
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
    expect(verdict(page, "Not sure")).to_be_in_viewport(ratio=1)
    expect(edge).to_have_attribute("aria-pressed", "true")
    passage(page, "It inhibits BCR-ABL").tap()
    edge.tap()
    expect(edge).to_have_attribute("aria-pressed", "false")
    verdict(page, "Supported").tap()
    assert_accessible(page)
    page.get_by_role("button", name="Submit my verdict").tap()

    open_claim(page, 2)
    verdict(page, "Contradicted").tap()
    expect(last_button(page)).to_be_disabled()
    passage(page, "causes → Duodenal ulcer").tap()
    page.get_by_role("button", name="Submit my verdict").tap()
    open_claim(page, 3)
    verdict(page, "Not enough evidence").tap()
    page.get_by_role("button", name="Submit my verdict").tap()
    open_claim(page, 4)
    expect(page.get_by_text(SAVED).first).to_be_attached()
    assert stored(expert) == [
        ("supported", [{"document": "druker-2001", "number": 2}]),
        ("contradicted", [{"document": None, "number": 0}]),
        ("not_enough", []),
    ]
    page.set_viewport_size(NARROWEST)
    assert_fits(page)
    assert_nothing_truncated(page)
    assert_question_stays_in_view(page)


def test_the_introduction_has_a_claim_to_try(profiles: BrowserProfiles, expert: Expert) -> None:
    for size in (DESKTOP, PHONE):
        path = f"/studies/{expert.study}/introduction"
        page = profiles.open_signed_in(expert.email, path, size=size)
        page.get_by_role("button", name="Try a practice claim").click()
        verdict(page, "Supported").click()
        passage(page, "treats → Scurvy").click()
        page.get_by_role("button", name="Show what is known").click()
        expect(page.get_by_text("You chose: Supported.")).to_be_visible()
        assert_accessible(page)
        assert_fits(page)
    assert stored(expert) == []
