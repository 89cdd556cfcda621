"""A coordinator brings a graph by their browser, changes their mind, and tries again."""

import re
import uuid

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.browser_helpers import (
    PHONE,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)

COORDINATOR = "coordinator@demo.example"
MANY = 120_000  # edges: several seconds, so that there is something to cancel
SMALL = b"source,relation,target\nX:1,near,X:2\n"


def entities(count: int) -> bytes:
    rows = "".join(f"X:{number},Thing {number},Thing\n" for number in range(count))
    return f"id,name,type\n{rows}".encode()


def edges(count: int) -> bytes:
    rows = "".join(f"X:{number},near,X:{number // 2}\n" for number in range(1, count))
    return f"source,relation,target\n{rows}".encode()


def csv(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "text/csv", "buffer": content}


@pytest.fixture
def unique_name() -> str:
    return f"Brought {uuid.uuid4().hex[:8]}"


def open_import_page(visits: BrowserProfiles, theme: str = "light") -> Page:
    page = visits.open_signed_in(COORDINATOR, "/explore/import", theme=theme)
    wait_until_loaded(page)
    return page


def submit_import(page: Page, name: str, files: list[FilePayload]) -> None:
    page.get_by_label("Name of the graph").fill(name)
    page.locator("input[type=file]").set_input_files(files)
    page.get_by_role("button", name="Import the graph").click()


def cancel_import(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Cancel: import of {name}").click()
    dialog = page.get_by_role("dialog", name=f"Cancel import of {name}?")
    expect(dialog.get_by_role("button", name="Continue the job")).to_be_focused()
    dialog.get_by_role("button", name="Cancel the job").click()
    expect(page.get_by_role("heading", name=f"{name} was not imported")).to_be_focused()


@THEMES
def test_an_import_is_cancelled_and_nothing_of_it_stays(
    profiles: BrowserProfiles, unique_name: str, theme: str
) -> None:
    page = open_import_page(profiles, theme)
    submit_import(
        page, unique_name, [csv("entities.csv", entities(MANY)), csv("edges.csv", edges(MANY))]
    )
    cancel_import(page, unique_name)
    expect(page.get_by_text(re.compile("^Cancelled by .* Nothing was imported.$"))).to_be_visible()
    assert_accessible(page)
    page.set_viewport_size(PHONE)
    assert_fits(page)
    answer = page.request.get("/api/v1/graphs").json()
    assert unique_name not in [graph["name"] for graph in answer["results"]]

    submit_import(page, unique_name, [csv("entities.csv", entities(3)), csv("edges.csv", SMALL)])
    expect(page.get_by_role("heading", name=f"{unique_name} is imported")).to_be_visible()
    page.get_by_role("link", name="Explore it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(unique_name)


@THEMES
def test_what_is_under_way_is_told_to_whoever_looks(
    profiles: BrowserProfiles, unique_name: str, theme: str
) -> None:
    page = open_import_page(profiles, theme)
    submit_import(
        page, unique_name, [csv("entities.csv", entities(MANY)), csv("edges.csv", edges(MANY))]
    )
    expect(
        page.get_by_role("progressbar", name=f"Progress: import of {unique_name}")
    ).to_be_visible()
    assert_accessible(page)
    address = page.url
    again = profiles.open_signed_in(COORDINATOR, address)
    expect(again.get_by_role("heading", level=2).filter(has_text=unique_name)).to_be_visible()
    cancel_import(page, unique_name)  # the worker is free for the next test


def test_files_that_are_no_graph_are_refused_with_their_lines(
    profiles: BrowserProfiles, unique_name: str
) -> None:
    page = open_import_page(profiles)
    broken = SMALL + b"X:1,near\n" * 3 + b"X:1,near,X:9\n"
    submit_import(page, unique_name, [csv("entities.csv", entities(3)), csv("edges.csv", broken)])
    expect(page.get_by_role("heading", name=f"{unique_name} was not imported")).to_be_visible()
    faults = page.get_by_role("table", name=re.compile("^Dropped rows"))
    expect(faults).to_contain_text("edges.csv, line 3")
    assert_accessible(page)
    page.set_viewport_size(PHONE)
    assert_fits(page)
