"""An organiser makes a release, opens it, sees entries arrive, corrects an item, and closes it."""

import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
    wait_until_loaded,
)
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import key_of, prediction_lines, write_source

COORDINATOR = "coordinator@demo.example"
PAIRS = 120
ITEM = ", ".join(key_of(0))


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


def press(page: Page, role: Literal["link", "button"], name: str) -> None:
    tab_to(page, page.get_by_role(role, name=name, exact=True))
    page.keyboard.press("Enter")


def correct_by_keyboard(page: Page) -> None:
    """The first item gets the answer that the model of the test predicted."""
    press(page, "link", "Correct the release")
    words = page.get_by_label("Find the item")
    tab_to(page, words)
    page.keyboard.type("C0 gene")
    item = page.get_by_role("radio", name=ITEM)
    tab_to(page, item)
    page.keyboard.press("Space")
    row = page.get_by_role("article", name=ITEM)
    tab_to(page, row.get_by_role("radio", name="Change the answer"), "Shift+Tab")
    page.keyboard.press("Space")
    tab_to(page, row.get_by_label("Answer, as JSON"))
    page.keyboard.type('{"label": "negative_correlate"}')
    assert_fits(page)
    assert_accessible(page)
    press(page, "button", "Correct and score again")
    press(page, "button", "Correct it")
    press(page, "link", "See the rank changes")


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
    model, labelled = f"Model on a {kind}", f"As labelled on a {kind}"
    for entry, wrong in ((model, [0]), (labelled, [])):
        predictions.write_text(prediction_lines(range(PAIRS), wrong=wrong))
        served.manage("submit", str(predictions), "--release", slug, "--model", entry)
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

    correct_by_keyboard(page)
    corrected = f"{name}, corrected"
    changes = page.get_by_role("table", name=f"{corrected} corrects {name}: entries")
    for place, (entry, ranks) in enumerate(((model, "1, was 2"), (labelled, "2, was 1")), start=1):
        expect(changes.get_by_role("row").nth(place)).to_contain_text(entry)
        expect(changes.get_by_role("row").nth(place)).to_contain_text(ranks)
    assert_fits(page)
    assert_accessible(page)
    slug = page.url.removesuffix("/changes").rpartition("/")[2]
    page.goto(f"/releases/{slug}")
    expect(page.get_by_role("heading", level=1, name=corrected)).to_be_visible()
    confirm(page, "Close", "Close it")
    expect(page.get_by_text("closed", exact=True)).to_be_visible()
    visitor = profiles.open_page(f"/releases/{slug}", size=size, theme="dark")
    expect(visitor.get_by_text("closed", exact=True)).to_be_visible()
    expect(visitor.get_by_role("table", name="Submissions to this release")).to_have_count(0)
    expect(visitor.get_by_text("Nothing in them is known.")).to_be_visible()
    assert_fits(visitor)
    assert_accessible(visitor)
    take_picture(visitor, f"release-visitor-{kind}")
