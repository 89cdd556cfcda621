"""A coordinator grounds a file and makes a study in which experts verify its claims."""

import json
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    show_each_theme,
    tab_to,
)
from tests.e2e.stack import Stack
from tests.load.studies import COORDINATOR

TRUE, FALSE = "Imatinib inhibits KIT.", "Zinc cures baldness."
RATIONALES = 12
LONG_MS = 180_000


def write_rationales(folder: Path) -> Path:
    path = folder / "rationales.jsonl"
    row = {"hypothesis": "Imatinib treats tumours.", "rationale": f"{TRUE} {FALSE}"}
    path.write_text("".join(f"{json.dumps(row)}\n" for _ in range(RATIONALES)))
    return path


def look(page: Page) -> None:
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_accessible(page)


def section(page: Page) -> Locator:
    return page.get_by_role("region", name="Both together", exact=True)


def ground_file(page: Page, path: Path) -> None:
    page.get_by_role("radio", name="A file").click()
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_label("Graph", exact=True).select_option("drug-repurposing-demo")
    page.get_by_label("Papers", exact=True).select_option("demo-papers")
    page.get_by_role("button", name="Ground this file").click()
    done = page.get_by_text(f"{RATIONALES} rationales of the file have their verdicts.")
    expect(done).to_be_visible(timeout=LONG_MS)


def make_study(page: Page, name: str) -> None:
    """By keyboard."""
    tab_to(page, page.get_by_role("button", name="Make a study of claims"))
    page.keyboard.press("Enter")
    page.get_by_label("Name of the study").fill(name)
    page.get_by_label("Experts for each claim").fill("1")
    look(page)
    page.get_by_role("button", name="Make the study").press("Enter")
    link = section(page).get_by_role("link", name=name)
    expect(link).to_be_visible()


def test_a_coordinator_makes_a_study_of_the_claims_of_a_file(
    served: Stack, profiles: BrowserProfiles, tmp_path: Path
) -> None:
    page = profiles.open_signed_in(COORDINATOR, "/groundings")
    ground_file(page, write_rationales(tmp_path))
    page.get_by_role("link", name="Imatinib treats tumours.").first.click()
    agreement = page.get_by_role("region", name="Agreement with experts")
    expect(agreement).to_contain_text("How often experts agree with this verifier")
    look(page)
    page.get_by_role("link", name="Groundedness corrected by experts").click()
    expect(section(page)).to_contain_text("No study verifies claims of this batch")
    look(page)
    make_study(page, f"Which claims hold? {tmp_path.name}")
    expect(section(page)).to_contain_text("No expert has judged a claim yet.")
    look(page)
    for _ in show_each_theme(page):
        assert_accessible(page)
