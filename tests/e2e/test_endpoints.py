"""An endpoint from its form to a researcher's list, and the costs of a run at it.

The scripted server stands for a provider of models.
"""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    JOB_MS,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
    tab_to,
    wait_until_loaded,
)
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import label_of, pair_of, write_source
from tests.llm.scripted_server import Scripted, ScriptedServer

ADMINISTRATOR = "administrator@demo.example"
RESEARCHER = "researcher@demo.example"
RELEASE = "journey-costs"
PAIRS = 24
TABLET: ViewportSize = {"width": 768, "height": 1024}
CANARY = "journey-canary-8c3e51"  # a key that must be shown nowhere


def answer(body: dict[str, Any], number: int) -> Scripted:
    """The pairs of the release with their labels; what a probe requests, with words."""
    try:
        pair = int(pair_of(body).removeprefix("Chemical|C"))
    except (ValueError, StopIteration):
        return Scripted(text="It does, and two sentences state why.")
    return Scripted(text=json.dumps({"rationale": "It is scripted.", "label": label_of(pair)}))


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(answer) as server:
        yield server


def look(page: Page) -> None:
    """At phone, tablet and desktop: it fits, and axe finds nothing."""
    for size in (PHONE, TABLET, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_truncated(page)
        assert_accessible(page)


def fill_in(page: Page, **values: str) -> None:
    for label, text in values.items():
        page.get_by_label(label, exact=True).fill(text)


def add_by_form(page: Page, server: ScriptedServer, name: str) -> None:
    """First without the mark of a private address, which is refused next to the field."""
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Endpoints").click()
    page.get_by_role("link", name="Add an endpoint").first.click()
    fill_in(page, Name=name, Address=server.url, Model="scripted")
    page.get_by_text("A new key, stored here").click()
    page.get_by_label("Key", exact=True).last.fill(CANARY)
    page.get_by_role("button", name="Add the endpoint").click()
    address = page.get_by_label("Address")
    expect(address).to_have_accessible_description(re.compile("mark the endpoint as private"))
    look(page)
    private = page.get_by_role("checkbox", name=re.compile("^The server is in a private network"))
    private.focus()
    page.keyboard.press("Space")
    tab_to(page, page.get_by_role("button", name="Add the endpoint"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    look(page)


def set_price(page: Page) -> None:
    """By keys alone; until then nothing can be probed."""
    expect(page.get_by_role("button", name="Probe now")).to_be_disabled()
    page.get_by_role("link", name="Set the price").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name=re.compile("^The stored key"))).to_be_checked()
    tab_to(page, page.get_by_label("Tokens in"))
    page.keyboard.type("1.5")
    page.keyboard.press("Tab")
    page.keyboard.type("6")
    look(page)
    page.get_by_label("Tokens out").press("Enter")
    expect(page.get_by_text("$1.50 in and $6.00 out")).to_be_visible()


def probe(page: Page, server: ScriptedServer) -> None:
    page.get_by_role("button", name="Probe now").click()
    expect(page.get_by_text(re.compile(r"^Probed at .* \d of 6 checks passed"))).to_be_visible(
        timeout=JOB_MS
    )
    schema = page.get_by_role("row", name=re.compile("^Follows a strict JSON schema"))
    expect(schema).to_contain_text("No")
    repeats = page.get_by_role("row", name=re.compile("^Repeats its answer"))
    expect(repeats).to_contain_text("Yes")
    assert {one.headers["authorization"] for one in server.log} == {f"Bearer {CANARY}"}
    assert len(server.log) == 6
    look(page)


def set_rights(page: Page, name: str) -> None:
    """By keys alone."""
    page.get_by_role("button", name="Set rights").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=f"Rights to {name}")
    tab_to(page, dialog.get_by_role("radio", name=re.compile("^Administrators")))
    page.keyboard.press("ArrowDown")
    tab_to(page, dialog.get_by_label("E-mail addresses"))
    page.keyboard.type("nobody@demo.example")
    dialog.get_by_role("button", name="Set the rights").press("Enter")
    people = dialog.get_by_label("E-mail addresses")
    expect(people).to_have_accessible_description(re.compile("No account has this address"))
    look(page)
    people.fill(RESEARCHER)
    dialog.get_by_role("button", name="Set the rights").press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("region", name="Settings")).to_contain_text(RESEARCHER)
    expect(page.get_by_role("button", name="Set rights")).to_be_focused()


@pytest.fixture(scope="module")
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("costs")

    def prepare() -> None:
        source = str(write_source(folder, PAIRS))
        served.manage("make_release", "truthhypo", source, "--name", RELEASE, "--open")

    served.prepare_once("costs", prepare)
    return RELEASE


def test_an_administrator_adds_probes_and_shares_an_endpoint(
    profiles: BrowserProfiles, served: Stack, release: str, tmp_path: Path
) -> None:
    name = f"provider {tmp_path.name}"
    with ScriptedServer(answer) as server:
        page = profiles.open_signed_in(ADMINISTRATOR, "/people")
        add_by_form(page, server, name)
        set_price(page)
        probe(page, server)
    researcher = profiles.open_signed_in(RESEARCHER, f"/releases/{release}/run")
    option = researcher.get_by_label("Endpoint").locator("option", has_text=name)
    link = researcher.get_by_role("link", name="What each endpoint can do and costs")
    expect(link.or_(researcher.get_by_text("You may use no endpoint yet")).first).to_be_visible()
    expect(option).to_have_count(0)
    set_rights(page, name)

    researcher.reload()
    expect(option).to_have_count(1)
    link.click()
    row = researcher.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text("$1.50 in")
    expect(row).to_contain_text("may not be published")
    assert server.url not in researcher.content()
    expect(researcher.get_by_role("link", name="Add an endpoint")).to_have_count(0)
    look(researcher)
    row.get_by_role("link", name=name).click()
    expect(researcher.get_by_role("region", name="Probe", exact=True)).to_contain_text(
        "6 checks passed"
    )
    expect(researcher.get_by_role("button", name="Retire")).to_have_count(0)
    look(researcher)

    page.get_by_role("button", name="Retire").click()
    page.get_by_role("button", name="Retire it").click()
    expect(page.get_by_role("row").filter(has_text=name)).to_contain_text("retired on")
    look(page)
    assert CANARY not in page.content()
    researcher.goto(f"{served.url}/endpoints")
    wait_until_loaded(researcher)
    expect(researcher.get_by_role("row").filter(has_text=name)).to_have_count(0)
    assert CANARY not in (served.data / "up.log").read_text(errors="replace")


def test_what_a_run_cost_is_drawn_listed_and_saved(
    profiles: BrowserProfiles, served: Stack, server: ScriptedServer, release: str, tmp_path: Path
) -> None:
    model = f"scripted-{tmp_path.name}"
    served.manage(
        *("add_endpoint", model, "--url", server.url, "--model", model, "--private"),
        *("--price-in", "1", "--price-out", "2", "--usable-by", "everyone", "--may-publish"),
    )
    served.manage(
        *("run_model", release, "--endpoint", model, "--task", "truthhypo-parametric"),
        *("--budget", "1", "--model", model),
    )
    page = profiles.open_page("/costs")
    figure = page.get_by_role("list", name=f"Tokens for one item of {release}")
    expect(figure.get_by_role("listitem").filter(has_text=model)).to_contain_text(" in")
    row = page.get_by_role("table", name="Costs by release, task and model").get_by_role("row")
    expect(row.filter(has_text=model)).to_contain_text(release)
    look(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download CSV").press("Enter")
    lines = [*csv.DictReader(saved.value.path().read_text().splitlines())]
    (line,) = [one for one in lines if one["model"] == model]
    calls = [one for one in server.log if one.body["model"] == model]
    assert int(line["calls"]) == len(calls)
    assert int(line["tokens_in"]) == sum(one.tokens_in for one in calls)

    page = profiles.open_signed_in(ADMINISTRATOR, "/costs")
    page.get_by_role("radio", name="By person").click()
    spent = page.get_by_role("table", name="Costs by person and endpoint").get_by_role("row")
    expect(spent.filter(has_text=model)).to_contain_text("Commands of the server")
    look(page)
