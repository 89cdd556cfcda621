"""A fresh visitor names the best model of a track, and reads its tables one measure at a time."""

import re

from playwright.sync_api import ViewportSize, expect

from tests.e2e.browser_helpers import (
    BOTH_SIZES,
    DESKTOP,
    NARROWEST,
    PHONE,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
    tab_to,
    wait_until_loaded,
)

TRACK = "BioHopR, Multi-hop answers"


@THEMES
@BOTH_SIZES
def test_a_fresh_visitor_names_the_best_model_of_a_track(
    profiles: BrowserProfiles, size: ViewportSize, theme: str
) -> None:
    page = profiles.new_profile(size=size, theme=theme).new_page()
    reads: list[str] = []
    page.on("request", lambda one: reads.append(one.url) if "/api/v1/" in one.url else None)
    page.goto("/leaderboard")
    expect(page.get_by_role("heading", level=1, name="Leaderboard")).to_be_visible()
    track = page.get_by_role("article", name=TRACK)
    best = track.get_by_role("list", name=f"{TRACK}: as printed").get_by_role("listitem").first
    expect(best).to_contain_text(re.compile(r"^1 .*GPT-4o-mini.* 14\.57$"))
    expect(track).to_contain_text("n = 7,633")
    expect(track).to_contain_text("9 printed rows")
    assert len([url for url in reads if "/me" not in url]) == 1
    assert_fits(page)
    assert_nothing_truncated(page)
    assert_accessible(page)

    track.get_by_role("link", name=TRACK).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TRACK)
    table = page.get_by_role("region", name="As printed").get_by_role("table").first
    expect(table.get_by_role("row").nth(1)).to_contain_text("14.57")
    expect(table.get_by_role("row").last).to_contain_text("0.00")
    page.set_viewport_size(NARROWEST if size is PHONE else DESKTOP)
    assert_fits(page)
    assert_accessible(page)


def test_the_measure_is_switched_by_keyboard_and_the_link_keeps_it(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_page("/leaderboard/biohopr")
    wait_until_loaded(page)
    # Boards of releases may stand above: the keys begin where the printed results do.
    page.get_by_role("heading", name="As printed").click()
    tab_to(page, page.get_by_role("link", name="Both wrong"))
    page.keyboard.press("Enter")
    head = page.get_by_role("columnheader", name="Both wrong")
    expect(head).to_have_attribute("aria-sort", "ascending")
    printed = page.get_by_role("region", name="As printed")
    first = printed.get_by_role("table").first.get_by_role("row").nth(1)
    expect(first).to_contain_text("o3-mini")
    there = profiles.open_page(page.url)
    expect(there.get_by_role("columnheader", name="Both wrong")).to_be_visible()
    page.get_by_role("link", name="All columns").click()
    expect(printed.get_by_role("columnheader")).to_have_count(5)
    assert_accessible(page)


def test_copying_the_link_moves_no_neighbour(profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/leaderboard")
    page.context.grant_permissions(["clipboard-write"])
    copy = page.get_by_role("button", name="Copy link")
    before = copy.bounding_box()
    copy.click()
    expect(page.get_by_text("Link copied")).to_be_attached()
    assert copy.bounding_box() == before


def test_correlations_of_importance_are_no_board(profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/leaderboard/dyport-importance")
    expect(page.get_by_text("There is no track of this name")).to_be_visible()
    page.goto("/leaderboard")
    expect(page.get_by_role("article", name="Dyport, Link prediction")).to_be_visible()
    expect(page.get_by_text("Importance")).to_have_count(0)


def test_a_link_of_a_track_leads_to_its_printed_results(profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/")
    page.get_by_role("link", name="Leaderboard", exact=True).first.click()
    tracks = page.get_by_role("complementary", name="All tracks")
    tracks.get_by_role("link", name="Hypotheses").click()
    expect(page).to_have_url(re.compile("/leaderboard/truthhypo"))
    heading = page.get_by_role("heading", name="As printed", level=2)
    expect(heading).to_be_attached()
    parts = page.get_by_role("navigation", name="On this page")
    parts.get_by_role("link", name="As printed").click()
    expect(page).to_have_url(re.compile("#printed-heading$"))
    expect(heading).to_be_in_viewport()
