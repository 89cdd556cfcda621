"""An organiser makes a release, opens it, sees a submission arrive, and closes it."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import prediction_lines, write_source

COORDINATOR = "coordinator@demo.example"
PAIRS = 120


def choose_file(page: Page, file: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files(file)


def confirm(page: Page, button: str, confirmation: str) -> None:
    page.get_by_role("button", name=button, exact=True).press("Enter")
    page.get_by_role("button", name=confirmation).press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def take_picture(page: Page, name: str) -> None:
    folder = os.environ.get("PICTURES")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_an_organiser_runs_a_release(
    profiles: BrowserProfiles, served: Stack, tmp_path: Path, size: ViewportSize
) -> None:
    kind = "desktop" if size == DESKTOP else "phone"
    name = f"Run on a {kind}"
    page = profiles.open_signed_in(COORDINATOR, "/releases", size=size)
    page.get_by_role("link", name="Make a release").click()
    page.get_by_label("Track", exact=True).select_option("truthhypo")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Licence").fill("CC BY 4.0")
    page.get_by_label("Data card").fill("Made-up pairs.\nNothing in them is known.")

    source = write_source(tmp_path, PAIRS)
    header, *rows = source.read_text().splitlines()
    bad = tmp_path / "bad_pairs.tsv"
    bad.write_text("\n".join([header, *(f"{row.rpartition(chr(9))[0]}\t" for row in rows)]))
    choose_file(page, bad)
    page.get_by_role("button", name="Make the draft").press("Enter")
    expect(page.get_by_text(f"The files have {PAIRS} faults. No release was made.")).to_be_visible()
    first = page.get_by_role("row").filter(has_text="bad_pairs.tsv, line 2, question")
    expect(first.first).to_be_visible()
    assert_fits(page)
    assert_accessible(page)
    take_picture(page, f"new-release-{kind}")

    page.get_by_role("button", name="Remove bad_pairs.tsv").click()
    choose_file(page, source)
    page.get_by_role("button", name="Make the draft").press("Enter")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.get_by_text("draft", exact=True)).to_be_visible()
    items = page.get_by_role("table", name="Public test items")
    expect(items.get_by_role("row")).to_have_count(26)
    expect(page.get_by_text("at worst: there are no two entries yet")).to_be_visible()
    slug = page.url.rpartition("/")[2]
    confirm(page, "Open", "Open it")
    expect(page.get_by_text("open", exact=True)).to_be_visible()

    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(prediction_lines(range(PAIRS), wrong=[3]))
    model = f"Model on a {kind}"
    served.manage("submit", str(predictions), "--release", slug, "--model", model)
    page.reload()
    wait_until_loaded(page)
    received = page.get_by_role("table", name="Submissions to this release")
    row = received.get_by_role("row").filter(has_text=model)
    expect(row).to_contain_text("scored, on the board")
    assert_fits(page)
    assert_accessible(page)
    take_picture(page, f"release-{kind}")
    row.get_by_role("link", name=model).click()
    expect(page.get_by_role("table", name="Scores")).to_be_visible()
    page.go_back()

    confirm(page, "Close", "Close it")
    expect(page.get_by_text("closed", exact=True)).to_be_visible()
    visitor = profiles.open_page(f"/releases/{slug}", size=size, theme="dark")
    expect(visitor.get_by_text("closed", exact=True)).to_be_visible()
    expect(visitor.get_by_role("table", name="Submissions to this release")).to_have_count(0)
    expect(visitor.get_by_text("Nothing in them is known.")).to_be_visible()
    assert_fits(visitor)
    assert_accessible(visitor)
    take_picture(visitor, f"release-visitor-{kind}")
