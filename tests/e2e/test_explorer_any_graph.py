"""A graph from anywhere: its names and texts are shown as they are, run nothing, break nothing."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)
from tests.e2e.stack import Stack

ADMINISTRATOR = "administrator@demo.example"
GRAPH = "/explore/anything"
MARKUP = '<b>Bold</b> <img src=x onerror="window.ran=1">'
LONG = "Deoxy" * 60
ARABIC = "\u062f\u0648\u0627\u0621 \u0644\u0644\u0633\u0643\u0631\u064a"
TEXT = (
    "<script>window.ran=2</script> [here](javascript:window.ran=3) <img src=x onerror=window.ran=4>"
)
ENTITIES = (
    ("X:1", MARKUP, "Drug", "|".join(f"name {at}" for at in range(900)), TEXT, "javascript:ran()"),
    ("X:2", f"{ARABIC} (DB-7)", "Drug", "", f"{ARABIC}.", ""),
    ("X:3", LONG, "Disease", "", "", ""),
    ("X:4", "   ", "Gene", "", "", ""),
    ("X:5", "A" * 3900, "Disease", "", "", ""),
)
EDGES = (
    ("X:1", "treats", "X:2", "<b>label</b>", "javascript:window.ran=5"),
    ("X:1", "treats", "X:3", "", ""),
    ("X:1", "treats", "X:4", "", ""),
    ("X:2", "is linked in a way that takes very many words to say to", "X:3", "", ""),
    ("X:3", "leads to", "X:5", "", ""),
)
PAGES = (
    f"{GRAPH}/e/X:1?rel=out.treats",
    f"{GRAPH}/e/X:2",
    f"{GRAPH}/e/X:3",
    f"{GRAPH}/e/X:4",
    f"{GRAPH}/canvas?focus=X:3",
    f"{GRAPH}/canvas?focus=X:5&show=table",
    f"{GRAPH}/paths?from=X:2&to=X:3&to=X:5",
    f"{GRAPH}?q=bold",
)


@pytest.fixture(scope="module")
def hostile_graph(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> None:
    served.prepare_once("anything", lambda: import_graph(served, tmp_path_factory.mktemp("files")))


def import_graph(served: Stack, folder: Path) -> None:
    """Not public, so that the other journeys still meet one graph alone."""
    entities = table(folder / "entities.csv", "id,name,type,synonyms,document,xrefs", ENTITIES)
    edges = table(folder / "edges.csv", "source,relation,target,evidence,publications", EDGES)
    served.manage("import_graph", "csv", entities, edges, "--name", "Anything")


def table(path: Path, head: str, rows: tuple[tuple[str, ...], ...]) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head.split(","), *rows])
    return str(path)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.usefixtures("hostile_graph")
def test_no_name_or_text_runs_or_breaks_a_page(profiles: BrowserProfiles, path: str) -> None:
    page = profiles.open_signed_in(ADMINISTRATOR, path)
    for size in (DESKTOP, NARROWEST):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)
    assert page.evaluate("window.ran") is None
    assert page.locator("main a[href^='javascript:']").count() == 0


@pytest.mark.usefixtures("hostile_graph")
def test_what_has_no_name_to_see_is_called_by_its_identifier(profiles: BrowserProfiles) -> None:
    page = profiles.open_signed_in(ADMINISTRATOR, f"{GRAPH}/e/X:4")
    expect(page.get_by_role("heading", level=1)).to_have_text("X:4")


@pytest.mark.usefixtures("hostile_graph")
def test_a_text_from_right_to_left_ends_on_the_left(profiles: BrowserProfiles) -> None:
    page = profiles.open_signed_in(ADMINISTRATOR, f"{GRAPH}/e/X:2")
    wait_until_loaded(page)
    text = page.get_by_role("region", name="Document").get_by_text(ARABIC)
    first, last = text.evaluate(
        """(it) => [0, it.firstChild.length - 1].map((at) => {
          const range = document.createRange();
          range.setStart(it.firstChild, at);
          range.setEnd(it.firstChild, at + 1);
          return range.getBoundingClientRect().left;
        })"""
    )
    assert last < first


@pytest.mark.usefixtures("hostile_graph")
def test_a_long_name_leaves_the_picture_its_space(profiles: BrowserProfiles) -> None:
    page = profiles.open_signed_in(ADMINISTRATOR, f"{GRAPH}/canvas?focus=X:5")
    wait_until_loaded(page)
    box = page.get_by_role("application").bounding_box()
    assert box is not None
    assert box["y"] < 400
    assert box["height"] > 300
