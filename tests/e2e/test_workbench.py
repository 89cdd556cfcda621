"""A researcher weighs R, N and S by pointer, finger and keyboard; the link keeps the view."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, ViewportSize, expect

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
from tests.e2e.ranking_page import new_expert, run_coroutine
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


# Of every test here: an import beside one of them would change the page that it has open.
@pytest.fixture(scope="module", autouse=True)
def scored_question_set(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    folder = tmp_path_factory.mktemp("serenqa")
    served.prepare_once("partitions", lambda: import_partitions(served, folder / "partitions.json"))
    return served


def import_partitions(served: Stack, file: Path) -> None:
    """Models and experts have a partition of one question too, as SerenQA's file brings them."""
    record = {
        "qid": 7012,
        "question": OSTEOPOROSIS,
        "llm": split(["DB00783"]),
        "expert": split(["DB06643"]),
    }
    file.write_text(json.dumps([record]))
    served.manage("import_questions", "serenqa", str(file), "--name", SET, "--graph", GRAPH)


def split(hidden: list[str]) -> dict[str, Any]:
    known = [f"DRUGBANK:{one}" for one in IDS if one not in hidden]
    return {
        "serendipity_set": {"list": [f"DRUGBANK:{one}" for one in hidden], "description": None},
        "explore_queries": {"paths": [], "questions": []},
        "partition": "dev",
        "exact_matches": {"list": known},
    }


def question(visits: BrowserProfiles, text: str = OSTEOPOROSIS, **how: Any) -> Page:
    """The page of a question, by the way that leads there."""
    page = visits.open_page("/workbench", **how)
    page.get_by_role("link", name=text).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text)
    wait_until_loaded(page)
    return page


def selected_weights(page: Page) -> Locator:
    return page.get_by_text(re.compile("^Chosen here"))


def point(page: Page) -> Locator:
    return page.get_by_role("slider", name="Weights of relevance, novelty and surprise")


def triangle(page: Page) -> Locator:
    """What the hand drags over."""
    return page.locator("div:has(> [role=slider]) > svg > polygon").last


@THEMES
@pytest.mark.parametrize("path", ["/workbench", RNS, SETS, "/workbench/no-such-question"])
def test_every_page_is_accessible_and_fits(
    profiles: BrowserProfiles, path: str, theme: str
) -> None:
    page = profiles.open_page(path, theme=theme)
    for size in (WIDEST, DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a dictionary of the same keys
        assert_fits(page)
        assert_nothing_truncated(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)
    assert_accessible(page)


@BOTH_SIZES
def test_the_questions_on_which_methods_disagree_come_first_and_are_found_by_a_candidate(
    profiles: BrowserProfiles, size: ViewportSize
) -> None:
    page = profiles.open_page("/workbench", size=size)
    page.get_by_role("combobox", name="Order").select_option("methods")
    first = page.get_by_role("table").get_by_role("row").nth(1)
    expect(first).to_contain_text(OSTEOPOROSIS)
    expect(first).to_contain_text("disagree")
    page.get_by_role("searchbox", name="Find a question or a candidate").fill("denosumab")
    expect(page).to_have_url(re.compile("order=methods.*text=denosumab"))
    expect(page.get_by_role("rowheader").first).to_contain_text(OSTEOPOROSIS)
    assert_fits(page)
    assert_accessible(page)
    page.reload()
    expect(page.get_by_role("rowheader").first).to_contain_text(OSTEOPOROSIS)


@THEMES
def test_a_question_is_accessible_and_fits(
    profiles: BrowserProfiles, scored_question_set: Stack, theme: str
) -> None:
    page = question(profiles, theme=theme)
    page.get_by_text("How it is computed").click()
    for size in (WIDEST, DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a dictionary of the same keys
        assert_fits(page)
        assert_nothing_truncated(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)
    assert_accessible(page)


def test_in_forced_colours_the_map_and_its_words_are_there(profiles: BrowserProfiles) -> None:
    page = question(profiles, forced_colours=True)
    assert_accessible(page)
    expect(point(page)).to_be_visible()


def test_by_keys_alone_the_expert_weighs_reads_and_hands_on_what_the_expert_saw(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_page("/")
    wait_until_loaded(page)
    press(page, page.get_by_role("link", name="Benchmarks"))
    press(page, page.get_by_role("link", name=OSTEOPOROSIS))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    wait_until_loaded(page)
    requests = requests_of(page)
    tab_to(page, point(page))
    for key, corner in (("Home", "relevance"), ("End", "novelty"), ("PageUp", "surprise")):
        page.keyboard.press(key)
        expect(point(page)).to_have_attribute("aria-valuetext", re.compile(f"{corner} 1.00"))
    at_surprise = selected_weights(page).inner_text()
    for _ in range(10):  # to the other corner by arrows alone, a tenth each
        page.keyboard.press("Shift+ArrowDown")
    for _ in range(10):
        page.keyboard.press("Shift+ArrowLeft")
    words = re.compile("relevance 1.00, novelty 0.00, surprise 0.00")
    expect(point(page)).to_have_attribute("aria-valuetext", words)
    assert selected_weights(page).inner_text() != at_surprise
    assert not scored(requests), f"weighing asked the server: {requests}"

    relevance = page.get_by_role("spinbutton", name="Relevance")
    tab_to(page, relevance)
    page.keyboard.press("Control+a")
    page.keyboard.type("0.5")
    expect(page.get_by_role("spinbutton", name="Novelty")).to_have_value("0.25")
    page.keyboard.press("ArrowUp")
    expect(relevance).to_have_value("0.51")

    tab_to(page, page.get_by_role("button", name="Raloxifene", exact=True))
    page.wait_for_url(re.compile(r"w=0\.51"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Why Raloxifene")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("^Through a"))).not_to_have_count(0)
    page.wait_for_url(re.compile("c="))

    there = profiles.open_page(page.url)
    wait_until_loaded(there)
    expect(there.get_by_role("heading", name="Why Raloxifene")).to_be_visible()
    expect(there.get_by_role("spinbutton", name="Relevance")).to_have_value("0.51")
    assert table_of(there) == table_of(page)
    press(page, page.get_by_role("link", name="Next question"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text(OSTEOPOROSIS)
    expect(page.get_by_role("spinbutton", name="Relevance")).to_have_value("0.51")


def test_under_the_hand_the_partition_is_what_the_numbers_say(profiles: BrowserProfiles) -> None:
    page = question(profiles)
    answer = page.evaluate(
        "id => fetch(`/api/v1/questions/${id}/workbench`).then((it) => it.json())",
        page.url.split("/")[-1].split("?")[0],
    )
    requests = requests_of(page)
    box = triangle(page).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    winners = set()
    for across, down in ((0.02, 0.99), (0.3, 0.8), (0.5, 0.5), (0.5, 0.02), (0.9, 0.9), (0.4, 0.3)):
        x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
        page.mouse.move(x, y, steps=5)
        winner = expect_winner(page, answer)
        winners.add(winner)
    page.mouse.up()
    assert len(winners) > 2
    assert not scored(requests), f"dragging asked the server: {requests}"
    expect(point(page)).to_be_focused()
    expect(page.get_by_role("heading", name=f"Why {winner}")).to_be_visible()


def test_by_touch_on_a_phone(profiles: BrowserProfiles) -> None:
    page = question(profiles, size=PHONE)
    point(page).scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    box = triangle(page).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag_by_finger(page, [(x, y), (x, y - 40), (x, box["y"] - 60)])
    expect(point(page)).to_have_attribute("aria-valuenow", "100")
    assert page.evaluate("scrollY") == before, "the page moved under the finger"
    page.get_by_role("table").first.get_by_role("row").last.scroll_into_view_if_needed()
    expect(point(page)).to_be_in_viewport()
    page.get_by_role("button", name="Relevance only").tap()
    expect(point(page)).to_have_attribute("aria-valuetext", re.compile("relevance 1.00"))
    assert_fits(page)


def test_methods_side_by_side_and_the_file_that_says_the_same(
    profiles: BrowserProfiles, scored_question_set: Stack, tmp_path: Path
) -> None:
    page = question(profiles)
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


def test_a_choice_that_the_paper_leaves_open_changes_the_numbers(profiles: BrowserProfiles) -> None:
    page = question(profiles)
    before = table_of(page)
    page.get_by_text("How it is computed").click()
    page.get_by_role("combobox", name="Surprise is measured over").select_option("candidates")
    page.wait_for_url(re.compile("support=candidates"))
    wait_until_loaded(page)
    expect(page.get_by_role("table").first).not_to_have_text(before)


def test_their_own_sets_by_keys_with_each_part_explained(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(RNS)
    wait_until_loaded(page)
    for label, words, name in (
        ("Add an existing entity", "aspirin", "Acetylsalicylic acid"),
        ("Add a serendipitous entity", "tapentadol", "Tapentadol"),
    ):
        field = page.get_by_role("combobox", name=label)
        tab_to(page, field)
        page.keyboard.type(words)
        expect(page.get_by_role("option").first).to_contain_text(name)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"Remove {name}")).to_be_visible()
    expect(page.get_by_text(re.compile("^Mean distance of the vectors"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"^More than \d+ of \d+ random sets")).first).to_be_visible()
    there = profiles.open_page(page.url)
    expect(there.get_by_text(re.compile("^Mean distance of the vectors"))).to_be_visible()


def test_from_an_entity_the_expert_comes_to_sets_with_it(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(f"/explore/{GRAPH}/e/{TAPENTADOL}")
    places = page.get_by_role("navigation", name="Explorer")
    places.get_by_role("link", name="Serendipity").click()
    region = page.get_by_role("region", name="Serendipity", exact=True)
    expect(region.get_by_role("link", name="Tapentadol")).to_be_visible()
    expect(page.get_by_text("Choose at least one entity for each set")).to_be_visible()


def test_by_keys_a_researcher_has_a_file_of_sets_scored(
    profiles: BrowserProfiles, tmp_path: Path
) -> None:
    page = profiles.open_signed_in(RESEARCHER, RNS)
    wait_until_loaded(page)
    press(page, page.get_by_role("link", name="Score a file of many sets"))
    expect(page.get_by_role("heading", name="Score a file")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Choose a file"))
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    file = tmp_path / "sets.jsonl"
    lines = [
        {"id": "a", "existing": [ASPIRIN, IBUPROFEN], "serendipity": [TAPENTADOL]},
        {"id": "b", "existing": [ASPIRIN], "serendipity": ["NO:1"]},
    ]
    file.write_text("".join(f"{json.dumps(one)}\n" for one in lines) + "{\n")
    chooser.value.set_files(file)
    expect(page.get_by_text("1 of 3 lines cannot be scored.")).to_be_visible()
    for size in (DESKTOP, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_truncated(page)
    press(page, page.get_by_role("button", name="Score 2 sets"))
    expect(page.get_by_text("1 of 3 sets scored; 2 lines could not be.").first).to_be_visible()
    wrong = page.get_by_role("table", name="Lines that could not be scored").first
    expect(wrong).to_contain_text("line 2, b")
    expect(wrong).to_contain_text("line 3")
    assert_accessible(page)
    with page.expect_download() as download:
        press(page, page.get_by_role("button", name="Download the results").first)
    path = tmp_path / "results.jsonl"
    download.value.save_as(path)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [one["line"] for one in records] == [1, 2, 3]
    assert 0 < records[0]["surprise"] <= 1 and records[1]["error"]["code"] == "unknown_entity"


def test_a_visitor_is_told_who_may_send_a_file(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(f"{RNS}/file", size=PHONE)
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.locator("input[type=file]")).to_have_count(0)
    assert_accessible(page)
    assert_fits(page)


def test_by_keys_a_coordinator_has_vectors_computed(profiles: BrowserProfiles) -> None:
    page = profiles.open_signed_in(COORDINATOR, "/workbench")
    wait_until_loaded(page)
    press(page, page.get_by_role("link", name="Computations"))
    expect(page.get_by_role("heading", level=1, name="Computations")).to_be_visible()
    wait_until_loaded(page)
    tab_to(page, page.get_by_role("radio", name=re.compile("^Walks in a graph")))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name=re.compile("^Vectors of a graph"))).to_be_checked()
    graph = page.get_by_role("combobox", name="Graph version")
    tab_to(page, graph)
    graph.select_option(f"{GRAPH}@1")
    # The default ones may have been computed for somebody else.
    page.get_by_role("combobox", name="Relevance comes from").select_option("gcn")
    press(page, page.get_by_role("button", name="Compute the vectors"))
    article = page.get_by_role("article", name=f"Vectors, in {GRAPH}").first
    expect(article).to_contain_text("Vectors of 64 numbers")
    for size in (DESKTOP, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_truncated(page)
    assert_accessible(page)
    page.reload()
    expect(article).to_contain_text("Vectors of 64 numbers")


def test_what_is_wrong_with_their_sets_is_said_where_it_is(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(f"{RNS}?existing={ASPIRIN}&serendipity={ASPIRIN}")
    expect(page.get_by_role("alert").first).to_be_visible()
    assert_accessible(page)
    page.goto(f"{RNS}?existing={ASPIRIN}&serendipity=NO:1")
    wrong = page.get_by_role("region", name="Serendipity", exact=True)
    expect(wrong).to_contain_text("NO:1")
    expect(page.get_by_role("alert").first).to_be_visible()


def test_a_network_that_is_lost_stops_no_hand(profiles: BrowserProfiles) -> None:
    page = question(profiles, opens_offline=True)
    page.context.set_offline(True)
    point(page).focus()
    page.keyboard.press("PageUp")
    expect(point(page)).to_have_attribute("aria-valuenow", "100")
    page.get_by_role("button", name="Zoledronic acid", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("The server did not answer")
    page.context.set_offline(False)
    expect(page.get_by_text("Paths within three hops")).to_be_visible()


def test_the_ranking_page_shows_and_asks_nothing_of_it(
    served: Stack, profiles: BrowserProfiles
) -> None:
    expert = run_coroutine(new_expert(served.url))
    page = profiles.open_signed_in(expert.email, "/home")
    requests = requests_of(page, everything=True)
    page.get_by_role("link", name=re.compile("^Begin")).first.click()
    page.wait_for_url(re.compile("/rank/"))
    expect(page.locator("[data-part=card]").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert "/rank/" in page.url
    hidden = re.compile(r"question-sets|/workbench|/rns|serendipity-paths|computations")
    assert [one for one in requests if hidden.search(one)] == []
    text = page.locator("body").inner_text().lower()
    assert not re.search(r"\brns\b|surprise|novelty|benchmark", text)
    expect(page.get_by_role("link", name=re.compile("benchmark|workbench", re.I))).to_have_count(0)


def press(page: Page, target: Locator) -> None:
    tab_to(page, target)
    page.keyboard.press("Enter")


def table_of(page: Page) -> str:
    return page.get_by_role("table").first.inner_text()


def requests_of(page: Page, everything: bool = False) -> list[str]:
    """Addresses that the page asks for from now on."""
    requests: list[str] = []

    def note(request: Request) -> None:
        if everything or "/api/" in request.url:
            requests.append(request.url)

    page.on("request", note)
    return requests


def scored(requests: list[str]) -> list[str]:
    """Requests other than the explanation, which follows the weights once they have rested."""
    return [url for url in requests if "serendipity-paths" not in url]


def expect_winner(page: Page, answer: dict[str, Any]) -> str:
    """What the page says is chosen, beside a search through the same numbers."""
    spin_buttons = page.get_by_role("spinbutton")
    weights = [float(spin_buttons.nth(at).input_value()) for at in range(3)]
    splits = answer["splits"]
    parts = [splits[name] for name in ("relevance", "novelty", "surprise")]
    totals = [
        sum(w * part for w, part in zip(weights, row, strict=True))
        for row in zip(*parts, strict=True)
    ]
    best = next(at for at, total in enumerate(totals) if total >= max(totals) - 1e-12)
    names = {one["position"]: one["name"] for one in answer["candidates"]}
    name = str(names[splits["order"][splits["sets"][best][0]]])
    expect(selected_weights(page)).to_contain_text(name)
    return name


def drag_by_finger(page: Page, places: list[tuple[float, float]]) -> None:
    client = page.context.new_cdp_session(page)
    for at, (x, y) in enumerate(places):
        kind = "touchStart" if at == 0 else "touchMove"
        points = [{"x": x, "y": y}]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
