"""Tracks on the demo graph: Cypher predictions and why they fail, figures, a masked graph."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)
from tests.e2e.stack import ROOT, Stack

RESEARCHER, ADMINISTRATOR = "researcher@demo.example", "administrator@demo.example"
RELEASE = "demo-queries"
QUESTIONS = ROOT / "fixtures" / "demo" / "questions" / "questions.json"
BACKGROUND_MS = 300_000


@pytest.fixture(scope="module", autouse=True)
def demo(served: Stack) -> Stack:
    """A worker makes these releases after the first page is there."""

    def is_scored() -> bool:
        board = served.get_json(f"/api/v1/boards/{RELEASE}")
        return bool(board and board["entries"] >= 7)

    served.wait_until(is_scored, BACKGROUND_MS / 1000)
    return served


def write_queries(served: Stack, folder: Path) -> Path:
    """The demo's own queries for its dev items: one with a wrong end, one that would delete."""
    page = served.get_json(f"/api/v1/releases/{RELEASE}/item-page?split=dev")
    assert page is not None
    ids = [str(item["question_id"]) for item in page["results"]]
    queries = {str(one["qid"]): one["cypher"] for one in json.loads(QUESTIONS.read_text())}
    rows = [{"question_id": id_, "cypher": queries[id_]} for id_ in ids]
    rows[1]["cypher"] = "MATCH (n) DETACH DELETE n"
    rows[2]["cypher"] = "MATCH (n:Drug RETURN n.id"
    file = folder / "queries.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


def both_sizes(page: Page) -> None:
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_accessible(page)


def test_a_researcher_submits_queries_and_reads_which_failed(
    profiles: BrowserProfiles, served: Stack, tmp_path: Path
) -> None:
    page = profiles.open_signed_in(RESEARCHER, f"/submissions/new?release={RELEASE}&split=dev")
    wait_until_loaded(page)
    page.get_by_label("Model", exact=True).select_option(label="A new model")
    page.get_by_label("Name of the new model").fill(f"Query writer {tmp_path.name}")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(write_queries(served, tmp_path))
    expect(page.get_by_text("It answers 22 of 22 items.")).to_be_visible()
    page.get_by_role("button", name="Submit for a score").click()
    expect(page.get_by_text(re.compile(r"20 of 22 queries ran"))).to_be_visible(
        timeout=BACKGROUND_MS
    )
    failed = page.get_by_role("table", name="Failed queries").get_by_role("row")
    expect(failed).to_have_count(4)  # with one that ran, and returned no entity
    expect(failed.filter(has_text="refused")).to_contain_text("DETACH")
    invalid = failed.filter(has_text="invalid")
    expect(invalid.get_by_role("rowheader")).to_have_text("3")  # of the file
    both_sizes(page)


def test_a_researcher_tries_a_query_on_the_masked_graph(profiles: BrowserProfiles) -> None:
    page = profiles.open_signed_in(RESEARCHER, f"/releases/{RELEASE}")
    page.get_by_role("link", name="Try Cypher queries").click()
    query = page.get_by_label("Query", exact=True)
    query.fill("MATCH (d:Drug)-[:treats]->(n:Disease {name: 'psoriasis'}) RETURN d.id, d.name")
    query.press("Control+Enter")
    result = page.get_by_role("table", name="Result of the query")
    expect(result.get_by_role("row").nth(1)).to_contain_text("DRUGBANK:")
    query.fill("MATCH (n:Drug RETURN n")
    page.get_by_role("button", name="Run the query").click()
    expect(page.get_by_text("Code: cypher_wrong")).to_be_visible()
    both_sizes(page)
    visitor = profiles.open_page(f"/releases/{RELEASE}/query")
    expect(visitor.get_by_text(re.compile("organisers run queries"))).to_be_visible()


@pytest.mark.parametrize(
    ("track", "figure", "axis", "chart"),
    [
        (
            "serenqa-exploration",
            "scale",
            "&of=seren_hit&over=rns",
            "SerenHit on rns against parameters",
        ),
        ("serenqa-exploration", "profile", "", "Radar of the metrics that all chosen entries have"),
        ("serenqa-retrieval", "complexity", "", "F1 from simple to complex questions"),
    ],
)
def test_a_visitor_reads_a_figure_with_its_data(
    profiles: BrowserProfiles, track: str, figure: str, axis: str, chart: str
) -> None:
    page = profiles.open_page(f"/leaderboard/{track}?figure={figure}{axis}")
    drawing = page.get_by_role("group", name=chart)
    expect(drawing).to_be_visible()
    drawing.get_by_role("img").first.focus()
    page.keyboard.press("ArrowRight")
    expect(drawing.get_by_role("img").nth(1)).to_be_focused()
    # Words of a chart never shrink below what can be read.
    sizes = """(svg) => [...svg.querySelectorAll('text')]
        .filter((one) => one.getClientRects().length)
        .map((one) => parseFloat(getComputedStyle(one).fontSize) * svg.getScreenCTM().a)"""
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        assert min(drawing.evaluate(sizes)) >= 11
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Download CSV of this figure: {track}-{figure}").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert lines[0].startswith("entry,kind,setting") and len(lines) > 10
    both_sizes(page)


def test_an_organiser_makes_a_masked_graph(
    profiles: BrowserProfiles, served: Stack, tmp_path: Path
) -> None:
    slug = f"masked-{tmp_path.name.replace('_', '-')}"
    served.manage("export_questions", "Drug repurposing questions (demo)", "--into", str(tmp_path))
    files = [str(tmp_path / name) for name in ("questions.json", "partitions.json")]
    graph = ["--graph", "drug-repurposing-demo", "--masked-by", "rns"]
    served.manage("make_release", "serenqa-retrieval", *files, "--name", slug, *graph)
    page = profiles.open_signed_in(ADMINISTRATOR, f"/releases/{slug}")
    expect(page.get_by_text("Make it before you open the release.")).to_be_visible()
    page.get_by_role("button", name="Make the graph masked by RNS").click()
    table = page.get_by_role("table", name="Masked graphs")
    expect(table.get_by_role("row").nth(1)).to_contain_text("RNS", timeout=BACKGROUND_MS)
    page.get_by_text(re.compile(r"questions? left out")).click()
    expect(page.get_by_text(re.compile(r"^Question 70\d\d: ")).first).to_be_visible()
    both_sizes(page)
    page.get_by_role("link", name="Explore this release's graph").first.click()
    expect(page).to_have_url(re.compile(rf"/explore/{slug}-masked-by-rns"))
