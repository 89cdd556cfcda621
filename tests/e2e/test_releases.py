"""An organiser makes a release, opens it, sees entries arrive, corrects an item, and closes it; two
edit a draft, and one deletes it."""

import os
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    WAYS,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)
from tests.e2e.inputs import INPUTS, Input, choose_file
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import key_of, prediction_lines, write_source

ADMINISTRATOR = "administrator@demo.example"
COORDINATOR = "coordinator@demo.example"
PAIRS = 120
ITEM = ", ".join(key_of(0))


def confirm(way: Input, button: str, confirmation: str) -> None:
    page = way.page
    way.press(page.get_by_role("button", name=button, exact=True))
    way.press(page.get_by_role("button", name=confirmation))
    expect(page.get_by_role("dialog")).to_have_count(0)


def take_picture(page: Page, name: str) -> None:
    folder = os.environ.get("PICTURES")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def describe(way: Input, name: str) -> None:
    """All but the files of a new release."""
    page = way.page
    way.press(page.get_by_role("link", name="Make a release"))
    way.choose(page.get_by_label("Track", exact=True), "TruthHypo: Hypotheses")
    way.write(page.get_by_label("Name", exact=True), name)
    way.write(page.get_by_label("Licence"), "CC BY 4.0")
    way.write(page.get_by_label("Data card"), "Made-up pairs.\nNothing in them is known.")


def correct_first_item(way: Input) -> None:
    """It gets the answer that the model of the test predicted."""
    page = way.page
    way.press(page.get_by_role("link", name="Correct the release", exact=True))
    way.write(page.get_by_label("Find the item"), "C0 gene")
    way.check(page.get_by_role("radio", name=ITEM))
    row = page.get_by_role("article", name=ITEM)
    way.check(row.get_by_role("radio", name="Change the answer"))
    way.write(row.get_by_label("Answer, as JSON"), '{"label": "negative_correlate"}')
    assert_fits(page)
    assert_accessible(page)
    for button in ("Correct and score again", "Correct it"):
        way.press(page.get_by_role("button", name=button, exact=True))
    way.press(page.get_by_role("link", name="See the rank changes", exact=True))


@WAYS
def test_an_organiser_runs_a_release(
    profiles: BrowserProfiles, served: Stack, tmp_path: Path, kind: str
) -> None:
    name, size = f"Run by {kind}", INPUTS[kind].size
    page = profiles.open_signed_in(COORDINATOR, "/releases", size=size)
    way = INPUTS[kind](page)
    describe(way, name)
    source = write_source(tmp_path, PAIRS)
    header, *rows = source.read_text().splitlines()
    bad = tmp_path / "bad_pairs.tsv"
    bad.write_text("\n".join([header, *(f"{row.rpartition(chr(9))[0]}\t" for row in rows)]))
    choose_file(way, "Choose files", bad)
    way.press(page.get_by_role("button", name="Make the draft"))
    expect(page.get_by_text(f"The files have {PAIRS} faults. No release was made.")).to_be_visible()
    first = page.get_by_role("row").filter(has_text="bad_pairs.tsv, line 2, question")
    expect(first.first).to_be_visible()
    assert_fits(page)
    assert_accessible(page)
    take_picture(page, f"new-release-{kind}")

    way.press(page.get_by_role("button", name="Remove bad_pairs.tsv"))
    choose_file(way, "Choose files", source)
    way.press(page.get_by_role("button", name="Make the draft"))
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.get_by_text("draft", exact=True)).to_be_visible()
    items = page.get_by_role("table", name="Public test items")
    expect(items.get_by_role("row")).to_have_count(26)
    expect(page.get_by_text("at worst: there are no two entries yet")).to_be_visible()
    slug = page.url.rpartition("/")[2]
    confirm(way, "Open", "Open it")
    expect(page.get_by_text("open", exact=True)).to_be_visible()

    predictions = tmp_path / "predictions.jsonl"
    model, labelled = f"Model by {kind}", f"As labelled by {kind}"
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
    way.press(row.get_by_role("link", name=model))
    expect(page.get_by_role("table", name="Scores")).to_be_visible()
    page.go_back()

    correct_first_item(way)
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
    confirm(way, "Close", "Close it")
    expect(page.get_by_text("closed", exact=True)).to_be_visible()
    visitor = profiles.open_page(f"/releases/{slug}", size=size, theme="dark")
    expect(visitor.get_by_text("closed", exact=True)).to_be_visible()
    expect(visitor.get_by_role("table", name="Submissions to this release")).to_have_count(0)
    expect(visitor.get_by_text("Nothing in them is known.")).to_be_visible()
    assert_fits(visitor)
    assert_accessible(visitor)
    take_picture(visitor, f"release-visitor-{kind}")


@WAYS
def test_an_organiser_overwrites_what_another_saved_meanwhile_and_deletes_the_draft(
    profiles: BrowserProfiles, served: Stack, tmp_path: Path, kind: str
) -> None:
    slug, source = f"draft-by-{kind}", str(write_source(tmp_path))
    served.manage("make_release", "truthhypo", source, "--name", slug, "--owner", COORDINATOR)
    page = profiles.open_signed_in(COORDINATOR, f"/releases/{slug}", size=INPUTS[kind].size)
    other = profiles.open_signed_in(ADMINISTRATOR, f"/releases/{slug}")
    way = INPUTS[kind](page)
    for one, terms in ((way, "Mine."), (INPUTS["keyboard"](other), "Theirs.")):
        one.press(one.page.get_by_role("button", name="Edit", exact=True))
        one.write(one.page.get_by_role("dialog").get_by_label("Terms", exact=True), terms)
    INPUTS["keyboard"](other).press(other.get_by_role("button", name="Save"))
    expect(other.get_by_role("dialog")).to_have_count(0)

    way.press(page.get_by_role("button", name="Save"))
    expect(page.get_by_text("Somebody else changed this release")).to_be_visible()
    changed = page.get_by_role("table", name="What was changed meanwhile")
    expect(changed.get_by_role("row").filter(has_text="Terms")).to_contain_text(["Theirs.Mine."])
    assert_fits(page)
    assert_accessible(page)
    take_picture(page, f"stale-release-{kind}")
    way.press(page.get_by_role("button", name="Save my changes over theirs"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("region", name="Terms")).to_contain_text("Mine.")

    way.press(page.get_by_role("button", name="Delete", exact=True))
    assert_accessible(page)
    way.press(page.get_by_role("button", name="Delete it"))
    page.wait_for_url("**/releases")
    expect(page.get_by_role("heading", level=1, name="Releases")).to_be_visible()
    expect(page.get_by_role("link", name=slug, exact=True)).to_have_count(0)
