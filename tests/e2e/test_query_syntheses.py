"""Queries that models write: from the page, through the budget, to a question set and its file."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from backend.graphs.cell_encoding import join_document
from tests.benchmarks.stark_queries.factories import PrimekgRows
from tests.e2e.browser_helpers import (
    DESKTOP,
    JOB_MS,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
)
from tests.e2e.stack import Stack
from tests.evaluation.synthesis_worlds import marked, synthesize
from tests.llm.scripted_server import ScriptedServer

ADMINISTRATOR = "administrator@demo.example"
GRAPH = "Vocabulary of PrimeKG"


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(synthesize) as server:
        yield server


@pytest.fixture(scope="module")
def graph(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("primekg")

    def prepare() -> None:
        entities, edges = write_tables(folder)
        served.manage("import_graph", "csv", str(entities), str(edges), "--name", GRAPH)

    served.prepare_once("primekg", prepare)
    return GRAPH


def write_tables(folder: Path) -> tuple[Path, Path]:
    rows = PrimekgRows(1)
    entities, edges = folder / "entities.csv", folder / "edges.csv"
    with entities.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "name", "type", "xrefs", "document"])
        for one in map(marked, rows.nodes()):
            cells = [one.id, one.name, one.type, "|".join(one.xrefs), join_document(one.document)]
            table.writerow(cells)
    with edges.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["source", "relation", "target"])
        table.writerows((one.source, one.relation, one.target) for one in rows.edges())
    return entities, edges


def look(page: Page) -> None:
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)


def test_models_write_queries_that_become_a_question_set(
    profiles: BrowserProfiles, served: Stack, server: ScriptedServer, graph: str, tmp_path: Path
) -> None:
    name, endpoint = f"Queries {tmp_path.name}", f"writer {tmp_path.name}"
    served.manage(
        *("add_endpoint", endpoint, "--url", server.url, "--model", "scripted", "--private"),
        *("--price-in", "1", "--price-out", "2", "--usable-by", "everyone"),
    )
    page = profiles.open_signed_in(ADMINISTRATOR, "/query-syntheses")
    page.get_by_label("Name of the question set").fill(name)
    page.get_by_label("Graph", exact=True).select_option(label=graph)
    for role in ("Model that writes", "Model that rewrites", "Model that verifies"):
        page.get_by_label(role, exact=True).select_option(label=f"{endpoint}: scripted")
    page.get_by_label("Second model that verifies").select_option(label="None")
    page.get_by_label("Queries to draw").fill("4")
    start = page.get_by_role("button", name="Synthesize queries")
    expect(start).to_be_disabled()
    page.get_by_label("Budget in US dollars").fill("0.000010")
    look(page)
    tab_to(page, start)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    budget = page.get_by_label("Budget in US dollars, with what is spent")
    expect(budget).to_be_visible(timeout=JOB_MS)
    expect(page.get_by_role("alert")).to_contain_text("budget")
    look(page)
    budget.fill("1")
    page.get_by_role("button", name="Resume").click()

    expect(page.get_by_text("4 of 4 queries accepted.")).to_be_visible(timeout=JOB_MS)
    page.get_by_text("From relation to answers").first.click()
    expect(page.get_by_text("Gold answer:").first).to_be_visible()
    look(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Queries as CSV").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert (len(lines), lines[0].startswith("id,query,answer_ids")) == (5, True)
    compare(page, served, f"Other {name}", endpoint)
    page.get_by_role("link", name="Invite experts").click()
    expect(page.get_by_role("heading", level=1, name=f"Rated {name}")).to_be_visible()


def compare(page: Page, served: Stack, other: str, endpoint: str) -> None:
    """Two sets of queries as a study of ratings, in one step."""
    served.manage(
        *("synthesize_queries", GRAPH.lower().replace(" ", "-"), "--name", other, "--count", "2"),
        *("--writer", endpoint, "--rewriter", endpoint, "--verifier", endpoint, "--seed", "9"),
        *("--owner", ADMINISTRATOR, "--budget", "1"),
    )
    page.reload()
    form = page.get_by_role("region", name="Compare with other queries")
    form.get_by_label("Compared with").select_option(label=f"{other} (2)")
    form.get_by_label("Name of the study").fill(other.replace("Other", "Rated"))
    look(page)
    tab_to(page, form.get_by_role("button", name="Create the study"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("6 queries in the study.")).to_be_visible()
    look(page)
