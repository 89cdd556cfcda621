"""A guided exploration is followed while it runs, replayed, and its link is opened by a visitor."""

import json
import re
from collections.abc import Iterator
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
from tests.evaluation.rule_player import RulePlayer
from tests.evaluation.serenqa_files import demo_questions, partitions
from tests.llm.scripted_server import ScriptedServer

RESEARCHER = "researcher@demo.example"
RELEASE = "journey-watch"
TASK = "serenqa-exploration-guided"
PRICE = "$1.00 in and $2.00 out for a million tokens"
QUICK, SLOW = RulePlayer(nodes=6, relations=4), RulePlayer(nodes=6, relations=4, slow_s=0.8)


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(QUICK) as server:
        yield server


@pytest.fixture(scope="module")
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("watch")

    def prepare() -> None:
        questions, splits = folder / "questions.json", folder / "partitions.json"
        few = demo_questions()[:10]
        questions.write_text(json.dumps(few))
        splits.write_text(json.dumps(partitions(few)))
        files = (str(questions), str(splits), "--graph", "drug-repurposing-demo")
        shares = ("--partition", "expert", "--test-share", "0.5")
        served.manage("make_release", "serenqa-exploration", *files, "--name", RELEASE, *shares)
        served.manage("release_graph", RELEASE, "--method", "expert")
        served.manage("shell", "--verbosity", "0", "--command", OPEN_RELEASE)
        served.manage("run_baseline", "degree", "--release", RELEASE)

    served.prepare_once("watch", prepare)
    return RELEASE


OPEN_RELEASE = f"""
from backend.benchmarks.models import Release
from backend.benchmarks.release_states import change_release_state
release = Release.objects.get(slug="{RELEASE}")
change_release_state(actor=None, release=release, to=Release.State.OPEN)
"""


def look(page: Page) -> None:
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        wait_until_loaded(page)
        assert_fits(page)
        assert_accessible(page)
    page.set_viewport_size(DESKTOP)


def start_run(page: Page, server: ScriptedServer, name: str, endpoint: str) -> None:
    page.get_by_label("Endpoint").select_option(label=f"{endpoint}: scripted, {PRICE}")
    page.get_by_label("Model on the board").select_option(label="A new model")
    page.get_by_label("Name of the new model").fill(name)
    page.get_by_label("Items", exact=True).select_option(label="Of the dev split")
    page.get_by_label("Entities of a level").fill("6")
    page.get_by_role("button", name="Answer five sample items").click()
    expect(page.get_by_role("region", name="Estimate")).to_be_visible(timeout=JOB_MS)
    server.script = SLOW
    page.get_by_label("Budget in US dollars").fill("5.00")
    page.get_by_role("button", name="Answer all items").click()


def follow_to_its_end(page: Page, server: ScriptedServer) -> None:
    """A root that has begun and has not ended."""
    under_way = page.get_by_role("listitem").filter(has_text=re.compile("At level [123]"))
    under_way.get_by_role("link").first.click(timeout=JOB_MS)
    slider = page.get_by_role("slider", name="Step of the walk")
    expect(page.get_by_text("updates live")).to_be_visible()
    expect(slider).to_have_attribute("aria-valuetext", "level 3 of 3", timeout=JOB_MS)
    server.script = QUICK
    expect(page.get_by_text("All levels", exact=True)).to_be_visible(timeout=JOB_MS)
    expect(page.get_by_role("table", name="Paths, the strongest first")).to_be_visible()


def replay(page: Page) -> str:
    """By the keyboard, then by itself; what was chosen at level 2, where it ends."""
    page.get_by_role("slider", name="Step of the walk").focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("Nothing was offered yet.")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    level = page.get_by_role("article", name="Level 2")
    expect(level).to_contain_text("Why: Rule.")
    expect(page).to_have_url(re.compile(r"[?]level=2$"))
    chosen = level.get_by_text("Chosen: ").inner_text()
    page.emulate_media(reduced_motion="reduce", color_scheme="dark")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("article", name="Level 3")).to_be_visible()
    look(page)
    page.emulate_media(reduced_motion="no-preference", color_scheme="light")
    page.get_by_role("button", name="One level back").click()
    expect(page).to_have_url(re.compile(r"[?]level=2$"))
    return chosen


def download(page: Page, name: str) -> str:
    with page.expect_download() as file:
        page.get_by_text(name, exact=True).click()
    return Path(file.value.path()).read_text()


def compare_strategies(page: Page, name: str) -> None:
    """The run beside the baseline, on the board of the dev items; then the other way round."""
    page.goto(f"/leaderboard/serenqa-exploration?release={RELEASE}&split=dev")
    section = page.get_by_role("region", name="Strategies of exploration")
    runs = section.get_by_role("row").filter(has=page.get_by_role("link", name=name))
    expect(runs).to_contain_text("m 5, k 10, n 6, h 3")
    baseline = section.get_by_role("row").filter(has_text="Baseline")
    reference = section.get_by_label("Reference")
    degree = baseline.get_by_role("link").inner_text()
    for label, one, other in ((degree, baseline, runs), (name, runs, baseline)):
        reference.select_option(label=label)
        expect(one).to_contain_text("reference")
        expect(other).to_contain_text(re.compile(r"[+-]\d|0\.000"))
    section.scroll_into_view_if_needed()
    look(page)
    page.reload()
    expect(runs).to_contain_text("reference")


def test_a_run_is_watched_and_replayed_and_its_link_shows_a_visitor_the_same_level(
    profiles: BrowserProfiles, served: Stack, server: ScriptedServer, release: str, tmp_path: Path
) -> None:
    name, endpoint = f"Watched {tmp_path.name}", f"watched {tmp_path.name}"
    served.manage(
        *("add_endpoint", endpoint, "--url", server.url, "--model", "scripted", "--private"),
        *("--price-in", "1", "--price-out", "2", "--usable-by", "everyone", "--may-publish"),
    )
    page = profiles.open_signed_in(RESEARCHER, f"/releases/{release}/run?task={TASK}")
    start_run(page, server, name, endpoint)
    follow_to_its_end(page, server)
    look(page)
    chosen = replay(page)
    svg = download(page, "Figure (SVG)")
    assert svg.startswith("<svg") and "level 2 of 3" in svg and name in svg
    assert len(json.loads(download(page, "Trajectory (JSON)"))["levels"]) == 3

    link = page.url
    page.get_by_role("link", name=name).first.click()
    expect(page.get_by_role("link", name="Dev items: scored")).to_be_visible(timeout=JOB_MS)
    visitor = profiles.open_page(link.removeprefix(served.url))
    expect(visitor.get_by_role("article", name="Level 2")).to_contain_text(chosen)
    expect(visitor.get_by_role("slider")).to_have_attribute("aria-valuetext", "level 2 of 3")
    expect(visitor.get_by_role("columnheader", name="Hit")).to_be_visible()
    look(visitor)
    compare_strategies(visitor, name)
