"""Evidence beside the ranking: an expert reads why a drug is linked to a disease, and ranks on."""

import asyncio
import json
import re
import time
import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browsing import (
    DESKTOP,
    NARROWEST,
    PATIENCE,
    Visits,
    assert_accessible,
    assert_fits,
    press_to,
)
from tests.e2e.desk import Expert, cards, expert_of, order, wait_for
from tests.e2e.stack import Stack
from tests.load import people
from tests.load.http import Browser
from tests.load.studies import COORDINATOR

GRAPH = "drug-repurposing-demo"
DRUGS = {"Bortezomib": "DB00188", "Thalidomide": "DB01041", "Lenalidomide": "", "Xyz-17": ""}
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])
SIZES = pytest.mark.parametrize("size", [DESKTOP, NARROWEST], ids=lambda size: size["width"])
SHARED: dict[str, Expert] = {}


def question(number: int) -> dict[str, Any]:
    ranked = [
        {
            "entity_name": name,
            "llm_rank": rank,
            "entity_link": f"https://go.drugbank.com/drugs/{record}" if record else "",
        }
        for rank, (name, record) in enumerate(DRUGS.items(), 1)
    ]
    return {
        "question_number": number,
        "qid": number,
        "text": f"Which drugs are used to treat multiple myeloma, case {number}?",
        "category": "cancer:organ system cancer",
        "llm_ranking": ranked,
        "resource": [],
    }


async def new_expert(address: str) -> Expert:
    """Of a study that pins the demo graph, once a worker has looked its names up."""
    coordinator = await people.sign_in(address, COORDINATOR)
    files = {"batch1.json": json.dumps([question(1), question(2)]).encode()}
    name = f"Evidence {uuid.uuid4().hex[:8]}"
    study = await people.import_study(coordinator, name, files)
    pin = await coordinator.put(f"/api/v1/studies/{study}/graph", {"graph": GRAPH})
    people.expect(200, pin)
    await resolved(coordinator, study)
    return await expert_of(coordinator, study)


async def resolved(coordinator: Browser, study: str) -> None:
    limit = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < limit:
        board = people.expect(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
        if board["evidence"]["is_complete"]:
            return
        await asyncio.sleep(0.2)
    raise AssertionError("No worker looked the names up.")


@pytest.fixture
def expert(served: Stack) -> Expert:
    return wait_for(new_expert(served.url))


@pytest.fixture
def any_expert(served: Stack) -> Expert:
    """For tests that change nothing of hers."""
    if served.url not in SHARED:
        SHARED[served.url] = wait_for(new_expert(served.url))
    return SHARED[served.url]


def desk_of(visits: Visits, expert: Expert, **how: Any) -> Page:
    page = visits.signed_in(expert.email, expert.desk, **how)
    expect(cards(page).first).to_be_focused()
    return page


def seen_events(expert: Expert) -> list[tuple[str, Any]]:
    first = expert.questions()[0]
    names = {one["id"]: one["name"] for one in first["candidates"]}
    events = [it for it in first["assignments"][0]["events"] if it["kind"].startswith("evidence")]
    return [(it["kind"], names[it["new"]["candidate"]]) for it in events]


def test_by_keyboard_alone_she_reads_a_path_and_her_ranking_stays(
    visits: Visits, expert: Expert
) -> None:
    page = desk_of(visits, expert)
    before = order(page)
    page.keyboard.press("e")
    panel = page.get_by_role("complementary", name="Help and questions")
    expect(panel.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()
    expect(cards(page).first).to_be_focused()
    paths = panel.get_by_role("region", name="Paths from the question")
    expect(paths.get_by_text("Matched by name alone: multiple myeloma.")).to_be_visible()
    expect(paths.get_by_text(re.compile("multiple myeloma .* Bortezomib")).first).to_be_visible()
    assert_accessible(page)
    page.wait_for_timeout(700)  # on the screen long enough to count as viewed

    page.keyboard.press("j")
    expect(cards(page).nth(1)).to_be_focused()
    expect(panel.get_by_text("Matched by identifier DRUGBANK:DB01041")).to_be_visible()
    page.wait_for_timeout(700)
    page.keyboard.press("e")
    expect(panel.get_by_role("region", name="Evidence")).to_be_focused()
    press_to(page, panel.get_by_role("link", name="Thalidomide in the explorer"))
    with page.context.expect_page() as opened:
        page.keyboard.press("Enter")
    expect(opened.value.get_by_role("heading", level=1)).to_contain_text("Thalidomide")
    assert f"/explore/{GRAPH}/e/DRUGBANK:DB01041?snapshot=" in opened.value.url
    opened.value.close()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(cards(page).nth(1)).to_be_focused()
    assert order(page) == before

    page.keyboard.press("a")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", level=1)).to_contain_text("case 2?")
    page.wait_for_timeout(1500)
    [answer, _] = expert.answers()
    assert answer["response"]["state"] == "confirmed"
    assert seen_events(expert) == [
        ("evidence_opened", "Bortezomib"),
        ("evidence_viewed", "Bortezomib"),
        ("evidence_viewed", "Thalidomide"),
    ]


@pytest.mark.parametrize("width", [1180, 1440, 1920])
def test_the_cards_stay_where_they_are_while_evidence_opens_and_closes(
    visits: Visits, any_expert: Expert, width: int
) -> None:
    page = desk_of(visits, any_expert, size={"width": width, "height": 900})
    before = places(page)
    page.keyboard.press("e")
    panel = page.get_by_role("complementary", name="Help and questions")
    expect(panel.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()
    assert places(page) == before
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    assert places(page) == before


def places(page: Page) -> list[list[float]]:
    """Left, top, width and height of each card."""
    found: list[list[float]] = cards(page).evaluate_all(
        "cards => cards.map((card) => card.getBoundingClientRect())"
        ".map(({ left, top, width, height }) => [left, top, width, height])"
    )
    return found


@THEMES
@SIZES
def test_evidence_is_whole_and_accessible(
    visits: Visits, any_expert: Expert, theme: str, size: ViewportSize
) -> None:
    page = desk_of(visits, any_expert, theme=theme, size=size)
    page.get_by_role("button", name="Evidence").click()
    expect(page.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()
    expect(page.get_by_text(re.compile("paths?( shown)?[,.]")).first).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    for name in ("Evidence", "Definition", "Questions", "Keys"):
        expect(page.get_by_role("radio", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    choose = page.get_by_role("combobox", name="Evidence for")
    choose.select_option("Lenalidomide")
    expect(page.get_by_text("Matched by name alone", exact=True)).to_be_visible()
    choose.select_option("Xyz-17")
    expect(page.get_by_text("This graph has no such entity.")).to_be_visible()
    assert_accessible(page)


def test_on_a_phone_she_comes_back_to_her_cards(visits: Visits, any_expert: Expert) -> None:
    page = desk_of(visits, any_expert, size=NARROWEST)
    before = order(page)
    page.get_by_role("button", name="Evidence").tap()
    dialog = page.get_by_role("dialog", name="Help and questions")
    expect(dialog.get_by_role("heading", name="Paths from the question")).to_be_visible()
    dialog.get_by_role("button", name="Close").tap()
    expect(dialog).to_have_count(0)
    assert order(page) == before


def test_without_a_network_only_the_evidence_is_missing(visits: Visits, expert: Expert) -> None:
    page = desk_of(visits, expert)
    page.context.set_offline(True)
    page.keyboard.press("e")
    expect(page.get_by_text("Evidence needs a connection.")).to_be_visible()
    page.keyboard.press("Alt+ArrowDown")
    assert order(page)[1] == "Bortezomib"
    page.context.set_offline(False)
    expect(page.get_by_text("Matched by identifier DRUGBANK:DB00188")).to_be_visible()


@SIZES
def test_the_board_says_what_of_the_study_the_graph_knows(
    visits: Visits, expert: Expert, size: ViewportSize
) -> None:
    page = visits.signed_in(COORDINATOR, f"/studies/{expert.study}", size=size)
    table = page.get_by_role("region", name="What of the study was found in the graph, and how")
    counts = table.get_by_role("row", name="Candidates").get_by_role("cell")
    expect(counts).to_have_text(["4", "0", "2", "0", "2"])
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Choose another graph").click()
    chosen = page.get_by_role("combobox", name="Graph for evidence")
    expect(chosen.locator("option:checked")).to_contain_text("Drug repurposing demo, version 1")
    assert_accessible(page)
