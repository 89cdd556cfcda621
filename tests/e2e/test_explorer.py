"""A physician explores the demo graph: by keyboard, by touch, and from a link."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
    show_themes,
    tab_to,
    wait_until_loaded,
)

GRAPH = "/explore/drug-repurposing-demo"
ASPIRIN = "DRUGBANK:DB00945"
IBUPROFEN = "DRUGBANK:DB01050"
STROKE = "DOID:6713"
THREE_HOPS = f"{GRAPH}/paths?from={ASPIRIN}&to={STROKE}"
SERM = f"{GRAPH}/paths?from=DRUGBANK:DB00481&to=DOID:1612"
BEST_PATH = re.compile("^Best (indirect )?path$")
PLACES = """[...document.querySelectorAll("[data-canvas] [data-node]")].map((node) => {
    const { e, f } = node.transform.baseVal[0].matrix;
    return [node.dataset.node, Math.round(e), Math.round(f)];
})"""
PAGES = (
    GRAPH,
    f"{GRAPH}?q=migraine",
    f"{GRAPH}?q=the+blue+pill+for+blood+pressure",
    f"{GRAPH}?type=Drug",
    f"{GRAPH}/e/{ASPIRIN}?rel=out.treats",
    f"{GRAPH}/e/{ASPIRIN}?show=table",
    f"{GRAPH}/canvas?focus={ASPIRIN}&open={STROKE}",
    THREE_HOPS,
    f"{GRAPH}/paths/test?from={ASPIRIN}&to={STROKE}",
    f"{GRAPH}/compare?id={ASPIRIN}&id={IBUPROFEN}",
    f"{GRAPH}/e/NO:1",
    "/explore/no-such-graph",
)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_of_the_explorer_is_accessible_and_fits(
    profiles: BrowserProfiles, path: str
) -> None:
    page = profiles.open_page(path)
    for size in (NARROWEST, DESKTOP, PHONE):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_truncated(page)
        for _ in show_themes(page) if size != NARROWEST else ():
            assert_accessible(page)


def test_the_import_page_is_accessible_and_fits(profiles: BrowserProfiles) -> None:
    page = profiles.open_signed_in("coordinator@demo.example", "/explore/import")
    for size in (DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)


def test_by_keys_the_expert_finds_a_drug_reads_why_and_follows_three_hops(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_page(GRAPH)
    search_by_keyboard(page, "aspirin", "Acetylsalicylic acid")
    press(page, page.get_by_role("button", name="Show all 6"))
    reached = page.get_by_role("list", name="Acetylsalicylic acid treats")
    row = reached.get_by_role("listitem").filter(has_text="rheumatoid arthritis").first
    press(page, row.locator("summary"))
    expect(row.get_by_text("FDA label", exact=True)).to_be_visible()
    expect(row.get_by_role("link", name=re.compile("dailymed"))).to_be_visible()

    press(page, page.get_by_role("link", name="Path to"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Paths")
    answer = page.get_by_role("combobox", name="To")
    tab_to(page, answer)
    page.keyboard.type("cerebrovascular")
    choose_entity(page, answer, "cerebrovascular disease")
    three = page.get_by_role("listitem").filter(has_text=re.compile("all 3 edges")).first
    press(page, three.locator("summary").first)
    expect(three.get_by_text("Stated by").first).to_be_visible()
    shown_paths = paths_of(page)
    assert len(shown_paths) > 3

    link = save_view_by_keyboard(page)
    there = profiles.open_page(link)
    wait_until_loaded(there)
    expect(there.get_by_role("heading", level=1)).to_have_text("Paths")
    expect(there.locator("ol > li > div > p").first).to_be_visible()
    assert paths_of(there) == shown_paths
    assert "snapshot=" in there.url


def test_by_keys_the_expert_walks_the_graph_and_takes_it_along(
    profiles: BrowserProfiles, tmp_path: Path
) -> None:
    page = profiles.open_page(f"{GRAPH}/canvas?focus={ASPIRIN}")
    wait_until_loaded(page)
    canvas = page.get_by_role("application")
    tab_to(page, canvas)
    page.keyboard.press("ArrowRight")
    announcer = page.locator("[data-announcer]")
    expect(announcer).to_contain_text(re.compile(r"\d+ of \d+"))
    chosen = page.locator("tr[data-selected=true] th button")
    expect(chosen).to_have_count(1)
    expect(announcer).to_contain_text(chosen.inner_text())
    expect(page.get_by_role("region", name="Selected")).to_contain_text(chosen.inner_text())

    rows = page.get_by_role("table", name="Entities shown").locator("tbody tr")
    before, address = rows.count(), page.url
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("^Collapse")).first).to_be_visible()
    expect(rows).not_to_have_count(before)
    page.keyboard.press("Control+z")
    expect(rows).to_have_count(before)
    page.wait_for_url(lambda url: "open=" not in url)
    assert "open=" not in address

    for kind in ("CSV", "JSON", "GraphML", "SVG"):
        text = text_of(export_by_keyboard(page, kind), tmp_path)
        assert "Apache-2.0" in text, f"{kind} does not say its licence"
        assert page_snapshot(page) in text, f"{kind} does not say its version"
    png = export_by_keyboard(page, "PNG")
    assert Path(png.path()).read_bytes().startswith(b"\x89PNG")


def test_by_touch_on_a_phone(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(GRAPH, size=PHONE)
    wait_until_loaded(page)
    page.get_by_role("combobox", name="Search entities").tap()
    page.keyboard.type("tapentadol")
    page.get_by_role("option").filter(has_text="Tapentadol").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tapentadol")
    wait_until_loaded(page)
    expect(page.get_by_role("application")).to_be_visible()
    page.get_by_role("radio", name="Table").tap()
    page.get_by_role("button", name="Expand Naloxone").tap()
    expect(page.get_by_role("button", name="Collapse Naloxone")).to_be_visible()
    page.get_by_role("button", name="Naloxone", exact=True).tap()
    page.get_by_role("radio", name="Graph").tap()
    expect(page.get_by_role("region", name="Selected")).to_contain_text("Naloxone")
    page.get_by_role("link", name="Paths to it").tap()
    expect(page.get_by_role("heading", name=BEST_PATH)).to_be_visible()
    expect(page.get_by_role("heading", name="Tapentadol to Naloxone")).to_be_visible()
    assert_fits(page)


def test_a_visitor_without_a_name_finds_a_surprising_use_and_what_connects_it(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_page(GRAPH)
    wait_until_loaded(page)
    cards = page.get_by_role("region", name="Start from a surprise").locator("> ul > li")
    expect(cards).to_have_count(10)
    assert_accessible(page)
    drug = cards.first.get_by_role("heading").inner_text()
    distant = cards.first.locator("b").inner_text()
    expect(cards.first).to_contain_text(re.compile(r"\s[(][0-9]{4}[)], later .*\s[(][0-9]{4}[)]"))
    reason = cards.first.get_by_text(re.compile("other drugs? ")).inner_text()
    expect(cards.first.get_by_role("link", name=re.compile("^Paths between"))).to_be_visible()
    press(page, cards.first.get_by_role("link", name=f"Paths from {drug} to {distant}"))
    direct = page.get_by_role("region", name="Direct link")
    expect(direct).to_contain_text(re.compile(f"^Directly linked:{drug} .* {distant}"))
    expect(page.get_by_role("region", name="Surprise")).to_contain_text(reason)
    assert_accessible(page)
    press(page, page.get_by_role("region", name="Surprise").get_by_role("link", name=drug))
    mark = page.get_by_role("listitem").filter(has_text="Surprising use")
    expect(mark).to_contain_text(distant)
    expect(mark).to_contain_text(reason)
    assert_accessible(page)

    page.goto(SERM)
    best = page.get_by_role("region", name=BEST_PATH)
    expect(best).to_contain_text("Tamoxifen")
    expect(best).to_contain_text(re.compile("one random walk in [0-9]"))
    assert_accessible(page)

    page.goto(f"{GRAPH}")
    press(page, page.get_by_role("link", name=re.compile("^Disease 110")))
    expect(page.get_by_role("heading", level=1)).to_have_text("Disease")
    first = page.get_by_role("list", name="Disease").get_by_role("link").first
    name = first.inner_text()
    press(page, first)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.goto(f"{GRAPH}")
    opened = page.get_by_role("region", name="Opened on this device")
    expect(opened.get_by_role("link", name=name)).to_be_visible()


def test_nodes_stay_in_place_through_expand_collapse_filter_undo_and_redo(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_page(f"{GRAPH}/canvas?focus={ASPIRIN}")
    wait_until_loaded(page)
    before = node_places(page)
    assert len(before) > 5
    legend = page.get_by_role("group", name="Relations shown")

    def assert_stays(count: int | None = None) -> dict[str, tuple[int, int]]:
        places = node_places(page, count)
        assert {key: places[key] for key in before if key in places} == {
            key: place for key, place in before.items() if key in places
        }
        assert_accessible(page)
        return places

    page.get_by_role("button", name="Expand cerebrovascular disease").click()
    page.get_by_role("button", name="Collapse cerebrovascular disease").wait_for()
    expect(page.get_by_role("application")).not_to_have_attribute("aria-busy", "true")
    page.wait_for_function(f"() => {PLACES}.length > {len(before)}")
    expanded = assert_stays()
    page.get_by_role("button", name="Collapse cerebrovascular disease").click()
    assert assert_stays(len(before)) == before
    legend.get_by_role("button", name="treats", exact=True).click()
    page.wait_for_function(f"() => {PLACES}.length < {len(before)}")
    assert_stays()
    page.get_by_role("button", name="Undo").click()
    assert assert_stays(len(before)) == before
    page.get_by_role("button", name="Undo").click()
    assert assert_stays(len(expanded)) == expanded
    page.get_by_role("button", name="Undo").click()
    assert assert_stays(len(before)) == before
    page.get_by_role("button", name="Redo").click()
    assert assert_stays(len(expanded)) == expanded


def test_in_forced_colours_the_picture_and_its_table_are_there(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(f"{GRAPH}/canvas?focus={ASPIRIN}", forced_colours=True)
    assert_accessible(page)
    expect(page.get_by_role("application").locator("svg").first).to_be_visible()
    chosen = page.locator("tr[data-selected=true] th button")
    expect(chosen).to_have_text("Acetylsalicylic acid")
    ink, ground = chosen.evaluate(
        "it => [getComputedStyle(it).color, getComputedStyle(it).backgroundColor]"
    )
    assert ground not in {ink, "rgba(0, 0, 0, 0)"}, "the name of what is selected cannot be read"


def test_a_network_that_is_lost_is_said_and_what_is_shown_stays(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(f"{GRAPH}/e/{ASPIRIN}", opens_offline=True)
    wait_until_loaded(page)
    page.context.set_offline(True)
    page.get_by_role("button", name="Show all 6").click()
    expect(page.get_by_role("alert").first).to_contain_text("The server did not answer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Acetylsalicylic acid")
    page.context.set_offline(False)  # what could not be read is read again by itself
    expect(page.get_by_role("list", name="Acetylsalicylic acid treats")).to_be_visible()


def node_places(page: Page, count: int | None = None) -> dict[str, tuple[int, int]]:
    """Where the drawing has each node, once it has so many: no two on one point."""
    expected = "> 1" if count is None else f"=== {count}"
    page.wait_for_function(f"() => {PLACES}.length {expected}")
    places = {key: (x, y) for key, x, y in page.evaluate(PLACES)}
    assert len({*places.values()}) == len(places), "two nodes stand on one point"
    return places


def press(page: Page, target: Locator) -> None:
    tab_to(page, target)
    page.keyboard.press("Enter")


def search_by_keyboard(page: Page, words: str, name: str) -> None:
    wait_until_loaded(page)
    field = page.get_by_role("combobox", name="Search Serendib")
    expect(field).to_be_visible()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type(words)
    results = page.get_by_role("listbox", name="Search results")
    expect(results.get_by_role("option").first).to_contain_text(name)
    page.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", re.compile(".+"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    wait_until_loaded(page)


def choose_entity(page: Page, field: Locator, name: str) -> None:
    """The first suggestion, once it is the one that was meant."""
    expect(page.get_by_role("option").first).to_contain_text(name)
    page.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", re.compile(".+"))
    page.keyboard.press("Enter")


def paths_of(page: Page) -> list[str]:
    return page.locator("ol > li > div > p:first-child").all_inner_texts()


def save_view_by_keyboard(page: Page) -> str:
    press(page, page.get_by_role("button", name="Save view"))
    expect(page.get_by_role("textbox", name="Title")).to_be_focused()
    page.keyboard.press("Enter")
    link = page.get_by_role("textbox", name="Permanent link").input_value()
    press(page, page.get_by_role("button", name="Done"))
    return link


def export_by_keyboard(page: Page, kind: str) -> Download:
    tab_to(page, page.get_by_role("button", name="Export"), "Shift+Tab")
    page.keyboard.press("Enter")
    item = page.get_by_role("menuitem", name=kind)
    expect(item).to_be_visible()
    with page.expect_download() as download:
        tab_to(page, item, "ArrowDown")
        page.keyboard.press("Enter")
    return download.value


def text_of(download: Download, folder: Path) -> str:
    path = folder / download.suggested_filename
    download.save_as(path)
    content = path.read_bytes()
    if not zipfile.is_zipfile(path):
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def page_snapshot(page: Page) -> str:
    graph = page.evaluate("fetch('/api/v1/graphs/drug-repurposing-demo').then((it) => it.json())")
    return str(graph["latest"])
