"""An expert compares hypotheses: by keyboard on a desktop, by touch on a phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
)
from tests.e2e.kind_pages import assert_touchable, expect_item, new_expert, submitted_answers
from tests.e2e.ranking_page import SAVED, Expert, expect_saved, last_button
from tests.e2e.stack import Stack
from tests.load.studies import COORDINATOR

SECRETS = ("documented", "made up", "as_listed", "swapped")


@pytest.fixture
def expert(served: Stack) -> Expert:
    return new_expert(served.url, "hypothesis_pairs")


def pair(page: Page) -> Locator:
    return page.locator("[data-pair]")


def choice(page: Page, name: str) -> Locator:
    return pair(page).get_by_role("radio", name=name, exact=True)


def open_pair(page: Page, number: int) -> None:
    expect_item(page, number)
    expect(pair(page)).to_be_focused()


def hypotheses(page: Page) -> list[str]:
    expect(pair(page).get_by_role("heading")).to_have_count(2)
    return pair(page).get_by_role("heading").all_inner_texts()


def record_bodies(page: Page) -> list[str]:
    """Fills with all that the API sends to this page."""
    bodies: list[str] = []

    def record(request: Request) -> None:
        response = request.response()
        if response is not None and "/api/" in response.url and response.status == 200:
            bodies.append(response.text())

    page.on("requestfinished", record)
    return bodies


def test_three_pairs_by_keyboard(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, "/healthz", size=DESKTOP)
    bodies = record_bodies(page)
    page.goto(expert.ranking_path)
    open_pair(page, 1)
    expect(last_button(page)).to_be_disabled()
    assert_accessible(page)
    assert_nothing_truncated(page)
    sides = hypotheses(page)
    page.keyboard.press("Control+Enter")
    open_pair(page, 1)
    page.keyboard.press("1")
    expect(choice(page, "A is much better")).to_be_checked()
    page.keyboard.press("w")
    expect(page.locator("[data-columns] [data-evidence]").first).to_be_focused()
    assert_accessible(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(pair(page)).to_be_focused()
    expect(pair(page).locator("mark")).to_have_count(1)
    expect_saved(page)

    page.reload()
    open_pair(page, 1)
    assert hypotheses(page) == sides
    expect(choice(page, "A is much better")).to_be_checked()
    expect(pair(page).locator("mark")).to_have_count(1)
    page.keyboard.press("c")
    page.keyboard.type("I know the trials: b, n, 5.")
    page.keyboard.press("Escape")
    assert_accessible(page)
    page.keyboard.press("Control+Enter")

    open_pair(page, 2)
    page.keyboard.press("4")
    expect(choice(page, "B is better")).to_be_checked()
    page.keyboard.press("b")
    expect(choice(page, "Both bad")).to_be_checked()
    page.keyboard.press("3")
    page.keyboard.press("Control+Enter")
    open_pair(page, 3)
    page.keyboard.press("n")
    page.keyboard.press("Control+Enter")
    open_pair(page, 4)
    expect_saved(page)

    first, second, third = submitted_answers(expert)
    assert [one["response"]["outcome"] for one in (first, second, third)] == [
        "a",
        "tie",
        "not_sure",
    ]
    payload = first["response"]["payload"]
    assert payload["because"] == {"id": "a", "sentence": 1}
    assert payload["comment"] == "I know the trials: b, n, 5."
    assert {first["arms"]["side"], second["arms"]["side"]} == {"as_listed", "swapped"}
    [listed, *_] = expert.questions()
    texts = [one["hypothesis"] for one in listed["hypotheses"]]
    assert sides == (texts if first["arms"]["side"] == "as_listed" else texts[::-1])
    assert any(sides[0] in body for body in bodies)
    assert [one for one in SECRETS if any(one in body for body in bodies)] == []


def test_three_pairs_by_touch(profiles: BrowserProfiles, expert: Expert) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=PHONE)
    open_pair(page, 1)
    assert_accessible(page)
    assert_fits(page)
    assert_nothing_truncated(page)
    expect(choice(page, "Not sure")).to_be_in_viewport(ratio=1)
    assert_touchable(page, "[data-pair]")
    sides = hypotheses(page)
    text = page.get_by_role("region", name="Background").locator("p")
    folded = text.evaluate("one => one.clientHeight")
    page.get_by_role("button", name="Read all of the background").tap()
    assert text.evaluate("one => one.clientHeight") > folded
    page.get_by_role("button", name="Mark what decided").tap()
    assert_touchable(page, "[data-pair]")
    page.get_by_role("region", name="Hypothesis B").locator("[data-evidence]").last.tap()
    expect(pair(page).get_by_text(re.compile("^Because: .*\\(B\\)$"))).to_be_visible()
    choice(page, "B is better").tap()
    expect(page.get_by_text(SAVED).first).to_be_attached()
    page.reload()
    open_pair(page, 1)
    assert hypotheses(page) == sides
    expect(choice(page, "B is better")).to_be_checked()
    expect(choice(page, "B is better")).to_be_in_viewport(ratio=1)
    assert_accessible(page)
    page.get_by_role("button", name="Submit my choice").tap()

    open_pair(page, 2)
    choice(page, "Both bad").tap()
    page.get_by_role("button", name="Submit my choice").tap()
    open_pair(page, 3)
    choice(page, "A is much better").tap()
    page.get_by_role("button", name="Submit my choice").tap()
    open_pair(page, 4)
    expect(page.get_by_text(SAVED).first).to_be_attached()
    outcomes = [one["response"]["outcome"] for one in submitted_answers(expert)]
    assert outcomes == ["b", "both_bad", "a"]
    page.set_viewport_size(NARROWEST)
    assert_fits(page)
    assert_nothing_truncated(page)


def test_the_coordinator_sees_answers_to_the_pair_as_listed(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=DESKTOP)
    open_pair(page, 1)
    sides = hypotheses(page)
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    open_pair(page, 2)
    expect_saved(page)
    [listed, *_] = expert.questions()
    is_first = sides[0] == listed["hypotheses"][0]["hypothesis"]
    board = profiles.open_signed_in(COORDINATOR, f"/studies/{expert.study}", size=DESKTOP)
    expect(board.get_by_role("heading", level=1)).to_contain_text("hypothesis_pairs")
    assert_accessible(board)
    board.goto(f"/studies/{expert.study}?tab=questions")
    board.get_by_text(listed["text"]).first.click()
    words = f"the {'first' if is_first else 'second'} is much better"
    expect(board.get_by_text(re.compile(words)).first).to_be_visible()
    assert_accessible(board)


def test_the_introduction_has_a_pair_to_try(profiles: BrowserProfiles, expert: Expert) -> None:
    for size in (DESKTOP, PHONE):
        page = profiles.open_signed_in(
            expert.email, f"/studies/{expert.study}/introduction", size=size
        )
        page.get_by_role("button", name="Try a practice pair").click()
        choice(page, "B is much better").click()
        page.get_by_role("button", name="Show what is known").click()
        expect(page.get_by_text("You chose: B is much better.")).to_be_visible()
        assert_accessible(page)
        assert_fits(page)
    assert submitted_answers(expert) == []
