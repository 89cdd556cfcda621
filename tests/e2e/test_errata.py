"""An item is reported, the organiser corrects the release, and everybody sees the rank changes."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    assert_nothing_truncated,
)
from tests.e2e.inputs import Input, Keyboard
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import key_of, prediction_lines, write_source

REPORTER, ORGANISER = "physician@demo.example", "administrator@demo.example"
RELEASE = "errata-pairs"
CORRECTED = f"{RELEASE}, corrected"
PAIRS = 60
ITEM = ", ".join(key_of(0))


@pytest.fixture(scope="module", autouse=True)
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    """'Other' differs from 'As labelled' in the first item alone, with 'negative_correlate'."""
    folder = tmp_path_factory.mktemp("errata")

    def prepare() -> None:
        source = write_source(folder, PAIRS)
        served.manage("make_release", "truthhypo", str(source), "--name", RELEASE, "--open")
        for model, wrong in (("As labelled", []), ("Other", [0]), ("Half right", range(30))):
            file = folder / f"{model}.jsonl"
            file.write_text(prediction_lines(range(PAIRS), wrong=wrong))
            served.manage("submit", str(file), "--release", RELEASE, "--model", model)

    served.prepare_once("errata", prepare)
    return served


def check_sizes(page: Page) -> None:
    for size in (NARROWEST, PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_nothing_truncated(page)
        assert_accessible(page)


def report_item(way: Input) -> None:
    page = way.page
    way.write(page.get_by_label("Find the item"), "C0 gene")
    way.check(page.get_by_role("radio", name=ITEM))
    way.write(page.get_by_label("Why"), "PMID 1 shows the opposite sign.")
    way.press(page.get_by_role("button", name="Send the report"))
    expect(page.get_by_text("The organiser of the release has your report.")).to_be_visible()


def correct_answer(way: Input) -> None:
    """At the third try: first no JSON, then a label that the release does not take."""
    page = way.page
    way.press(page.get_by_role("link", name="Correct the release"))
    row = page.get_by_role("article", name=ITEM)
    way.check(row.get_by_role("radio", name="Change the answer"))
    answer = row.get_by_label("Answer, as JSON")
    correct = page.get_by_role("button", name="Correct and score again")
    way.write(answer, "negative_correlate")
    expect(row).to_contain_text("This is not a JSON object.")
    expect(correct).to_be_disabled()
    way.write(answer, '{"label": "perhaps"}')
    way.press(correct)
    way.press(page.get_by_role("button", name="Correct it"))
    expect(page.get_by_role("row").filter(has_text=f"{ITEM}: answer")).to_be_visible()
    check_sizes(page)
    way.write(answer, '{"label": "negative_correlate"}')
    way.press(correct)
    way.press(page.get_by_role("button", name="Correct it"))
    way.press(page.get_by_role("link", name="See the rank changes"))


def test_an_item_is_reported_and_corrected_and_its_rank_changes_are_shown(
    profiles: BrowserProfiles,
) -> None:
    reporter = profiles.open_signed_in(REPORTER, f"/releases/{RELEASE}/reports")
    report_item(Keyboard(reporter))
    own = reporter.get_by_role("article", name=ITEM)
    expect(own).to_contain_text("not decided yet")
    expect(own).not_to_contain_text("Present answer")
    check_sizes(reporter)

    page = profiles.open_signed_in(ORGANISER, f"/releases/{RELEASE}/reports")
    report = page.get_by_role("article", name=ITEM)
    expect(report).to_contain_text("1 entry gains from this item: As labelled.")
    check_sizes(page)
    way = Keyboard(page)
    way.write(report.get_by_label("Reply"), "You are right.")
    way.press(report.get_by_role("button", name=f"Accept: {ITEM}"))
    expect(report).to_contain_text("accepted")
    correct_answer(way)
    expect(page.get_by_text("0 items withdrawn, 1 item changed in this split.")).to_be_visible()
    visitor = profiles.open_page(page.url)
    changes = visitor.get_by_role("table", name=f"{CORRECTED} corrects {RELEASE}: entries")
    expect(changes.get_by_role("row").nth(1)).to_contain_text("Other")
    expect(changes.get_by_role("row").nth(1)).to_contain_text("1, was 2")
    expect(changes.get_by_role("row").nth(2)).to_contain_text("2, was 1")
    assert "Chemical|C0" not in visitor.content()
    check_sizes(visitor)
    reporter.reload()
    expect(own).to_contain_text("You are right.")
    dark = profiles.open_signed_in(ORGANISER, f"/releases/{RELEASE}/changes", theme="dark")
    dark.get_by_role("link", name="See what changed").click()
    expect(dark.get_by_text("0 items withdrawn, 1 item changed in this split.")).to_be_visible()
    check_sizes(dark)
    for path in ("reports", "correct"):
        dark.goto(f"/releases/{RELEASE}/{path}")
        assert_accessible(dark)
