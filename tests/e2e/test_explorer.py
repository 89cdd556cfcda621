"""A physician looks into the demo graph: by keys, by touch, and from a link that she was sent."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Page, expect

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

GRAPH = "/explore/drug-repurposing-demo"
ASPIRIN = "DRUGBANK:DB00945"
IBUPROFEN = "DRUGBANK:DB01050"
STROKE = "DOID:6713"
THREE_HOPS = f"{GRAPH}/paths?from={ASPIRIN}&to={STROKE}"
PAGES = (
    GRAPH,
    f"{GRAPH}?q=migraine",
    f"{GRAPH}/e/{ASPIRIN}?rel=out.treats",
    f"{GRAPH}/e/{ASPIRIN}?show=table",
    f"{GRAPH}/canvas?focus={ASPIRIN}&open={STROKE}",
    THREE_HOPS,
    f"{GRAPH}/compare?id={ASPIRIN}&id={IBUPROFEN}",
    f"{GRAPH}/e/NO:1",
    "/explore/no-such-graph",
)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_of_the_explorer_is_accessible_and_fits(
    visits: Visits, path: str, theme: str
) -> None:
    page = visits.visitor(path, theme=theme)
    for size in (DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_cut(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)
    assert_accessible(page)


def test_the_import_page_is_accessible_and_fits(visits: Visits) -> None:
    page = visits.signed_in("coordinator@demo.example", "/explore/import")
    for size in (DESKTOP, PHONE, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)


def test_by_keys_she_finds_a_drug_reads_why_and_follows_three_hops(visits: Visits) -> None:
    page = visits.visitor("/explore")
    find_by_keys(page, "aspirin", "Acetylsalicylic acid")
    relation = page.get_by_role("button", name=re.compile(r"^treats"))
    press(page, relation)
    reached = page.get_by_role("list", name="Acetylsalicylic acid treats")
    row = reached.get_by_role("listitem").filter(has_text="rheumatoid arthritis").first
    press(page, row.locator("summary"))
    expect(row.get_by_text("FDA label", exact=True)).to_be_visible()
    expect(row.get_by_role("link", name=re.compile("dailymed"))).to_be_visible()

    press(page, page.get_by_role("link", name="Path to"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Paths")
    answer = page.get_by_role("combobox", name="To")
    press_to(page, answer)
    page.keyboard.type("cerebrovascular")
    take(page, answer, "cerebrovascular disease")
    three = page.get_by_role("listitem").filter(has_text=re.compile("all 3 edges")).first
    press(page, three.locator("summary").first)
    expect(three.get_by_text("Stated by").first).to_be_visible()
    seen = paths_of(page)
    assert len(seen) > 3

    link = save_by_keys(page)
    there = visits.visitor(link)
    settle(there)
    expect(there.get_by_role("heading", level=1)).to_have_text("Paths")
    expect(there.locator("ol > li").first).to_be_visible()
    assert paths_of(there) == seen
    assert "snapshot=" in there.url


def test_by_keys_she_walks_the_graph_and_takes_it_with_her(visits: Visits, tmp_path: Path) -> None:
    page = visits.visitor(f"{GRAPH}/canvas?focus={ASPIRIN}")
    settle(page)
    canvas = page.get_by_role("application")
    press_to(page, canvas)
    page.keyboard.press("ArrowRight")
    said = page.locator("[data-announcer]")
    expect(said).to_contain_text(re.compile(r"\d+ of \d+"))
    chosen = page.locator("tr[data-selected=true] th button")
    expect(chosen).to_have_count(1)
    expect(said).to_contain_text(chosen.inner_text())
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
        text = text_of(export_by_keys(page, kind), tmp_path)
        assert "Apache-2.0" in text, f"{kind} does not say its licence"
        assert page_snapshot(page) in text, f"{kind} does not say its version"
    png = export_by_keys(page, "PNG")
    assert Path(png.path()).read_bytes().startswith(b"\x89PNG")


def test_by_touch_on_a_phone(visits: Visits) -> None:
    page = visits.visitor("/explore", size=PHONE)
    settle(page)
    page.get_by_role("combobox", name="Search entities").tap()
    page.keyboard.type("tapentadol")
    page.get_by_role("option").filter(has_text="Tapentadol").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tapentadol")
    page.get_by_role("link", name="Show what is near").tap()
    settle(page)
    page.get_by_role("radio", name="Table").tap()
    page.get_by_role("button", name="Expand Naloxone").tap()
    expect(page.get_by_role("button", name="Collapse Naloxone")).to_be_visible()
    page.get_by_role("button", name="Naloxone", exact=True).tap()
    page.get_by_role("radio", name="Graph").tap()
    expect(page.get_by_role("region", name="Selected")).to_contain_text("Naloxone")
    page.get_by_role("link", name="Paths to it").tap()
    expect(page.get_by_role("heading", level=2)).to_contain_text("Tapentadol to Naloxone")
    assert_fits(page)


def test_in_forced_colours_the_picture_and_its_table_are_there(visits: Visits) -> None:
    page = visits.visitor(f"{GRAPH}/canvas?focus={ASPIRIN}", forced_colours=True)
    assert_accessible(page)
    expect(page.get_by_role("application").locator("canvas").first).to_be_visible()
    chosen = page.locator("tr[data-selected=true] th button")
    expect(chosen).to_have_text("Acetylsalicylic acid")
    ink, ground = chosen.evaluate(
        "it => [getComputedStyle(it).color, getComputedStyle(it).backgroundColor]"
    )
    assert ground not in {ink, "rgba(0, 0, 0, 0)"}, "the name of what is selected cannot be read"


def test_a_network_that_is_lost_is_said_and_what_is_shown_stays(visits: Visits) -> None:
    page = visits.visitor(f"{GRAPH}/e/{ASPIRIN}")
    settle(page)
    page.context.set_offline(True)
    page.get_by_role("button", name=re.compile("^treats")).click()
    expect(page.get_by_role("alert").first).to_contain_text("The server did not answer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Acetylsalicylic acid")
    page.context.set_offline(False)  # what could not be read is read again by itself
    expect(page.get_by_role("list", name="Acetylsalicylic acid treats")).to_be_visible()


def press(page: Page, target: Locator) -> None:
    press_to(page, target)
    page.keyboard.press("Enter")


def find_by_keys(page: Page, words: str, name: str) -> None:
    settle(page)
    field = page.get_by_role("combobox", name="Search entities")
    expect(field).to_be_visible()  # the list of graphs leads on to the only one
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type(words)
    take(page, field, name)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    settle(page)


def take(page: Page, field: Locator, name: str) -> None:
    """The first suggestion, once it is the one that was meant."""
    expect(page.get_by_role("option").first).to_contain_text(name)
    page.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", re.compile(".+"))
    page.keyboard.press("Enter")


def paths_of(page: Page) -> list[str]:
    return page.locator("ol > li > div > p").all_inner_texts()


def save_by_keys(page: Page) -> str:
    press(page, page.get_by_role("button", name="Save view"))
    expect(page.get_by_role("textbox", name="Title")).to_be_focused()
    page.keyboard.press("Enter")
    link = page.get_by_role("textbox", name="Permanent link").input_value()
    press(page, page.get_by_role("button", name="Done"))
    return link


def export_by_keys(page: Page, kind: str) -> Download:
    press_to(page, page.get_by_role("button", name="Export"), "Shift+Tab")
    page.keyboard.press("Enter")
    item = page.get_by_role("menuitem", name=kind)
    expect(item).to_be_visible()
    with page.expect_download() as download:
        press_to(page, item, "ArrowDown")
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
