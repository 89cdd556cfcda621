"""An agent walks a masked graph by MCP and submits: the how-to as it is printed, then its pages."""

import json
import os
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.client.installed_client import InstalledClient
from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)
from tests.e2e.stack import ROOT, Stack
from tests.e2e.test_tutorials import CREATE_TOKEN, command_blocks, run_block
from tests.evaluation.serenqa_files import demo_questions, partitions

RESEARCHER = "researcher@demo.example"
HOW_TO = ROOT / "docs" / "how-to" / "let-an-agent-walk.md"
RELEASE = "journey-walk"


@pytest.fixture(scope="module")
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("walk")

    def prepare() -> None:
        questions, splits = folder / "questions.json", folder / "partitions.json"
        questions.write_text(json.dumps(demo_questions()))
        splits.write_text(json.dumps(partitions(demo_questions())))
        files = (str(questions), str(splits), "--graph", "drug-repurposing-demo")
        masked = ("--masked-by", "expert", "--test-share", "0.5")
        served.manage("make_release", "serenqa-retrieval", *files, "--name", RELEASE, *masked)
        served.manage("release_graph", RELEASE)
        served.manage("shell", "--verbosity", "0", "--command", OPEN_RELEASE)

    served.prepare_once("walk", prepare)
    return RELEASE


OPEN_RELEASE = f"""
from backend.benchmarks.models import Release
from backend.benchmarks.release_states import change_release_state
release = Release.objects.get(slug="{RELEASE}")
change_release_state(actor=None, release=release, to=Release.State.OPEN)
"""


def test_an_agent_walks_by_mcp_and_submits_and_its_route_is_read_and_replayed(
    profiles: BrowserProfiles,
    served: Stack,
    installed_client: InstalledClient,
    release: str,
    tmp_path: Path,
) -> None:
    name = f"Walker {tmp_path.name}"
    token = served.manage("shell", "--verbosity", "0", "--command", CREATE_TOKEN).strip()
    access = ("--url", served.url, "--token", token, "--json")
    registered = installed_client.run("serendib", "register", name, *access, cwd=tmp_path)
    programs = (Path(sys.executable).parent, installed_client.python.parent)
    variables = {
        "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
        "SERENDIB_URL": served.url,
        "SERENDIB_TOKEN": token,
        "SERENDIB_RELEASE": release,
        "SERENDIB_MODEL": json.loads(registered.stdout)["slug"],
        "SERENDIB_PLUGINS": "",
    }
    printed = ""
    for block in command_blocks(HOW_TO):
        ran = run_block(block, served, tmp_path, variables)
        assert ran.returncode == 0, f"{block}\n{ran.stdout}\n{ran.stderr}"
        printed += ran.stdout
    assert "Scored." in printed and "tool calls." in printed
    session = (tmp_path / "walk" / "session").read_text()
    replayed = json.loads(served.manage("replay_session", session, "--json").splitlines()[-1])
    assert replayed["same"] == replayed["calls"] > 10
    assert replayed["others"] == []

    page = profiles.open_signed_in(RESEARCHER, "/submissions")
    page.get_by_role("link", name=name).click()
    expect(page.get_by_role("table", name="Scores")).to_be_visible()
    page.get_by_role("link", name=f"Made with {replayed['calls']:,} tool calls").click()
    expect(page.get_by_role("heading", level=1, name="Tool calls")).to_be_visible()
    calls = page.get_by_role("table", name="Calls")
    expect(calls.get_by_role("row").filter(has_text="graph_schema")).to_have_count(1)
    assert calls.get_by_role("row").filter(has_text="search").count() > 3
    calls.get_by_role("row").filter(has_text="graph_schema").locator("summary").click()
    expect(page.get_by_role("region", name="Result of call 1")).to_contain_text("edge_kinds_total")
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        wait_until_loaded(page)
        assert_fits(page)
    assert_accessible(page)
    page.emulate_media(color_scheme="dark")
    assert_accessible(page)

    visitor = profiles.open_page(f"/tool-sessions/{session}")
    expect(visitor.get_by_role("table", name="Calls")).to_have_count(0)
