"""On a phone: what a page is opened for is on its first screen, in reach of a thumb, and whole."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.browser_helpers import (
    COMPUTED_MS,
    NARROWEST,
    PHONE,
    TOUCH_SIZE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    bottom_of,
    end_of_first_screen,
    wait_until_loaded,
)

COORDINATOR = "coordinator@demo.example"
PATHS = "/explore/drug-repurposing-demo/paths?from=DRUGBANK%3ADB00203&to=DOID%3A6432"
# From the middle of an element to where a touch no longer reaches it, up and down, in px.
TOUCH_HEIGHT = """element => {
  element.scrollIntoView({ block: "center" });
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, middle] = [left + width / 2, top + height / 2];
  const reaches = (y) => element.contains(document.elementFromPoint(x, y));
  let [first, last] = [middle, middle];
  while (reaches(first - 1) && middle - first < 100) first -= 1;
  while (reaches(last + 1) && last - middle < 100) last += 1;
  return reaches(middle) ? last - first + 1 : 0;
}"""
HIDDEN_WIDTH = "frame => frame.scrollWidth - frame.clientWidth"


def test_the_best_path_is_on_the_first_screen(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(PATHS, size=PHONE)
    wait_until_loaded(page)
    expect(page.get_by_role("region", name="Direct link")).to_contain_text("treats")
    best = page.get_by_role("region", name="Best indirect path")
    assert bottom_of(best.get_by_role("paragraph").first) < end_of_first_screen(page)
    page.get_by_text(re.compile("^Up to 3 hops, by probability")).tap()
    page.get_by_role("radio", name="2 hops").tap()
    page.wait_for_url(re.compile("hops=2"))
    page.get_by_role("button", name="Remove pulmonary hypertension").tap()
    expect(page.get_by_role("combobox", name="To")).to_be_focused()
    assert_fits(page)
    assert_accessible(page)


@pytest.mark.parametrize("tab", ["", "?tab=statistics", "?tab=participation"])
def test_tables_of_a_dashboard_are_whole(profiles: BrowserProfiles, tab: str) -> None:
    page = profiles.open_signed_in(COORDINATOR, "/studies", size=PHONE)
    page.get_by_role("link", name="Drug repurposing (demo)").tap()
    page.wait_for_url("**/studies/*-*")
    page.goto(re.sub(r"\?.*", "", page.url) + tab)
    for size in (PHONE, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
        tables = page.get_by_role("table")
        expect(tables.first).to_be_visible(timeout=COMPUTED_MS)
        frames = page.get_by_role("region").filter(has=page.locator("> table")).all()
        assert frames
        for frame in frames:
            hidden = frame.evaluate(HIDDEN_WIDTH)
            assert hidden <= 1, f"{frame.get_attribute('aria-label')}: {hidden} px"
    assert_accessible(page)


def test_ties_and_links_of_a_question_are_in_reach_of_a_thumb(profiles: BrowserProfiles) -> None:
    page = profiles.open_signed_in(COORDINATOR, "/studies", size=PHONE)
    page.get_by_role("link", name="Drug repurposing (demo)").tap()
    page.wait_for_url("**/studies/*-*")
    page.goto(re.sub(r"\?.*", "", page.url) + "/try")
    expect(page.locator("[data-part=card]").first).to_be_visible()
    ties = page.locator("[data-part=tie]")
    links = page.locator("[data-part=card] a")
    assert ties.count() > 0
    assert links.count() > 0
    for target in [*ties.all(), *links.all()]:
        height = target.evaluate(TOUCH_HEIGHT)
        assert height >= TOUCH_SIZE, f"{target}: {height} px"
