"""The ranking page as it is drawn: whole on a narrow phone, magnified, and under a late notice."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.browser_helpers import (
    DEMO_PASSWORD,
    DESKTOP,
    MAX_TABS,
    NARROWEST,
    PHONE,
    REFLOWED,
    BrowserProfiles,
    assert_fits,
    assert_nothing_truncated,
)
from tests.e2e.ranking_page import (
    Expert,
    candidate_order,
    cards,
    move_first_down,
    new_expert,
    run_coroutine,
)
from tests.e2e.stack import Stack

# A screen of 1440 by 900 at 400%, as WCAG 1.4.10 asks for.
MAGNIFIED: ViewportSize = {"width": 360, "height": 225}
END_SESSION = """async () => {
  const headers = { "X-CSRFToken": /csrftoken=([^;]+)/.exec(document.cookie)[1] };
  await fetch("/_allauth/browser/v1/auth/session", { method: "DELETE", headers });
}"""


@pytest.fixture
def expert(served: Stack) -> Expert:
    return run_coroutine(new_expert(served.url, password=DEMO_PASSWORD))


def open_ranking(
    visits: BrowserProfiles, expert: Expert, size: ViewportSize | None = None, **how: Any
) -> Page:
    page = visits.open_signed_in(expert.email, expert.ranking_path, size=size, **how)
    expect(cards(page).first).to_be_visible()
    return page


@pytest.mark.parametrize("size", [PHONE, NARROWEST, REFLOWED], ids=lambda size: size["width"])
def test_every_button_is_whole_on_a_narrow_phone(
    profiles: BrowserProfiles, expert: Expert, size: ViewportSize
) -> None:
    page = open_ranking(profiles, expert, size)
    expect(page.get_by_role("button", name="I agree with this order")).to_be_visible()
    assert_nothing_truncated(page)
    assert_fits(page)
    move_first_down(page)
    expect(page.get_by_role("button", name="Submit my order")).to_be_visible()
    assert_nothing_truncated(page)
    assert_fits(page)


@pytest.mark.parametrize("size", [DESKTOP, NARROWEST, REFLOWED], ids=lambda size: size["width"])
def test_a_put_off_renewal_hides_nothing_that_the_expert_works_with(
    profiles: BrowserProfiles, expert: Expert, size: ViewportSize
) -> None:
    page = open_ranking(profiles, expert, size)
    delay_renewal(page)
    notice = page.get_by_text(
        "Your session has expired. Changes are saved on this device, not sent."
    )
    expect(notice).to_be_in_viewport(ratio=1)
    for name in ("Skip", "Not sure", "Submit my order"):
        page.get_by_role("button", name=name).click(trial=True)
    assert_nothing_truncated(page)
    page.get_by_role("button", name="Submit my order").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    expect(notice).to_be_visible()


def delay_renewal(page: Page) -> None:
    """Their session ends, the expert is asked to sign in again, and goes on without."""
    page.evaluate(END_SESSION)
    page.keyboard.press("Shift")  # a sign of life, which the server no longer takes from their
    expect(page.get_by_role("dialog", name="Sign in again")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    move_first_down(page)


def test_after_a_put_off_renewal_the_keys_act_on_their_candidate(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = open_ranking(profiles, expert)
    delay_renewal(page)
    expect(cards(page).nth(1)).to_be_focused()
    page.get_by_role("status").get_by_role("button", name="Sign in again").click()
    page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(cards(page).nth(1)).to_be_focused()


def test_the_focus_is_on_a_candidate_after_every_dialog(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = open_ranking(profiles, expert)
    page.keyboard.press("j")
    not_sure = page.get_by_role("dialog", name="Why are you not sure?")
    close_panel = page.get_by_role("button", name="Close", exact=True)
    for key, opened in (("n", not_sure), ("?", close_panel), ("h", close_panel)):
        page.keyboard.press(key)
        expect(opened).to_be_visible()
        page.keyboard.press("Escape")
        expect(opened).to_have_count(0)
        expect(cards(page).nth(1)).to_be_focused()
    page.keyboard.press("n")
    page.get_by_role("button", name="They are too close to call").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(cards(page).first).to_be_focused()
    page.keyboard.press("j")
    expect(cards(page).nth(1)).to_be_focused()


def test_undo_pressed_to_its_end_keeps_the_focus(profiles: BrowserProfiles, expert: Expert) -> None:
    page = open_ranking(profiles, expert)
    before = candidate_order(page)
    move_first_down(page)
    undo = page.get_by_role("button", name="Undo")
    undo.focus()
    page.keyboard.press("Enter")
    assert candidate_order(page) == before
    expect(undo).to_be_focused()


def test_what_ties_two_candidates_is_large_enough_for_a_mouse(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = open_ranking(profiles, expert)
    ties = page.get_by_role("button", name=re.compile("^Tie "))
    ties.first.click()
    for tie in page.locator("[data-part=tie]").all():
        box = tie.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24


def test_magnified_four_times_each_question_is_in_sight_when_it_appears(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = open_ranking(profiles, expert, MAGNIFIED)
    page.reload()
    expect(cards(page).first).to_be_focused()
    question = page.get_by_role("heading", level=1)
    expect(question).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="I agree with this order").click()
    expect(question).to_contain_text("number 1?")
    expect(question).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    expect(cards(page).first).to_be_focused()
    assert_nothing_truncated(page)


@pytest.mark.parametrize("candidates", [4, 5])
@pytest.mark.parametrize("size", [DESKTOP, NARROWEST], ids=lambda size: size["width"])
def test_no_field_that_has_focus_is_behind_a_bar(
    profiles: BrowserProfiles, served: Stack, size: ViewportSize, candidates: int
) -> None:
    """WCAG 2.4.11 asks for a part of it; all of it is in sight here."""
    page = open_ranking(
        profiles, run_coroutine(new_expert(served.url, candidates=candidates)), size
    )
    cards(page).first.focus()
    page.keyboard.press("c")
    comment = page.get_by_role("textbox", name="Comment")
    expect(comment).to_be_focused()
    assert covered_elements(page) == []
    page.keyboard.type("one\ntwo\nthree")
    assert covered_elements(page) == []
    page.keyboard.press("Escape")
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        assert covered_elements(page) == []


def covered_elements(page: Page) -> list[str]:
    """The element with focus, if part of it lies behind the bar above or below the question."""
    covered: list[str] = page.evaluate(
        """() => {
          const at = document.activeElement;
          const work = document.getElementById("main");
          if (!work.contains(at)) return [];
          const [part, seen] = [at.getBoundingClientRect(), work.getBoundingClientRect()];
          const isWhole = part.top >= seen.top - 0.5 && part.bottom <= seen.bottom + 0.5;
          return isWhole ? [] : [at.getAttribute("aria-label") ?? at.tagName];
        }"""
    )
    return covered


def test_a_chord_that_opens_a_link_beside_the_page_ends_no_question(
    served: Stack, profiles: BrowserProfiles
) -> None:
    page = profiles.open_signed_in("physician@demo.example", "/practice")
    link = page.locator("[data-part=card] a").first
    link.focus()
    with page.context.expect_page() as opened:
        page.keyboard.press("Control+Enter")
    opened.value.close()
    expect(page.get_by_role("button", name="Show what this order means")).to_be_visible()


def surface(part: Locator) -> str:
    colour: str = part.evaluate("part => getComputedStyle(part).backgroundColor")
    return colour


def test_in_the_systems_own_colours_what_is_done_and_chosen_is_filled(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = open_ranking(profiles, expert, forced_colours=True)
    sure, unsure = (page.get_by_role("radio", name=name) for name in ("4, sure", "2, a little"))
    sure.click()
    assert surface(sure) != surface(unsure)
    page.get_by_role("button", name="Comment").click()
    chosen, other = (page.get_by_role("button", name=name) for name in ("New to me", "Well known"))
    chosen.click()
    assert surface(chosen) != surface(other)
    page.get_by_role("button", name="I agree with this order").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    track = page.get_by_role("progressbar").locator("> div")
    assert surface(track) != surface(track.locator("> div"))
