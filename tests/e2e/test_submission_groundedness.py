"""A file with rationales is submitted and grounded; the board has the column and the bins."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    JOB_MS,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import prediction_lines, write_source

RESEARCHER = "researcher@demo.example"
RELEASE = "reasoned-pairs"
PAIRS = 40
RATIONALES = ("Imatinib inhibits KIT.", "Imatinib inhibits KIT. Zinc cures baldness.")


@pytest.fixture(scope="module", autouse=True)
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    folder = tmp_path_factory.mktemp("release")

    def prepare() -> None:
        source = str(write_source(folder, PAIRS))
        graph = ("--graph", "drug-repurposing-demo", "--test-share", "0")
        served.manage("make_release", "truthhypo", source, "--name", RELEASE, *graph, "--open")

    served.prepare_once("reasoned-release", prepare)
    return served


def look(page: Page) -> None:
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_accessible(page)


def test_rationales_are_submitted_grounded_and_shown_on_the_board(
    profiles: BrowserProfiles, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in prediction_lines(range(PAIRS), wrong=[4]).splitlines()]
    reasoned = [{**row, "rationale": RATIONALES[at % 2]} for at, row in enumerate(rows)]
    file = tmp_path / "reasons.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in reasoned))

    page = profiles.open_signed_in(RESEARCHER, f"/submissions/new?release={RELEASE}")
    wait_until_loaded(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(file)
    expect(page.get_by_text(f"It answers {PAIRS} of {PAIRS} items.")).to_be_visible()
    models = page.get_by_label("Model", exact=True)
    models.select_option(label="A new model")
    page.get_by_label("Name of the new model").fill(f"Reasoner {tmp_path.name}")
    page.get_by_role("button", name="Submit for a score").click()

    section = page.get_by_role("region", name="Groundedness", exact=True)
    expect(section).to_be_visible(timeout=JOB_MS)
    section.get_by_label("Papers").select_option("demo-papers")
    look(page)
    section.get_by_role("button", name="Ground the rationales").click()
    cell = section.get_by_role("row", name="graph and papers 75.0%")
    expect(cell).to_be_visible(timeout=JOB_MS)
    expect(section.get_by_role("row", name="0 to 60%")).to_be_visible()
    expect(section).to_contain_text("wrong hypothesis with a groundedness of 80% or more")
    look(page)

    page.get_by_role("link", name="See the board").click()
    head = page.get_by_role("columnheader", name="Groundedness by graph and papers, plain verifier")
    expect(head).to_be_visible()
    bins = page.get_by_role("region", name="Accuracy by groundedness").first
    expect(bins).to_contain_text("in groups of at least 10 hypotheses")
    look(page)
