"""A researcher weighs what counts, by pointer, finger and keys; her link shows what she saw."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.e2e.browsing import (
    DESKTOP,
    NARROWEST,
    PHONE,
    Visits,
    assert_accessible,
    assert_fits,
    assert_nothing_cut,
    press_to,
    settle,
)
from tests.e2e.stack import Stack

SET = "Drug repurposing questions (demo)"
GRAPH = "drug-repurposing-demo"
OSTEOPOROSIS = "Which drugs are used to treat osteoporosis?"
IDS = ["DB00630", "DB06643", "DB00783", "DB00481", "DB00399"]
RNS = f"/explore/{GRAPH}/rns"
ASPIRIN, IBUPROFEN, TAPENTADOL = ("DRUGBANK:DB00945", "DRUGBANK:DB01050", "DRUGBANK:DB06204")
SETS = f"{RNS}?existing={ASPIRIN}&existing={IBUPROFEN}&serendipity={TAPENTADOL}"
RESEARCHER, COORDINATOR = "researcher@demo.example", "coordinator@demo.example"
WIDEST = {"width": 1920, "height": 1080}


@pytest.fixture(scope="module")
def judged(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    """Models and experts have a partition of one question too, as SerenQA's file brings them."""
    record = {
        "qid": 7012,
        "question": OSTEOPOROSIS,
        "llm": split(["DB00783"]),
        "expert": split(["DB06643"]),
    }
    file = tmp_path_factory.mktemp("serenqa") / "partitions.json"
    file.write_text(json.dumps([record]))
    served.manage("import_questions", "serenqa", str(file), "--name", SET, "--graph", GRAPH)
    return served


def split(hidden: list[str]) -> dict[str, Any]:
    known = [f"DRUGBANK:{one}" for one in IDS if one not in hidden]
    return {
        "serendipity_set": {"list": [f"DRUGBANK:{one}" for one in hidden], "description": None},
        "explore_queries": {"paths": [], "questions": []},
        "partition": "dev",
        "exact_matches": {"list": known},
    }


def question(visits: Visits, text: str = OSTEOPOROSIS, **how: Any) -> Page:
    """The page of a question, by the way that leads there."""
    page = visits.visitor("/workbench", **how)
    page.get_by_role("link", name=text).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text)
    settle(page)
    return page


def chosen(page: Page) -> Locator:
    return page.get_by_text(re.compile("^Chosen here"))


def point(page: Page) -> Locator:
    return page.get_by_role("slider", name="Weights of relevance, novelty and surprise")


def triangle(page: Page) -> Locator:
    """What the hand drags over."""
    return page.locator("div:has(> [role=slider]) > svg > polygon").last


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/workbench", RNS, SETS, "/workbench/no-such-question"])
def test_every_page_is_accessible_and_fits(visits: Visits, path: str, theme: str) -> None:
    page = visits.visitor(path, theme=theme)
    for size in (WIDEST, DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a dictionary of the same keys
        assert_fits(page)
        assert_nothing_cut(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)
    assert_accessible(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_question_is_accessible_and_fits(visits: Visits, judged: Stack, theme: str) -> None:
    page = question(visits, theme=theme)
    page.get_by_text("How it is computed").click()
    for size in (WIDEST, DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a dictionary of the same keys
        assert_fits(page)
        assert_nothing_cut(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)
    assert_accessible(page)


def test_in_forced_colours_the_map_and_its_words_are_there(visits: Visits) -> None:
    page = question(visits, forced_colours=True)
    assert_accessible(page)
    expect(point(page)).to_be_visible()


def test_by_keys_alone_she_weighs_reads_and_hands_on_what_she_saw(visits: Visits) -> None:
    page = visits.visitor("/")
    settle(page)
    press(page, page.get_by_role("link", name="Benchmarks"))
    press(page, page.get_by_role("link", name=OSTEOPOROSIS))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    settle(page)
    asked = requests_of(page)
    press_to(page, point(page))
    for key, corner in (("Home", "relevance"), ("End", "novelty"), ("PageUp", "surprise")):
        page.keyboard.press(key)
        expect(point(page)).to_have_attribute("aria-valuetext", re.compile(f"{corner} 1.00"))
    at_surprise = chosen(page).inner_text()
    for _ in range(10):  # to the other corner by arrows alone, a tenth each
        page.keyboard.press("Shift+ArrowDown")
    for _ in range(10):
        page.keyboard.press("Shift+ArrowLeft")
    words = re.compile("relevance 1.00, novelty 0.00, surprise 0.00")
    expect(point(page)).to_have_attribute("aria-valuetext", words)
    assert chosen(page).inner_text() != at_surprise
    assert not asked, f"weighing asked the server: {asked}"

    relevance = page.get_by_role("spinbutton", name="Relevance")
    press_to(page, relevance)
    page.keyboard.press("Control+a")
    page.keyboard.type("0.5")
    expect(page.get_by_role("spinbutton", name="Novelty")).to_have_value("0.25")
    page.keyboard.press("ArrowUp")
    expect(relevance).to_have_value("0.51")

    press_to(page, page.get_by_role("button", name="Raloxifene", exact=True), "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Why Raloxifene")).to_be_visible()
    expect(page.get_by_role("heading", name="From Estradiol")).to_be_visible()
    page.wait_for_url(re.compile(r"w=0\.51"))

    there = visits.visitor(page.url)
    settle(there)
    expect(there.get_by_role("heading", name="Why Raloxifene")).to_be_visible()
    expect(there.get_by_role("spinbutton", name="Relevance")).to_have_value("0.51")
    assert table_of(there) == table_of(page)
    press(page, page.get_by_role("link", name="Next question"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text(OSTEOPOROSIS)
    expect(page.get_by_role("spinbutton", name="Relevance")).to_have_value("0.51")


def test_under_the_hand_the_partition_is_what_the_numbers_say(visits: Visits) -> None:
    page = question(visits)
    answer = page.evaluate(
        "id => fetch(`/api/v1/questions/${id}/workbench`).then((it) => it.json())",
        page.url.split("/")[-1].split("?")[0],
    )
    asked = requests_of(page)
    box = triangle(page).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    seen = set()
    for across, down in ((0.02, 0.99), (0.3, 0.8), (0.5, 0.5), (0.5, 0.02), (0.9, 0.9), (0.4, 0.3)):
        x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
        page.mouse.move(x, y, steps=5)
        seen.add(expect_winner(page, answer))
    page.mouse.up()
    assert len(seen) > 2
    assert not asked, f"dragging asked the server: {asked}"
    expect(point(page)).to_be_focused()


def test_by_touch_on_a_phone(visits: Visits) -> None:
    page = question(visits, size=PHONE)
    point(page).scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    box = triangle(page).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag_by_finger(page, [(x, y), (x, y - 40), (x, box["y"] - 60)])
    expect(point(page)).to_have_attribute("aria-valuenow", "100")
    assert page.evaluate("scrollY") == before, "the page moved under the finger"
    page.get_by_role("button", name="R: relevance alone").tap()
    expect(point(page)).to_have_attribute("aria-valuetext", re.compile("relevance 1.00"))
    assert_fits(page)


def test_methods_side_by_side_and_the_file_that_says_the_same(
    visits: Visits, judged: Stack, tmp_path: Path
) -> None:
    page = question(visits)
    point(page).focus()
    page.keyboard.press("PageUp")
    row = page.get_by_role("row").filter(has=page.get_by_role("button", name="Denosumab"))
    expect(row.get_by_role("cell").last).to_have_text("serendipitous")
    expect(page.get_by_text(re.compile("^The methods differ on .*Denosumab"))).to_be_visible()
    expect(page.get_by_text(re.compile("^RNS and the experts share 0 of 1"))).to_be_visible()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=re.compile("^Partitions")).click()
    path = tmp_path / "record.json"
    download.value.save_as(path)
    text = path.read_text()
    assert "expert" in text and "DRUGBANK:DB06643" in text


def test_a_choice_that_the_paper_leaves_open_changes_the_numbers(visits: Visits) -> None:
    page = question(visits)
    before = table_of(page)
    page.get_by_text("How it is computed").click()
    page.get_by_role("combobox", name="Surprise is measured over").select_option("candidates")
    page.wait_for_url(re.compile("support=candidates"))
    settle(page)
    expect(page.get_by_role("table").first).not_to_have_text(before)


def test_her_own_sets_by_keys_with_each_part_explained(visits: Visits) -> None:
    page = visits.visitor(RNS)
    settle(page)
    for label, words, name in (
        ("Add an existing entity", "aspirin", "Acetylsalicylic acid"),
        ("Add a serendipitous entity", "tapentadol", "Tapentadol"),
    ):
        field = page.get_by_role("combobox", name=label)
        press_to(page, field)
        page.keyboard.type(words)
        expect(page.get_by_role("option").first).to_contain_text(name)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"Take {name} away")).to_be_visible()
    expect(page.get_by_text(re.compile("apart on average"))).to_be_visible()
    expect(page.get_by_text(re.compile("percentile of .* random sets")).first).to_be_visible()
    there = visits.visitor(page.url)
    expect(there.get_by_text(re.compile("apart on average"))).to_be_visible()


def test_from_an_entity_she_comes_to_sets_with_it(visits: Visits) -> None:
    page = visits.visitor(f"/explore/{GRAPH}/e/{TAPENTADOL}")
    page.get_by_role("link", name="Serendipity", exact=True).click()
    found = page.get_by_role("region", name="Serendipity", exact=True)
    expect(found.get_by_role("link", name="Tapentadol")).to_be_visible()
    expect(page.get_by_text("Choose at least one entity for each set")).to_be_visible()


def test_by_keys_a_researcher_has_a_file_of_sets_scored(visits: Visits, tmp_path: Path) -> None:
    page = visits.signed_in(RESEARCHER, RNS)
    settle(page)
    press(page, page.get_by_role("link", name="Score a file of many sets"))
    expect(page.get_by_role("heading", name="Score a file")).to_be_visible()
    press_to(page, page.get_by_role("button", name="Choose a file"))
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    file = tmp_path / "sets.jsonl"
    lines = [
        {"id": "a", "existing": [ASPIRIN, IBUPROFEN], "serendipity": [TAPENTADOL]},
        {"id": "b", "existing": [ASPIRIN], "serendipity": ["NO:1"]},
    ]
    file.write_text("".join(f"{json.dumps(one)}\n" for one in lines) + "{\n")
    chooser.value.set_files(file)
    expect(page.get_by_text("1 of 3 lines cannot be scored as they are")).to_be_visible()
    for size in (DESKTOP, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_cut(page)
    press(page, page.get_by_role("button", name="Score 3 sets"))
    expect(page.get_by_text("1 of 3 sets scored; 2 lines could not be.").first).to_be_visible()
    wrong = page.get_by_role("table", name="Lines that could not be scored").first
    expect(wrong).to_contain_text("line 2, b")
    expect(wrong).to_contain_text("line 3")
    assert_accessible(page)
    with page.expect_download() as download:
        press(page, page.get_by_role("button", name="Download the results").first)
    path = tmp_path / "results.jsonl"
    download.value.save_as(path)
    told = [json.loads(line) for line in path.read_text().splitlines()]
    assert [one["line"] for one in told] == [1, 2, 3]
    assert 0 < told[0]["surprise"] <= 1 and told[1]["error"]["code"] == "unknown_entity"


def test_a_visitor_is_told_who_may_send_a_file(visits: Visits) -> None:
    page = visits.visitor(f"{RNS}/file", size=PHONE)
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.locator("input[type=file]")).to_have_count(0)
    assert_accessible(page)
    assert_fits(page)


def test_by_keys_a_coordinator_has_vectors_computed(visits: Visits) -> None:
    page = visits.signed_in(COORDINATOR, "/workbench")
    settle(page)
    press(page, page.get_by_role("link", name="Computations"))
    expect(page.get_by_role("heading", level=1, name="Computations")).to_be_visible()
    settle(page)
    press_to(page, page.get_by_role("radio", name=re.compile("^Walks in a graph")))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name=re.compile("^Vectors of a graph"))).to_be_checked()
    graph = page.get_by_role("combobox", name="Of which graph")
    press_to(page, graph)
    graph.select_option(f"{GRAPH}@1")
    press(page, page.get_by_role("button", name="Compute the vectors"))
    made = page.get_by_role("article", name=f"Vectors, in {GRAPH}").first
    expect(made).to_contain_text("Vectors of 64 numbers")
    for size in (DESKTOP, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_cut(page)
    assert_accessible(page)
    page.reload()
    expect(made).to_contain_text("Vectors of 64 numbers")


def test_what_is_wrong_with_her_sets_is_said_where_it_is(visits: Visits) -> None:
    page = visits.visitor(f"{RNS}?existing={ASPIRIN}&serendipity={ASPIRIN}")
    expect(page.get_by_role("alert").first).to_be_visible()
    assert_accessible(page)
    page.goto(f"{RNS}?existing={ASPIRIN}&serendipity=NO:1")
    wrong = page.get_by_role("region", name="Serendipity", exact=True)
    expect(wrong).to_contain_text("NO:1")
    expect(page.get_by_role("alert").first).to_be_visible()


def test_a_network_that_is_lost_stops_no_hand(visits: Visits) -> None:
    page = question(visits)
    page.context.set_offline(True)
    point(page).focus()
    page.keyboard.press("PageUp")
    expect(point(page)).to_have_attribute("aria-valuenow", "100")
    page.get_by_role("button", name="Zoledronic acid", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("The server did not answer")
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="From Denosumab")).to_be_visible()


def test_the_ranking_page_shows_and_asks_nothing_of_it(visits: Visits) -> None:
    page = visits.signed_in("physician@demo.example", "/home")
    asked = requests_of(page, everything=True)
    introduction = page.get_by_role("link", name=re.compile("Read the introduction|Continue|Begin"))
    introduction.first.click()
    page.wait_for_url(re.compile("introduction|/rank/"))
    consent = page.get_by_text("I have read what is recorded")
    if "introduction" in page.url:
        consent.click()
        page.get_by_role("button", name=re.compile("^Begin")).click()
    expect(page.locator("[data-part=card]").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert "/rank/" in page.url
    hidden = re.compile(r"question-sets|/workbench|/rns|serendipity-paths|computations")
    assert [one for one in asked if hidden.search(one)] == []
    text = page.locator("body").inner_text().lower()
    assert not re.search(r"\brns\b|surprise|novelty|benchmark", text)
    expect(page.get_by_role("link", name=re.compile("benchmark|workbench", re.I))).to_have_count(0)


def press(page: Page, target: Locator) -> None:
    press_to(page, target)
    page.keyboard.press("Enter")


def table_of(page: Page) -> str:
    return page.get_by_role("table").first.inner_text()


def requests_of(page: Page, everything: bool = False) -> list[str]:
    """Addresses that the page asks for from now on."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if everything or "/api/" in request.url:
            asked.append(request.url)

    page.on("request", note)
    return asked


def expect_winner(page: Page, answer: dict[str, Any]) -> str:
    """What the page says is chosen, beside a search through the same numbers."""
    found = page.get_by_role("spinbutton")
    weights = [float(found.nth(at).input_value()) for at in range(3)]
    splits = answer["splits"]
    parts = [splits[name] for name in ("relevance", "novelty", "surprise")]
    totals = [
        sum(w * part for w, part in zip(weights, row, strict=True))
        for row in zip(*parts, strict=True)
    ]
    best = next(at for at, total in enumerate(totals) if total >= max(totals) - 1e-12)
    names = {one["position"]: one["name"] for one in answer["candidates"]}
    name = str(names[splits["order"][splits["sets"][best][0]]])
    expect(chosen(page)).to_contain_text(name)
    return name


def drag_by_finger(page: Page, places: list[tuple[float, float]]) -> None:
    client = page.context.new_cdp_session(page)
    for at, (x, y) in enumerate(places):
        kind = "touchStart" if at == 0 else "touchMove"
        points = [{"x": x, "y": y}]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
