"""A team submits without its name, chooses the final entry, and reads what the board shows."""

import os
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
)
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import prediction_lines, write_source

RESEARCHER, ADMINISTRATOR = "researcher@demo.example", "administrator@demo.example"
RELEASE, PAIRS = "team-pairs", 60


def check(page: Page, name: str) -> None:
    for kind, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_accessible(page)
        folder = os.environ.get("PICTURES")
        if folder:
            page.screenshot(path=f"{folder}/{name}-{kind}.png", full_page=True)
    page.set_viewport_size(DESKTOP)


def test_a_team_submits_anonymously_and_chooses_a_final_entry(
    profiles: BrowserProfiles, served: Stack, tmp_path: Path
) -> None:
    source = write_source(tmp_path, PAIRS)
    served.manage("make_release", "truthhypo", str(source), "--name", RELEASE, "--open")

    page = profiles.open_signed_in(RESEARCHER, "/submissions")
    page.get_by_role("link", name="Team", exact=True).click()
    page.get_by_label("Name of the team").fill("Two of us")
    page.get_by_role("button", name="Create the team").press("Enter")
    expect(page.get_by_role("heading", level=1, name="Two of us")).to_be_visible()
    page.get_by_label("E-mail address").fill(ADMINISTRATOR)
    page.get_by_role("button", name="Invite", exact=True).press("Enter")
    expect(page.get_by_role("list", name="Invitations without")).to_contain_text(ADMINISTRATOR)
    mate = profiles.open_signed_in(ADMINISTRATOR, "/team", theme="dark")
    mate.get_by_role("button", name="Join Two of us").press("Enter")
    expect(mate.get_by_role("table", name="Members of Two of us")).to_be_visible()
    check(mate, "team")

    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(prediction_lines(range(PAIRS), wrong=[1]))
    page.goto(f"/submissions/new?release={RELEASE}")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(predictions)
    page.get_by_label("Model", exact=True).select_option(label="A new model")
    page.get_by_label("Name of the new model").fill("Unnamed")
    page.get_by_text("It belongs to the team Two of us").click()
    page.get_by_label("Anonymous until").fill("2090-05-03T12:00")
    expect(page.get_by_text("The team Two of us has used 0 of 10 queries")).to_be_visible()
    check(page, "submit-for-a-team")
    page.get_by_role("button", name="Submit for a score").press("Enter")
    expect(page.get_by_text("On the board. Anonymous until 3 May 2090.")).to_be_visible()
    page.get_by_role("button", name="Choose as the final entry").press("Enter")
    expect(page.get_by_text("The board shows this entry of Unnamed")).to_be_visible()
    check(page, "final-entry")

    mate.goto("/submissions")
    expect(mate.get_by_role("link", name="Unnamed")).to_be_visible()
    page.goto(f"/leaderboard/truthhypo?release={RELEASE}")
    anonymous = "Anonymous until 3 May 2090"
    row = page.get_by_role("row").filter(has_text=anonymous)
    expect(row).to_contain_text("(yours: Unnamed)")
    visitor = profiles.open_page(f"/leaderboard/truthhypo?release={RELEASE}")
    expect(visitor.get_by_role("row").filter(has_text=anonymous)).to_be_visible()
    expect(visitor.get_by_text("Unnamed")).to_have_count(0)
