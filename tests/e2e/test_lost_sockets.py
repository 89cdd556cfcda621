"""A page whose socket is lost, while the server goes on: it reconnects and reads what it missed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.e2e.browser_helpers import BrowserProfiles
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import prediction_lines, write_source

RESEARCHER = "researcher@demo.example"
RELEASE, PAIRS = "lost-sockets", 60
LOST = re.compile("^(reconnecting|checking every 15 s)$")


class SocketLine:
    """Between a page and the server's sockets of a path; it can be cut for a while."""

    def __init__(self, page: Page, path: re.Pattern[str]) -> None:
        self.page, self.is_cut = page, False
        self.connected: list[WebSocketRoute] = []
        page.route_web_socket(path, self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.is_cut:
            socket.close()
        else:
            socket.connect_to_server()
            self.connected.append(socket)

    def cut(self) -> None:
        self.is_cut = True
        self.connected[-1].close()

    def restore(self) -> None:
        """Until the page has connected again."""
        before, self.is_cut = len(self.connected), False
        wait_until(self.page, lambda: len(self.connected) > before)


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """While the page goes on; the test's own time limit ends it."""
    for _ in range(600):
        if condition():
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{page.url} waited in vain")


@pytest.fixture
def release(stack: Stack, tmp_path: Path) -> Stack:
    def prepare() -> None:
        source = write_source(tmp_path, PAIRS)
        stack.manage("make_release", "truthhypo", str(source), "--name", RELEASE, "--open")
        submit_by_command(stack, tmp_path, "First entry", wrong=30)

    stack.prepare_once("release of lost sockets", prepare)
    return stack


def submit_by_command(stack: Stack, folder: Path, model: str, wrong: int) -> None:
    file = folder / "predictions.jsonl"
    file.write_text(prediction_lines(range(PAIRS), wrong=range(wrong)))
    stack.manage("submit", str(file), "--release", RELEASE, "--model", model)


def read_board(stack: Stack) -> dict[str, Any]:
    board = stack.get_json(f"/api/v1/boards/{RELEASE}")
    assert board is not None
    return board


class StaleReads:
    """Reads of an address are answered as at first, until they are no longer held: what a page
    reads by itself meanwhile has nothing new in it."""

    def __init__(self, page: Page, path: re.Pattern[str]) -> None:
        self.is_holding, self._first = False, ""
        page.route(path, self._answer)

    def _answer(self, route: Route) -> None:
        if self.is_holding:
            route.fulfill(body=self._first, content_type="application/json")
            return
        answer = route.fetch()
        self._first = answer.text()
        route.fulfill(response=answer)


def test_a_board_whose_socket_was_lost_shows_the_entry_of_meanwhile_once_it_has_reconnected(
    release: Stack, profiles: BrowserProfiles, tmp_path: Path
) -> None:
    page = profiles.new_profile().new_page()
    line = SocketLine(page, re.compile(rf"/ws/boards/{RELEASE}$"))
    reads = StaleReads(page, re.compile(rf"/api/v1/boards/{RELEASE}\?"))
    page.goto(f"/leaderboard/truthhypo?release={RELEASE}")
    table = page.get_by_role("table", name=f"{RELEASE}, evaluated here")
    expect(table).to_contain_text("First entry")
    expect(page.get_by_text("updates live", exact=True)).to_be_visible()
    line.cut()
    reads.is_holding = True
    expect(page.get_by_text(LOST)).to_be_visible()
    name, entries = f"Entry of {tmp_path.name}", read_board(release)["entries"]
    submit_by_command(release, tmp_path, name, wrong=10)
    wait_until(page, lambda: read_board(release)["entries"] > entries)
    expect(table).not_to_contain_text(name)
    line.restore()
    # A live page reads nothing by itself, so that this comes of the reconnection.
    reads.is_holding = False
    expect(table).to_contain_text(name)
    expect(page.get_by_text("updates live", exact=True)).to_be_visible()


@pytest.mark.disrupts
def test_a_submission_whose_socket_was_lost_is_followed_to_its_score(
    stack: Stack, release: Stack, profiles: BrowserProfiles, tmp_path: Path
) -> None:
    page = profiles.open_signed_in(RESEARCHER, f"/submissions/new?release={RELEASE}")
    line = SocketLine(page, re.compile("/ws/jobs"))
    file = tmp_path / "predictions.jsonl"
    file.write_text(prediction_lines(range(PAIRS), wrong=[5]))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(file)
    page.get_by_label("Model", exact=True).select_option(label="A new model")
    page.get_by_label("Name of the new model").fill(f"Model of {tmp_path.name}")
    stack.pause("worker")
    try:
        page.get_by_role("button", name="Submit for a score").click()
        expect(page.get_by_text(re.compile("^Waiting for a worker"))).to_be_visible()
        wait_until(page, lambda: bool(line.connected))
        line.cut()
        line.restore()
    finally:
        stack.resume("worker")
    expect(page.get_by_text("On the board.")).to_be_visible()
