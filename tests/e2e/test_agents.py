"""An agent walks a masked graph by MCP and submits: the how-to as it is printed, then its pages.

Its walk is followed like a run: live, replayed, and by the link that its owner shares.
"""

import json
import os
import re
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

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


@dataclass(frozen=True)
class Agent:
    """A program with a token, and the name of its model."""

    served: Stack
    token: str
    name: str
    model: str

    def send(self, path: str, body: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        address = f"{self.served.url}/api/v1{path}"
        return httpx.post(address, json=body, headers=headers, timeout=60).raise_for_status().json()

    def call(self, session: str, tool: str, **arguments: object) -> Any:
        path = f"/tool-sessions/{session}/calls"
        return self.send(path, {"tool": tool, "arguments": arguments})["result"]


@pytest.fixture
def agent(served: Stack, installed_client: InstalledClient, tmp_path: Path) -> Agent:
    name = f"Walker {uuid.uuid4().hex[:8]}"
    token = served.manage("shell", "--verbosity", "0", "--command", CREATE_TOKEN).strip()
    access = ("--url", served.url, "--token", token, "--json")
    registered = installed_client.run("serendib", "register", name, *access, cwd=tmp_path)
    return Agent(served, token, name, json.loads(registered.stdout)["slug"])


def follow_how_to(agent: Agent, client: InstalledClient, release: str, folder: Path) -> str:
    """The session of the calls."""
    programs = (Path(sys.executable).parent, client.python.parent)
    variables = {
        "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
        "SERENDIB_URL": agent.served.url,
        "SERENDIB_TOKEN": agent.token,
        "SERENDIB_RELEASE": release,
        "SERENDIB_MODEL": agent.model,
        "SERENDIB_PLUGINS": "",
    }
    printed = ""
    for block in command_blocks(HOW_TO):
        ran = run_block(block, agent.served, folder, variables)
        assert ran.returncode == 0, f"{block}\n{ran.stdout}\n{ran.stderr}"
        printed += ran.stdout
    assert "Scored." in printed and "tool calls." in printed
    return (folder / "walk" / "session").read_text()


def look(page: Page) -> None:
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        wait_until_loaded(page)
        assert_fits(page)
        assert_accessible(page)
    page.set_viewport_size(DESKTOP)


def read_audit(page: Page) -> None:
    calls = page.get_by_role("table", name="Calls")
    expect(calls.get_by_role("row").filter(has_text="graph_schema")).to_have_count(1)
    assert calls.get_by_role("row").filter(has_text="search").count() > 3
    calls.get_by_role("row").filter(has_text="graph_schema").locator("summary").click()
    expect(page.get_by_role("region", name="Result of call 1")).to_contain_text("edge_kinds_total")


def replay(page: Page) -> str:
    """By the keyboard from the start to the first search; its arguments."""
    slider_of(page).focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("No tool was called yet.")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("article", name="Call 1", exact=True)).to_contain_text("graph_schema")
    page.get_by_role("button", name="One call on").click()
    expect(page).to_have_url(re.compile(r"[?]level=2$"))
    second = page.get_by_role("article", name="Call 2", exact=True)
    expect(second).to_contain_text("search")
    return second.locator("code").inner_text()


def slider_of(page: Page) -> Locator:
    return page.get_by_role("slider", name="Step of the walk")


def copy_link(page: Page) -> str:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_attached()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_an_agent_walks_by_mcp_and_submits_and_its_walk_is_replayed_and_sent_by_a_visitor(
    profiles: BrowserProfiles,
    served: Stack,
    installed_client: InstalledClient,
    release: str,
    agent: Agent,
    tmp_path: Path,
) -> None:
    session = follow_how_to(agent, installed_client, release, tmp_path)
    replayed = json.loads(served.manage("replay_session", session, "--json").splitlines()[-1])
    assert replayed["same"] == replayed["calls"] > 10
    assert replayed["others"] == []

    page = profiles.open_signed_in(RESEARCHER, "/submissions")
    page.get_by_role("link", name=agent.name).click()
    expect(page.get_by_role("table", name="Scores")).to_be_visible()
    submission = page.url.rpartition("/")[2]
    page.get_by_role("link", name=f"Made with {replayed['calls']:,} tool calls").click()
    expect(page.get_by_role("heading", level=1, name="Tool calls")).to_be_visible()
    read_audit(page)
    look(page)
    hidden = profiles.open_page(f"/tool-sessions/{session}")
    expect(hidden.get_by_text("This session does not exist")).to_be_visible()
    expect(hidden.get_by_role("table", name="Calls")).to_have_count(0)

    page.get_by_role("button", name="Share with everybody").click()
    expect(page.get_by_text("Everybody reads these calls.")).to_be_visible()
    served.wait_until(lambda: served.get_json(f"/api/v1/results/{submission}") is not None)
    visitor = profiles.open_page(f"/results/{submission}")
    visitor.get_by_role("link", name=f"Made with {replayed['calls']:,} tool calls").click()
    second = replay(visitor)
    expect(visitor.get_by_role("button", name="Stop sharing")).to_have_count(0)
    look(visitor)
    visitor.emulate_media(color_scheme="dark")
    assert_accessible(visitor)
    colleague = profiles.open_page(copy_link(visitor).removeprefix(served.url))
    expect(colleague.get_by_role("article", name="Call 2", exact=True)).to_contain_text(second)
    expect(slider_of(colleague)).to_have_value("2")

    page.get_by_role("button", name="Stop sharing").click()
    expect(page.get_by_role("button", name="Share with everybody")).to_be_visible()
    colleague.reload()
    expect(colleague.get_by_text("This session does not exist")).to_be_visible()


def test_the_owner_of_a_session_follows_each_call_while_an_agent_walks(
    profiles: BrowserProfiles, release: str, agent: Agent
) -> None:
    session = agent.send(f"/releases/{release}/tool-sessions", {})["id"]
    page = profiles.open_signed_in(RESEARCHER, f"/tool-sessions/{session}")
    expect(page.get_by_text("No tool was called in this session yet.")).to_be_visible()
    expect(page.get_by_text("updates live")).to_be_visible()
    (hit,) = agent.call(session, "search", query="aspirin", limit=1)["hits"]
    expect(slider_of(page)).to_have_attribute("aria-valuetext", "call 1 of 1")
    agent.call(session, "neighbours", id=hit["entity"]["id"], limit=5)
    expect(slider_of(page)).to_have_attribute("aria-valuetext", "call 2 of 2")
    step = page.get_by_role("article", name="Call 2", exact=True)
    expect(step).to_contain_text(f"About {hit['entity']['name']}.")
    page.get_by_role("button", name="One call back").click()
    expect(page.get_by_role("article", name="Call 1", exact=True)).to_contain_text("Later calls")
    agent.send(f"/tool-sessions/{session}/close", {})
