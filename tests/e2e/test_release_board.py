"""A visitor reads a board and compares two models, with the keyboard and on a phone."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.browser_helpers import (
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    bottom_of,
    end_of_first_screen,
    tab_to,
)
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import prediction_lines, write_source

RELEASE = "visited-pairs"
PAIRS = 120
MODELS = {"Aurora 70B": 20, "Meridian": 22, "Half right": 60}
BOARD = f"/leaderboard/truthhypo?release={RELEASE}"
TITLE = "Aurora 70B minus Half right"


@pytest.fixture(scope="module", autouse=True)
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    folder = tmp_path_factory.mktemp("release")

    def prepare() -> None:
        source = write_source(folder, PAIRS)
        served.manage("make_release", "truthhypo", str(source), "--name", RELEASE, "--open")
        for name, wrong in MODELS.items():
            file = folder / "predictions.jsonl"
            file.write_text(prediction_lines(range(PAIRS), wrong=range(wrong)))
            served.manage("submit", str(file), "--release", RELEASE, "--model", name)

    served.prepare_once("visited release", prepare)
    return served


def open_board(profiles: BrowserProfiles, **how: object) -> Page:
    page = profiles.open_page(BOARD, **how)
    expect(page.get_by_text("Aurora 70B").first).to_be_visible()
    return page


def test_a_visitor_compares_two_models_by_keyboard(profiles: BrowserProfiles) -> None:
    page = open_board(profiles)
    table = page.get_by_role("table", name=f"{RELEASE}, evaluated here")
    expect(table.get_by_role("row").nth(1)).to_contain_text("83.3")
    for name in ("Aurora 70B", "Half right"):
        tab_to(page, page.get_by_role("checkbox", name=f"Compare {name}"))
        page.keyboard.press("Space")
    comparison = page.get_by_role("table", name=TITLE)
    expect(comparison.get_by_role("row").filter(has_text="All items")).to_contain_text("33.3")
    expect(page.get_by_text("Aurora 70B is better than Half right in accuracy")).to_be_visible()
    expect(page.get_by_text("neighbours on the board are tied")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    colleague = profiles.open_page(page.url, theme="dark")
    expect(colleague.get_by_role("table", name=TITLE)).to_be_visible()
    assert_accessible(colleague)


def test_a_board_is_sorted_and_searched_in_its_address(profiles: BrowserProfiles) -> None:
    page = open_board(profiles)
    table = page.get_by_role("table", name=f"{RELEASE}, evaluated here")
    head = table.get_by_role("columnheader", name="Accuracy", exact=True)
    for order in ("descending", "ascending"):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", order)
    expect(table.get_by_role("row").nth(1)).to_contain_text("Half right")
    page.get_by_label("Find a model").fill("meri")
    expect(table.get_by_role("row")).to_have_count(2)
    expect(page).to_have_url(re.compile("by=relation_accuracy.*text=meri"))
    page.reload()
    expect(table.get_by_role("row")).to_have_count(2)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name="CSV").click()
    assert waiting.value.suggested_filename == f"{RELEASE}-test.csv"


def test_a_visitor_on_a_phone_compares_and_reads_a_result(profiles: BrowserProfiles) -> None:
    page = open_board(profiles, size=PHONE)
    cards = page.get_by_role("list", name=f"{RELEASE}, evaluated here")
    expect(cards.get_by_role("listitem").first).to_contain_text("83.3")
    assert bottom_of(cards.get_by_role("listitem").first) < end_of_first_screen(page)
    page.get_by_text("Items, order, filter and export").tap()
    page.get_by_role("combobox", name="Order by").select_option(label="Model")
    page.wait_for_url(re.compile("by=model"))
    page.reload()
    expect(page.get_by_role("combobox", name="Order by")).to_have_value("model")
    for name in ("Aurora 70B", "Half right"):
        page.get_by_role("checkbox", name=f"Compare {name}").press("Space")
    expect(page.get_by_role("table", name=TITLE)).to_be_visible()
    page.get_by_text("Charts of these entries").tap()
    expect(page.get_by_role("heading", name="Accuracy against cost")).to_be_visible()
    assert_fits(page)
    assert_accessible(page)
    cards.get_by_role("link", name="Aurora 70B").click()
    expect(page.get_by_role("heading", level=1, name="Aurora 70B")).to_be_visible()
    expect(page.get_by_label("BibTeX", exact=True)).to_have_value(re.compile("^@misc"))
    assert_fits(page)
    assert_accessible(page)
    page.get_by_role("link", name="All results of Aurora 70B").click()
    results = page.get_by_role("table", name="Results of Aurora 70B, evaluated here")
    expect(results).to_contain_text("83.3")
    assert_fits(page)
    assert_accessible(page)
    page.get_by_role("link", name="Models", exact=True).click()
    expect(page.get_by_role("table", name="Models by tracks")).to_contain_text("Aurora 70B")
    assert_fits(page)
    assert_accessible(page)


@contextmanager
def other_site(framed: str) -> Iterator[str]:
    """The address of a page of another origin, with a frame."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<iframe src="{framed}" title="Board"></iframe>'.encode())

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_only_the_embedded_board_stands_in_a_page_of_another_site(
    profiles: BrowserProfiles, served: Stack
) -> None:
    with other_site(f"{served.url}/embed/board/{RELEASE}") as address:
        page = profiles.new_profile().new_page()
        page.goto(address)
        frame = page.frame_locator("iframe")
        expect(frame.get_by_role("table")).to_contain_text("Aurora 70B")
    with other_site(f"{served.url}{BOARD}") as address:
        with page.expect_event("requestfailed", Request.is_navigation_request) as blocked:
            page.goto(address)
        assert blocked.value.failure == "net::ERR_BLOCKED_BY_RESPONSE"
        expect(frame.get_by_role("table")).to_have_count(0)
