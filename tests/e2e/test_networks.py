"""Curated, co-occurring and text-mined networks side by side, and on to the hub of one of them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.e2e.browser_helpers import BOTH_SIZES, BrowserProfiles, inspect_page
from tests.e2e.network_files import (
    CO_OCCURRING,
    CURATED,
    FIRST_YEAR,
    HUB_NAME,
    LINKED,
    MINED,
    NETWORKS,
)
from tests.e2e.stack import Stack


@pytest.fixture
def networks(served: Stack, tmp_path: Path) -> None:
    """The three graphs, which anyone may read."""

    def import_all() -> None:
        for name, (file_format, write) in NETWORKS.items():
            files = map(str, write(tmp_path / name))
            served.manage("import_graph", file_format, *files, "--name", name, "--public")

    served.prepare_once("networks", import_all)


def choose(page: Page, name: str) -> None:
    page.get_by_role("checkbox", name=name, exact=True).press("Space")


def rows_of(page: Page, table: str, count: int) -> list[str]:
    rows = page.get_by_role("table", name=table, exact=True).locator("tbody tr")
    expect(rows).to_have_count(count)
    return [re.sub(r"\s+", " ", one).strip() for one in rows.all_inner_texts()]


@BOTH_SIZES
@pytest.mark.usefixtures("networks")
def test_three_networks_are_compared_and_a_general_hub_is_named(
    profiles: BrowserProfiles, size: ViewportSize
) -> None:
    page = profiles.open_page("/explore", size=size)
    page.get_by_role("link", name="Compare networks").press("Enter")
    expect(page.get_by_role("heading", level=1, name="Compare networks")).to_be_visible()
    choose(page, MINED)
    expect(page.get_by_text("Choose two to four graphs.")).to_be_visible()
    inspect_page(page, "networks-to-choose")
    choose(page, CO_OCCURRING)
    choose(page, CURATED)

    mined, together, curated = rows_of(page, "Links of each network", 3)
    assert mined == f"{MINED} 40 39 1.9 1 50%"
    assert together.startswith(f"{CO_OCCURRING} 40 ")
    assert curated == f"{CURATED} 39 38 1.9 2 3%"
    hub, *_ = rows_of(page, f"Entities with the most links of {MINED}", 15)
    assert hub.startswith(f"{HUB_NAME} general {len(LINKED)} 20 absent")
    expect(page.get_by_text("hubs of the text-mined network in Dyport's Figure 5")).to_have_count(2)
    shared = rows_of(page, "What the networks share", 3)
    assert shared[-1].startswith(f"{CO_OCCURRING} and {CURATED} 39 38")
    years = rows_of(page, "Links until each year", 5)
    assert [int(row[:4]) for row in years] == [*range(FIRST_YEAR, FIRST_YEAR + 5)]
    assert years[-1].endswith("39 58 38")
    inspect_page(page, "networks")

    visitor = profiles.open_page(page.url, size=size)
    assert rows_of(visitor, "Links until each year", 5) == years
    page.get_by_role("link", name=HUB_NAME).first.press("Enter")
    expect(page.get_by_role("heading", level=1, name=HUB_NAME)).to_be_visible()


@BOTH_SIZES
@pytest.mark.usefixtures("networks")
def test_a_comparison_that_fails_says_so_and_is_tried_again(
    profiles: BrowserProfiles, size: ViewportSize
) -> None:
    page = profiles.open_page("/networks", size=size)

    def refuse(route: Route) -> None:
        route.fulfill(status=503, body="")

    page.route("**/network-comparison**", refuse)
    choose(page, CURATED)
    choose(page, MINED)
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    inspect_page(page, "networks-failed")
    page.unroute("**/network-comparison**", refuse)
    again.press("Enter")
    rows_of(page, "Links of each network", 2)
