"""Evidence beside the ranking: an expert reads why a drug is linked to a disease, and ranks on."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
)
from tests.e2e.evidence_study import GRAPH, new_expert
from tests.e2e.ranking_page import Expert, candidate_order, cards, run_coroutine
from tests.e2e.stack import Stack
from tests.load.studies import COORDINATOR

SIZES = pytest.mark.parametrize("size", [DESKTOP, NARROWEST], ids=lambda size: size["width"])
SHARED: dict[str, Expert] = {}


@pytest.fixture
def expert(served: Stack) -> Expert:
    return run_coroutine(new_expert(served.url))


@pytest.fixture
def any_expert(served: Stack) -> Expert:
    """For tests that change nothing of theirs."""
    if served.url not in SHARED:
        SHARED[served.url] = run_coroutine(new_expert(served.url))
    return SHARED[served.url]


def open_ranking(visits: BrowserProfiles, expert: Expert, **how: Any) -> Page:
    page = visits.open_signed_in(expert.email, expert.ranking_path, **how)
    expect(cards(page).first).to_be_focused()
    return page


def evidence_events(expert: Expert) -> list[tuple[str, Any]]:
    first = expert.questions()[0]
    names = {one["id"]: one["name"] for one in first["candidates"]}
    events = [it for it in first["assignments"][0]["events"] if it["kind"].startswith("evidence")]
    return [(it["kind"], names[it["new"]["candidate"]]) for it in events]


def test_by_keyboard_alone_the_expert_reads_a_path_and_their_ranking_stays(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = open_ranking(profiles, expert)
    before = candidate_order(page)
    panel = page.get_by_role("complementary", name="Help and questions")
    expect(panel.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()
    expect(cards(page).first).to_be_focused()
    paths = panel.get_by_role("region", name="Paths from the question")
    expect(
        paths.get_by_text("Matched by name alone, so maybe another: multiple myeloma.")
    ).to_be_visible()
    expect(paths.get_by_text(re.compile("multiple myeloma .* Bortezomib")).first).to_be_visible()
    assert_accessible(page)
    page.wait_for_timeout(700)  # on the screen long enough to count as viewed

    page.keyboard.press("j")
    expect(cards(page).nth(1)).to_be_focused()
    expect(panel.get_by_text("Matched by identifier DRUGBANK:DB01041")).to_be_visible()
    page.wait_for_timeout(700)
    page.keyboard.press("e")
    expect(panel.get_by_role("region", name="Evidence")).to_be_focused()
    tab_to(page, panel.get_by_role("link", name="Thalidomide in the explorer"))
    with page.context.expect_page() as opened:
        page.keyboard.press("Enter")
    expect(opened.value.get_by_role("heading", level=1)).to_contain_text("Thalidomide")
    assert f"/explore/{GRAPH}/e/DRUGBANK:DB01041?snapshot=" in opened.value.url
    opened.value.close()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(cards(page).nth(1)).to_be_focused()
    assert candidate_order(page) == before

    page.keyboard.press("a")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", level=1)).to_contain_text("case 2?")
    page.wait_for_timeout(1500)
    [answer, _] = expert.answers()
    assert answer["response"]["outcome"] == "confirmed"
    assert evidence_events(expert) == [
        ("evidence_opened", "Bortezomib"),
        ("evidence_viewed", "Bortezomib"),
        ("evidence_viewed", "Thalidomide"),
    ]


@pytest.mark.parametrize("width", [1024, 1440, 1920])
def test_the_cards_stay_where_they_are_while_evidence_opens_and_closes(
    profiles: BrowserProfiles, any_expert: Expert, width: int
) -> None:
    page = open_ranking(profiles, any_expert, size={"width": width, "height": 768})
    panel = page.get_by_role("complementary", name="Help and questions")
    expect(panel.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()
    before = highlighted_passages(page)
    left = panel.bounding_box()
    assert left
    assert all(x + card_width <= left["x"] for x, _, card_width, _ in before)
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    expect(cards(page).first).to_be_focused()
    assert highlighted_passages(page) == before
    page.keyboard.press("e")
    expect(panel.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()
    assert highlighted_passages(page) == before


def highlighted_passages(page: Page) -> list[list[float]]:
    """Left, top, width and height of each card."""
    boxes: list[list[float]] = cards(page).evaluate_all(
        "cards => cards.map((card) => card.getBoundingClientRect())"
        ".map(({ left, top, width, height }) => [left, top, width, height])"
    )
    return boxes


@THEMES
@SIZES
def test_evidence_is_whole_and_accessible(
    profiles: BrowserProfiles, any_expert: Expert, theme: str, size: ViewportSize
) -> None:
    page = open_ranking(profiles, any_expert, theme=theme, size=size)
    is_wide = size["width"] >= DESKTOP["width"]
    if not is_wide:
        page.get_by_role("button", name=re.compile("^Evidence for")).click()
    expect(page.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()
    expect(page.get_by_text(re.compile("paths?( shown)?[,.]")).first).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    for name in ("Evidence", "Definition", "Questions", *(["Keys"] if is_wide else [])):
        expect(page.get_by_role("radio", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    choose = page.get_by_role("combobox", name="Evidence for")
    choose.select_option("Lenalidomide")
    expect(page.get_by_text("Matched by name alone", exact=True)).to_be_visible()
    choose.select_option("Xyz-17")
    expect(page.get_by_text("This graph has no such entity.")).to_be_visible()
    assert_accessible(page)


def test_on_a_phone_the_expert_comes_back_to_their_cards(
    profiles: BrowserProfiles, any_expert: Expert
) -> None:
    page = open_ranking(profiles, any_expert, size=NARROWEST)
    before = candidate_order(page)
    page.get_by_role("button", name=re.compile("^Evidence for")).tap()
    dialog = page.get_by_role("dialog", name="Help and questions")
    expect(dialog.get_by_role("heading", name="Paths from the question")).to_be_visible()
    dialog.get_by_role("button", name="Close").tap()
    expect(dialog).to_have_count(0)
    assert candidate_order(page) == before


def test_without_a_network_only_the_evidence_is_missing(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = open_ranking(profiles, expert, opens_offline=True)
    page.evaluate("localStorage.setItem('serendib-evidence', 'closed')")
    page.reload()
    expect(cards(page).first).to_be_focused()
    page.context.set_offline(True)
    page.keyboard.press("e")
    expect(page.get_by_text("Evidence needs a connection.")).to_be_visible()
    page.keyboard.press("Alt+ArrowDown")
    assert candidate_order(page)[1] == "Bortezomib"
    page.context.set_offline(False)
    expect(page.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()


@SIZES
def test_the_board_says_what_of_the_study_the_graph_knows(
    profiles: BrowserProfiles, expert: Expert, size: ViewportSize
) -> None:
    page = profiles.open_signed_in(COORDINATOR, f"/studies/{expert.study}", size=size)
    table = page.get_by_role("region", name="Study names matched in the graph, by method")
    counts = table.get_by_role("row", name="Candidates").get_by_role("cell")
    expect(counts).to_have_text(["4", "0", "2", "0", "2"])
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Choose another graph").click()
    chosen = page.get_by_role("combobox", name="Graph for evidence")
    expect(chosen.locator("option:checked")).to_contain_text("Drug repurposing demo, version 1")
    assert_accessible(page)
