"""From a file of predictions to the board: its errors, its correction, its score, a comparison."""

import json
import secrets
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.client.installed_client import InstalledClient
from tests.e2e.browser_helpers import (
    TIMEOUT_MS,
    WAYS,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)
from tests.e2e.inputs import INPUTS, Input, Keyboard, choose_file
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import prediction_lines, write_source

RESEARCHER = "researcher@demo.example"
RELEASE = "journey-pairs"
PAIRS = 120
BOARD = f"/leaderboard/truthhypo?release={RELEASE}"


@pytest.fixture(scope="module", autouse=True)
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    folder = tmp_path_factory.mktemp("release")

    def prepare() -> None:
        source = write_source(folder, PAIRS)
        # One researcher submits in five journeys, and again where one is repeated.
        options = ("--name", RELEASE, "--queries", "50", "--queries-per-day", "20", "--open")
        served.manage("make_release", "truthhypo", str(source), *options)
        baseline = folder / "half.jsonl"
        baseline.write_text(prediction_lines(range(PAIRS), wrong=range(PAIRS // 2)))
        served.manage("submit", str(baseline), "--release", RELEASE, "--model", "Half right")

    served.prepare_once("release", prepare)
    return served


def make_token(way: Input, name: str) -> str:
    page = way.page
    way.press(page.get_by_role("button", name="Create a token"))
    dialog = page.get_by_role("dialog", name="Create a token")
    way.write(dialog.get_by_label("Name", exact=True), name)
    way.press(page.get_by_role("button", name="Create the token"))
    token = page.get_by_label("Token", exact=True).input_value()
    assert_accessible(page)
    way.press(page.get_by_role("button", name="Done"))
    return token


def drop_file(page: Page, file: Path) -> None:
    """As the browser gets a file that is dragged from a folder."""
    box = page.get_by_role("button", name="Choose a file").bounding_box()
    assert box is not None
    place = {"x": box["x"] + box["width"] + 20, "y": box["y"] + box["height"] / 2}
    dragged = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
    session = page.context.new_cdp_session(page)
    for step in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": step, **place, "data": dragged})


def look(page: Page) -> None:
    assert_fits(page)
    assert_accessible(page)


def write_bad_file(folder: Path) -> tuple[Path, list[str]]:
    """59 lines have another label than the release takes; also their places, as the page has
    them."""
    lines = prediction_lines(range(PAIRS), wrong=[5]).splitlines()
    path = folder / "predictions.jsonl"
    path.write_text("\n".join(line.replace("no_relation", "none") for line in lines))
    wrong = [number for number, line in enumerate(lines, start=1) if "no_relation" in line]
    return path, [f"line {number}, label" for number in wrong]


@WAYS
def test_a_researcher_corrects_a_bad_file_sees_it_scored_and_compared_and_withdraws_it(
    profiles: BrowserProfiles, tmp_path: Path, kind: str
) -> None:
    name = f"Journey model {tmp_path.name}"
    size = INPUTS[kind].size
    page = profiles.open_signed_in(RESEARCHER, "/account", size=size)
    way = INPUTS[kind](page)
    assert make_token(way, f"Upload {tmp_path.name}")
    page.goto(f"/submissions/new?release={RELEASE}")
    wait_until_loaded(page)
    bad, places = write_bad_file(tmp_path)
    choose_file(way, "Choose a file", bad)
    expect(page.get_by_text("The file has 59 errors.")).to_be_visible()
    expect(page.get_by_role("rowheader")).to_contain_text(places)
    submit = page.get_by_role("button", name="Submit for a score")
    expect(submit).to_be_disabled()
    look(page)

    good = tmp_path / "corrected.jsonl"
    good.write_text(prediction_lines(range(PAIRS), wrong=[5]))
    choose_file(way, "Choose a file", good)
    expect(page.get_by_text(f"It answers {PAIRS} of {PAIRS} items.")).to_be_visible()
    way.choose(page.get_by_label("Model", exact=True), "A new model")
    way.write(page.get_by_label("Name of the new model"), name)
    way.press(submit)
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.get_by_text("On the board.")).to_be_visible()
    scores = page.get_by_role("table", name="Scores")
    expect(scores.get_by_role("row", name="All items")).to_contain_text("99.2")
    look(page)
    compare_as_a_visitor(INPUTS[kind](profiles.open_page(BOARD, size=size)), name)
    withdraw(way, name)


def test_a_file_is_dragged_onto_the_page(profiles: BrowserProfiles, tmp_path: Path) -> None:
    page = profiles.open_signed_in(RESEARCHER, f"/submissions/new?release={RELEASE}")
    wait_until_loaded(page)
    bad, places = write_bad_file(tmp_path)
    drop_file(page, bad)
    expect(page.get_by_text("The file has 59 errors.")).to_be_visible()
    expect(page.get_by_role("rowheader")).to_contain_text(places)


def write_large_file(folder: Path) -> Path:
    """Of more than 16 MiB, most of them blanks between the members of an object.

    Its name is of this journey alone: others of the same person run beside it.
    """
    lines = prediction_lines(range(PAIRS), wrong=[7]).splitlines()
    path = folder / f"large-{secrets.token_hex(4)}.jsonl"
    path.write_text("".join(line.replace(",", "," + " " * 150_000, 1) + "\n" for line in lines))
    return path


def list_uploads(page: Page, name: str) -> list[dict[str, Any]]:
    """Those of a file; other journeys have their own."""
    listed = page.request.get("/api/v1/uploads").json()["results"]
    return [one for one in listed if one["name"] == name]


def wait_until_deleted(page: Page, name: str) -> None:
    limit = time.monotonic() + TIMEOUT_MS / 1000
    while list_uploads(page, name):
        assert time.monotonic() < limit, f"The upload of {name} is still there."
        page.wait_for_timeout(100)


@WAYS
def test_a_large_file_goes_on_after_a_lost_connection_and_leaves_no_upload(
    profiles: BrowserProfiles, tmp_path: Path, kind: str
) -> None:
    name = f"Large model {secrets.token_hex(4)}"
    address = f"/submissions/new?release={RELEASE}"
    page = profiles.open_signed_in(RESEARCHER, address, size=INPUTS[kind].size)
    way = INPUTS[kind](page)
    wait_until_loaded(page)
    blocked: list[Route] = []
    offsets: list[str] = []

    def block_the_second(route: Route) -> None:
        if route.request.method == "PATCH":
            offsets.append(route.request.headers["upload-offset"])
            if len(offsets) == 2:
                blocked.append(route)
                return
        route.continue_()

    page.route("**/api/v1/uploads/*", block_the_second)
    file = write_large_file(tmp_path)
    choose_file(way, "Choose a file", file)
    progress = page.get_by_role("progressbar", name="Sent")
    expect(progress).to_have_attribute("aria-valuenow", str(4 << 20))
    look(page)
    [upload] = list_uploads(page, file.name)
    assert upload["offset"] == 4 << 20
    blocked[0].abort("connectionreset")
    expect(page.get_by_text(f"It answers {PAIRS} of {PAIRS} items.")).to_be_visible()
    assert offsets == [str(part << 22) for part in (0, 1, 1, 2, 3, 4)]
    look(page)

    way.choose(page.get_by_label("Model", exact=True), "A new model")
    way.write(page.get_by_label("Name of the new model"), name)
    way.press(page.get_by_role("button", name="Submit for a score"))
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.get_by_text("On the board.")).to_be_visible()
    scores = page.get_by_role("table", name="Scores")
    expect(scores.get_by_role("row", name="All items")).to_contain_text("99.2")
    assert len(offsets) == 6  # sent once, to be checked and to be submitted
    wait_until_deleted(page, file.name)
    withdraw(way, name)


@pytest.mark.parametrize("leaves", ["chooses another file", "follows a link", "closes the page"])
def test_what_was_sent_of_a_file_is_deleted_where_the_researcher(
    profiles: BrowserProfiles, tmp_path: Path, leaves: str
) -> None:
    page = profiles.open_signed_in(RESEARCHER, f"/submissions/new?release={RELEASE}")
    wait_until_loaded(page)
    way = Keyboard(page)
    file = write_large_file(tmp_path)
    choose_file(way, "Choose a file", file)
    expect(page.get_by_text(f"It answers {PAIRS} of {PAIRS} items.")).to_be_visible()
    assert len(list_uploads(page, file.name)) == 1
    other = profiles.open_signed_in(RESEARCHER, "/submissions")
    if leaves == "chooses another file":
        choose_file(way, "Choose a file", write_bad_file(tmp_path)[0])
        expect(page.get_by_text("The file has 59 errors.")).to_be_visible()
    elif leaves == "follows a link":
        page.get_by_role("link", name="Submissions").first.click()
        expect(page.get_by_role("heading", level=1, name="Submissions")).to_be_visible()
    else:
        page.close(run_before_unload=True)
    wait_until_deleted(other, file.name)


def compare_as_a_visitor(way: Input, name: str) -> None:
    for entry in (name, "Half right"):
        way.check(way.page.get_by_role("checkbox", name=f"Compare {entry}"))
    comparison = way.page.get_by_role("table", name=f"{name} minus Half right")
    expect(comparison.get_by_role("row").filter(has_text="All items")).to_contain_text("49.2")
    look(way.page)


def withdraw(way: Input, name: str) -> None:
    page = way.page
    way.press(page.get_by_role("button", name="Withdraw", exact=True))
    dialog = page.get_by_role("dialog", name="Withdraw this submission?")
    way.write(dialog.get_by_label("Reason"), "A wrong file.")
    look(page)
    way.press(dialog.get_by_role("button", name="Withdraw it"))
    expect(page.get_by_text("This submission was withdrawn.")).to_be_visible()
    expect(page.get_by_role("button", name="Withdraw", exact=True)).to_be_hidden()
    page.goto(BOARD)
    title = f"{RELEASE}, evaluated here"
    # A table, or on a phone a list.
    board = page.get_by_role("table", name=title).or_(page.get_by_role("list", name=title))
    expect(board).to_contain_text("Half right")
    expect(board).not_to_contain_text(name)


def test_a_program_submits_with_a_token(
    profiles: BrowserProfiles, served: Stack, installed_client: InstalledClient, tmp_path: Path
) -> None:
    page = profiles.open_signed_in(RESEARCHER, "/account")
    token_name, model = f"Journey {tmp_path.name}", f"Program {tmp_path.name}"
    token = make_token(Keyboard(page), token_name)

    def run(*words: str, status: int = 0) -> Any:
        access = ["--url", served.url, "--token", token, "--json"]
        ran = installed_client.run("serendib", *words, *access, cwd=tmp_path)
        assert ran.returncode == status, ran.stdout + ran.stderr
        return json.loads(ran.stdout)

    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text(prediction_lines(range(PAIRS - 1)))
    bad.write_text(good.read_text().replace("no_relation", "none"))
    run("fetch", RELEASE, "--output", "release")
    slug = run("register", model)["slug"]
    here = run("validate", "bad.jsonl", "--track", "truthhypo", "--items", "release", status=1)
    submit = ["--release", RELEASE, "--model", slug]
    there = run("submit", "bad.jsonl", *submit, status=1)
    assert (here["total"], here["faults"]) == (there["total"], there["faults"])
    checked = run("validate", "good.jsonl", "--release", RELEASE)
    assert (checked["is_valid"], checked["answered"], checked["items"]) == (True, 119, 120)

    visitor = profiles.open_page(BOARD)
    expect(visitor.get_by_role("row").filter(has_text="Half right")).to_be_visible()
    row = visitor.get_by_role("row").filter(has_text=model)
    expect(row).to_have_count(0)
    sent = run("submit", "good.jsonl", *submit, "--cost-usd", "0.5")
    page.goto(f"{served.url}/submissions/{sent['id']}")
    expect(page.get_by_role("heading", level=1, name=model)).to_be_visible()
    expect(page.get_by_text("On the board.")).to_be_visible()
    expect(row).to_be_visible()  # without a reload
    assert run("follow", sent["id"])["predictions_digest"] == checked["digest"]
    assert run("withdraw", sent["id"])["state"] == "withdrawn"
    expect(row).to_have_count(0)

    page.goto(f"{served.url}/account")
    table, revoke = page.get_by_role("table", name="Your tokens"), f"Revoke {token_name}"
    expect(table).to_be_visible()
    assert table.evaluate("table => table.offsetWidth <= table.parentElement.clientWidth")
    page.get_by_role("button", name=revoke).click()
    page.get_by_role("button", name="Revoke it").click()
    expect(page.get_by_role("row").filter(has_text=token_name)).to_contain_text("revoked")
    assert run("models", status=2)["error"]["code"] == "invalid_token"
