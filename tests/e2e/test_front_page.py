"""A visitor's first minute: a question by keyboard and by touch, and a page without scripts."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
    wait_until_loaded,
)
from tests.e2e.ranking_page import cards

SHOW = "Show what my order means"


def record_writes(page: Page) -> list[str]:
    writes: list[str] = []

    def record(request: Request) -> None:
        if request.method != "GET":
            writes.append(request.url)

    page.on("request", record)
    return writes


def assert_above_the_fold(page: Page) -> None:
    """The question, its cards and the button are in the window as it opens."""
    height = (page.viewport_size or DESKTOP)["height"]
    show = page.get_by_role("button", name="Show what this order means")
    for part in (page.locator("#practice-question"), cards(page).last, show):
        box = part.bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


@THEMES
def test_a_question_is_ranked_by_keyboard_and_its_order_explained(
    profiles: BrowserProfiles, theme: str
) -> None:
    page = profiles.open_page("/", theme=theme)
    writes = record_writes(page)
    expect(cards(page)).to_have_count(4)
    assert_above_the_fold(page)
    assert_accessible(page)
    tab_to(page, cards(page).nth(3))
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    expect(page.locator(":focus")).to_contain_text("You put Amantadine first")
    order = page.get_by_role("list", name="Your order").get_by_role("listitem")
    expect(order.first).to_contain_text("First in the literature")
    expect(order.first).to_contain_text("First by RNS")
    assert_accessible(page)
    tab_to(page, page.get_by_role("button", name="Rank one more"))
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_contain_text("pulmonary arterial hypertension")
    expect(cards(page).first).to_contain_text("Bosentan")
    assert writes == []


def test_a_question_is_ranked_by_touch_on_a_phone(profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/", size=PHONE)
    expect(cards(page)).to_have_count(4)
    assert_above_the_fold(page)
    page.get_by_role("button", name="Move Amantadine up").tap()
    page.get_by_role("button", name=SHOW).tap()
    verdict = page.get_by_role("heading", name="RNS put Amantadine first, your 3rd")
    expect(verdict).to_be_in_viewport()
    page.set_viewport_size(NARROWEST)
    assert_fits(page)
    assert_accessible(page)
    page.get_by_role("button", name="Try it again").tap()
    expect(page.get_by_role("button", name="Show what this order means")).to_be_visible()


def test_the_ways_on_open_what_they_show(profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/")
    wait_until_loaded(page)
    facts = page.get_by_role("list", name="Here today")
    expect(facts).to_contain_text(re.compile(r"[\d,]{5,} entities[\d,]{5,} edges"))
    page.get_by_role("link", name="Sildenafil → pulmonary hypertension").click()
    page.wait_for_url("**/paths?from=DRUGBANK*DB00203&to=DOID*6432")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.go_back()
    page.get_by_role("search").get_by_role("searchbox").last.fill("aspirin")
    page.keyboard.press("Enter")
    page.wait_for_url("**/explore/*?q=aspirin")
    page.go_back()
    page.get_by_role("contentinfo").get_by_role("link", name="Privacy").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Privacy")
    assert_accessible(page)


@pytest.mark.parametrize("path", ["/", "/leaderboard/truthhypo"])
def test_tables_are_there_without_scripts(profiles: BrowserProfiles, path: str) -> None:
    plain = profiles.chromium.new_context(java_script_enabled=False, viewport=NARROWEST)
    page = plain.new_page()
    page.goto(profiles.address + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("table").first.get_by_role("row")).not_to_have_count(0)
    expect(page.get_by_role("heading", name="where to write")).to_be_visible()
    plain.close()
