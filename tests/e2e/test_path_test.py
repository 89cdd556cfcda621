"""From the paths between two entities to their test, and from its link to the same figures."""

import re
import secrets

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    JOB_MS,
    PHONE,
    BrowserProfiles,
    inspect_page,
)
from tests.thorough import thorough

RESEARCHER, COORDINATOR = "researcher@demo.example", "coordinator@demo.example"
ASPIRIN, STROKE, MIGRAINE = "DRUGBANK:DB00945", "DOID:6713", "DOID:6364"
GRAPH = "/explore/drug-repurposing-demo"
TABLE = "Kinds of path beside permuted graphs"


@pytest.mark.parametrize(
    ("size", "reader", "target"),
    [
        pytest.param(DESKTOP, RESEARCHER, STROKE, id="desktop"),
        pytest.param(PHONE, COORDINATOR, MIGRAINE, id="phone", marks=thorough),
    ],
)
def test_a_reader_starts_the_test_of_a_pair_and_a_visitor_opens_its_link(
    profiles: BrowserProfiles, size: ViewportSize, reader: str, target: str
) -> None:
    address = f"{GRAPH}/paths?from={ASPIRIN}&to={target}"
    page = profiles.open_signed_in(reader, address, size=size)
    page.get_by_role("link", name=re.compile("with permuted graphs")).press("Enter")
    expect(page.get_by_role("heading", level=1, name="Path test")).to_be_visible()
    page.goto(f"{page.url}&seed={secrets.randbelow(10**9)}")  # a result is there for all to read
    page.get_by_label("Permuted graphs").select_option("100")
    inspect_page(page, "path-test")
    page.get_by_role("button", name="Start the test").press("Enter")
    table = page.get_by_role("table", name=TABLE)
    expect(table.get_by_role("row").nth(1)).to_be_visible(timeout=JOB_MS)
    inspect_page(page, "tested-paths")
    figures = table.inner_text()
    assert re.search(r"through a", figures)
    visitor = profiles.open_page(page.url, size=size)
    expect(visitor.get_by_role("table", name=TABLE)).to_be_visible()
    assert visitor.get_by_role("table", name=TABLE).inner_text() == figures
    inspect_page(visitor, "shared-path-test")
    other = profiles.open_page(f"{GRAPH}/paths/test?from={ASPIRIN}&to={target}&draws=1000&seed=77")
    expect(other.get_by_role("link", name="Sign in").last).to_be_visible()
