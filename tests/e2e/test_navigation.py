"""The frame of every page: the search, the explorer's tabs, the bars, and what a failure shows."""

import re
import uuid

from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.browser_helpers import (
    BOTH_SIZES,
    NARROWEST,
    PHONE,
    REFLOWED,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
    wait_until_loaded,
)

EXPLORER = "/explore/drug-repurposing-demo"
SILDENAFIL = "DRUGBANK:DB00203"
PAGES_OF_FRAME = (
    "/",
    "/releases",
    "/workbench",
    "/models",
    "/leaderboard",
    "/leaderboard/truthhypo",
    "/sign-in",
    EXPLORER,
    f"{EXPLORER}/e/{SILDENAFIL}",
    f"{EXPLORER}/paths",
    f"{EXPLORER}/compare",
    f"{EXPLORER}/rns",
    "/no-such-page",
)


def search_field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search Serendib")


def results(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Search results").get_by_role("option")


def test_by_keys_the_search_of_any_page_opens_an_entity_and_offers_it_again(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_page("/releases")
    wait_until_loaded(page)
    page.keyboard.press("/")
    expect(search_field(page)).to_be_focused()
    page.keyboard.type("viagra")
    expect(results(page).first).to_contain_text("Sildenafil")
    expect(page.get_by_role("search").get_by_role("status")).to_contain_text("entit")
    assert_accessible(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sildenafil")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.goto("/leaderboard")
    wait_until_loaded(page)
    page.keyboard.press("/")
    expect(results(page)).to_have_text([re.compile("Sildenafil")])
    page.keyboard.press("Escape")
    expect(results(page)).to_have_count(0)


def test_a_question_and_a_release_are_searched_in_the_same_field(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_page("/")
    for words, kind, address in (
        ("epilepsy", "Questions", "**/workbench/*"),
        ("hypotheses", "Releases", "**/releases/*"),
    ):
        search_field(page).fill(words)
        page.get_by_role("group", name=kind).get_by_role("option").first.click()
        page.wait_for_url(address)
        expect(search_field(page)).to_have_value("")


def test_by_touch_the_search_is_a_screen_of_its_own(profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/releases", size=PHONE)
    wait_until_loaded(page)
    page.get_by_role("button", name="Search", exact=True).tap()
    dialog = page.get_by_role("dialog", name="Search")
    expect(search_field(page)).to_be_focused()
    page.keyboard.type("sild")
    expect(results(page).first).to_contain_text("Sildenafil")
    assert_accessible(page)
    results(page).first.tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sildenafil")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Search", exact=True).tap()
    dialog.get_by_role("button", name="Cancel").tap()
    expect(dialog).to_have_count(0)


def test_the_tabs_of_a_graph_keep_the_chosen_entity(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(f"{EXPLORER}/e/{SILDENAFIL}")
    tabs = page.get_by_role("navigation", name="Explorer")
    expect(tabs.locator("[aria-current]")).to_have_count(0)
    for name in ("Neighbourhood", "Paths", "Compare", "Serendipity"):
        tabs.get_by_role("link", name=name).press("Enter")
        expect(tabs.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")
        expect(
            page.get_by_role("main").get_by_role("link", name="Sildenafil").first
        ).to_be_visible()
    places = page.get_by_role("navigation", name="Graph", exact=True)
    places.get_by_role("link", name="Drug repurposing demo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Drug repurposing demo")


@BOTH_SIZES
def test_every_page_begins_at_the_same_edge(
    profiles: BrowserProfiles, size: dict[str, int]
) -> None:
    page = profiles.open_page("/", size=size)
    edges = set()
    for path in PAGES_OF_FRAME:
        page.goto(path)
        wait_until_loaded(page)
        edges.add(page.locator("h1").first.evaluate("it => it.getBoundingClientRect().left"))
        edges.add(
            page.locator("header svg").first.evaluate("it => it.getBoundingClientRect().left")
        )
    assert len(edges) == 1, edges


def test_by_touch_the_bar_of_a_phone_leads_everywhere(profiles: BrowserProfiles) -> None:
    expert = "physician@demo.example"
    page = profiles.open_signed_in(expert, "/home", new_session=True, size=PHONE)
    bar = page.get_by_role("navigation", name="Main")
    for name, heading in (
        # The only public graph opens at once; with two there is a list, as other tests leave it.
        ("Explore", re.compile("^(Explore|Drug repurposing demo)$")),
        ("Benchmarks", "Benchmarks"),
        ("Home", "My batches"),
    ):
        bar.get_by_role("link", name=name).tap()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(bar.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")
    bar.get_by_role("button", name="More").tap()
    assert_accessible(page)
    page.get_by_role("menuitem", name="Releases").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Releases")
    bar.get_by_role("button", name="More").tap()
    page.get_by_role("menuitem", name="Sign out").tap()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()


def test_the_bar_of_a_phone_hides_nothing_and_leaves_the_ranking_its_own(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_signed_in("physician@demo.example", "/account", size=PHONE)
    for size in (PHONE, NARROWEST, REFLOWED):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_truncated(page)
    wait_until_loaded(page)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    end = page.locator("main").evaluate("it => it.getBoundingClientRect().bottom")
    top = page.get_by_role("navigation", name="Main").evaluate(
        "it => it.getBoundingClientRect().top"
    )
    assert end <= top + 1
    page.goto(f"/rank/{uuid.uuid4()}")
    wait_until_loaded(page)
    expect(page.get_by_role("navigation", name="Main")).to_have_count(0)


def test_a_failure_is_shown_at_once_with_the_next_attempt_and_moves_nothing(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.new_profile().new_page()
    attempts: list[str] = []

    def fail(route: Route) -> None:
        attempts.append(route.request.url)
        if len(attempts) < 3:
            route.fulfill(status=500, json={"detail": "The server failed.", "code": "error"})
        else:
            route.continue_()

    page.route(re.compile(r"/api/v1/releases(\?|$)"), fail)
    page.goto("/releases")
    notice = page.get_by_text("The server failed. Trying again")
    expect(notice).to_be_visible()
    assert len(attempts) == 1, "it was shown only after the second attempt"
    heading = page.get_by_role("heading", level=1)
    before = heading.bounding_box()
    expect(page.get_by_role("table").first).to_be_visible()
    expect(notice).to_have_count(0)
    assert heading.bounding_box() == before


def test_a_request_that_hangs_is_reported(profiles: BrowserProfiles) -> None:
    page = profiles.new_profile().new_page()
    page.route(re.compile(r"/api/v1/releases(\?|$)"), lambda route: None)
    page.goto("/releases")
    expect(page.get_by_text("The server is slow to answer.")).to_be_visible()
    assert_fits_while_loading(page)


def assert_fits_while_loading(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
