"""A run from the page of a release to the board, with the scripted server as the model."""

import json
import time
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


def answer_right(body: dict[str, Any], delay_s: float = 0.0) -> Scripted:
    label = label_of(int(pair_of(body).removeprefix("Chemical|C")))
    text = json.dumps({"rationale": "It is scripted.", "label": label})
    return Scripted(text=text, delay_s=delay_s)


def answer_pair(body: dict[str, Any], number: int) -> Scripted:
    """All labels are right, but for the pair whose answer is cut off each time."""
    if pair_of(body) == f"Chemical|C{CUT_OFF}":
        return Scripted(text='{"rationale": "It', finish_reason="length")
    return answer_right(body)


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


def add_endpoint(
    served: Stack, server: ScriptedServer, name: str, model: str = "scripted", *more: str
) -> None:
    served.manage(
        *("add_endpoint", name, "--url", server.url, "--model", model, "--private", *more),
        *("--price-in", "1", "--price-out", "2", "--usable-by", "everyone", "--may-publish"),
    )


def choose_model(page: Page, endpoint: str, name: str) -> None:
    page.get_by_role("link", name="Run a model").click()
    price = "$1.00 in and $2.00 out for a million tokens"
    page.get_by_label("Endpoint").select_option(label=f"{endpoint}, {price}")
    page.get_by_label("Model on the board").select_option(label="A new model")
    page.get_by_label("Name of the new model").fill(name)


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
    choose_model(page, f"{endpoint}: scripted", name)
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


@pytest.fixture
def slow_server() -> Iterator[ScriptedServer]:
    """Two calls at once take twenty seconds for all pairs."""
    with ScriptedServer(lambda body, number: answer_right(body, 0.7)) as server:
        yield server


def begin_run(
    profiles: BrowserProfiles, served: Stack, server: ScriptedServer, model: str, release: str
) -> Page:
    """Over all items, with the name as that on the board and two calls at once."""
    add_endpoint(served, server, f"of {model}", model, "--max-in-flight", "2")
    page = profiles.open_signed_in(RESEARCHER, f"/releases/{release}")
    choose_model(page, f"of {model}: {model}", model)
    page.get_by_role("button", name="Answer five sample items").click()
    expect(page.get_by_role("region", name="Estimate")).to_be_visible(timeout=JOB_MS)
    page.get_by_label("Budget in US dollars").fill("1.00")
    page.get_by_role("button", name="Answer all items").click()
    return page


def wait_until_paid(served: Stack, server: ScriptedServer, count: int) -> None:
    served.wait_until(lambda: sum(one.is_paid for one in server.log) >= count, JOB_MS / 1000)


def count_calls_at_rest(served: Stack, server: ScriptedServer) -> int:
    """Those in flight end, or are given up, and none follows."""
    served.wait_until(lambda: not server.in_flight, JOB_MS / 1000)
    calls = len(server.log)
    time.sleep(2)
    assert len(server.log) == calls < PAIRS
    return calls


def test_a_run_is_paused_and_resumed_and_each_item_is_paid_for_once(
    profiles: BrowserProfiles,
    served: Stack,
    slow_server: ScriptedServer,
    release: str,
    tmp_path: Path,
) -> None:
    page = begin_run(profiles, served, slow_server, f"paused-{tmp_path.name}", release)
    wait_until_paid(served, slow_server, 12)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    calls = count_calls_at_rest(served, slow_server)
    assert all(one.is_paid for one in slow_server.log)
    page.reload()
    progress = page.get_by_role("region", name="Progress").get_by_role("status")
    expect(progress).to_contain_text(f"{calls} of {PAIRS} items")
    look(page)

    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Running", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Test items: scored")).to_be_visible(timeout=JOB_MS)
    expect(page.get_by_text(f"Answered: {PAIRS}", exact=True)).to_be_visible()
    assert len(slow_server.log) == PAIRS
    assert len({json.dumps(one.body["messages"]) for one in slow_server.log}) == PAIRS


def test_a_cancelled_run_makes_no_more_calls_and_submits_nothing(
    profiles: BrowserProfiles,
    served: Stack,
    slow_server: ScriptedServer,
    release: str,
    tmp_path: Path,
) -> None:
    name = f"cancelled-{tmp_path.name}"
    page = begin_run(profiles, served, slow_server, name, release)
    wait_until_paid(served, slow_server, 8)
    page.get_by_role("button", name="Cancel").click()
    dialog = page.get_by_role("dialog", name="Cancel this run?")
    dialog.get_by_role("button", name="Continue the run").click()
    wait_until_paid(served, slow_server, 12)
    page.get_by_role("button", name="Cancel").click()
    dialog.get_by_role("button", name="Cancel the run").click()
    expect(page.get_by_text("Cancelled", exact=True)).to_be_visible()
    for action in ("Resume", "Pause", "Cancel"):
        expect(page.get_by_role("button", name=action)).to_have_count(0)
    count_calls_at_rest(served, slow_server)
    page.reload()
    expect(page.get_by_text("Cancelled", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Result")).to_have_count(0)
    look(page)
    board = served.get_json(f"/api/v1/boards/{release}?split=test")
    assert board is None or name not in json.dumps(board)
