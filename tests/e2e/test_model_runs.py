"""A run from the page of a release to the board, with the scripted server as the model."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
from tests.evaluation.truthhypo_files import label_of, pair_of, write_source
from tests.llm.scripted_server import Scripted, ScriptedServer

RESEARCHER = "researcher@demo.example"
RELEASE = "journey-runs"
PAIRS = 60
CUT_OFF = 7  # whose answer is cut off


def answer_pair(body: dict[str, Any], number: int) -> Scripted:
    """All labels are right, but for the pair whose answer is cut off each time."""
    pair = int(pair_of(body).removeprefix("Chemical|C"))
    if pair == CUT_OFF:
        return Scripted(text='{"rationale": "It', finish_reason="length")
    return Scripted(text=json.dumps({"rationale": "It is scripted.", "label": label_of(pair)}))


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(answer_pair) as server:
        yield server


@pytest.fixture(scope="module")
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("runs")

    def prepare() -> None:
        source = str(write_source(folder, PAIRS))
        served.manage("make_release", "truthhypo", source, "--name", RELEASE, "--open")

    served.prepare_once("runs", prepare)
    return RELEASE


def add_endpoint(served: Stack, server: ScriptedServer, name: str) -> None:
    served.manage(
        *("add_endpoint", name, "--url", server.url, "--model", "scripted", "--private"),
        *("--price-in", "1", "--price-out", "2", "--usable-by", "everyone", "--may-publish"),
    )


def look(page: Page) -> None:
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)


def test_a_model_is_run_from_the_release_to_the_board(
    profiles: BrowserProfiles, served: Stack, server: ScriptedServer, release: str, tmp_path: Path
) -> None:
    name, endpoint = f"Run {tmp_path.name}", f"scripted {tmp_path.name}"
    add_endpoint(served, server, endpoint)
    page = profiles.open_signed_in(RESEARCHER, f"/releases/{release}")
    page.get_by_role("link", name="Run a model").click()
    price = "$1.00 in and $2.00 out for a million tokens"
    page.get_by_label("Endpoint").select_option(label=f"{endpoint}: scripted, {price}")
    page.get_by_label("Model on the board").select_option(label="A new model")
    page.get_by_label("Name of the new model").fill(name)
    look(page)
    page.get_by_role("button", name="Answer five sample items").click()

    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    estimate = page.get_by_role("region", name="Estimate")
    expect(estimate).to_be_visible(timeout=JOB_MS)
    expect(page.get_by_text(f"5 of {PAIRS} items", exact=False).first).to_be_visible()
    look(page)
    page.get_by_label("Budget in US dollars").fill("1.00")
    page.get_by_role("button", name="Answer all items").click()

    expect(page.get_by_role("link", name="Test items: scored")).to_be_visible(timeout=JOB_MS)
    expect(page.get_by_text("Answered: 59, Cut off: 1")).to_be_visible()
    page.get_by_label("Show", exact=True).select_option(label="Cut off (1)")
    expect(page.get_by_text("How are 7 and its gene related?", exact=True)).to_be_visible()
    look(page)

    page.get_by_role("link", name="Test items: scored").click()
    page.get_by_role("link", name="See the board").click()
    board = page.get_by_role("table", name=f"{RELEASE}, evaluated here")
    expect(board.get_by_role("row").filter(has_text=name)).to_contain_text("98.3")
    page.goto(f"{served.url}/runs")
    wait_until_loaded(page)
    expect(page.get_by_role("row").filter(has_text=name)).to_contain_text("Ended")
    look(page)
