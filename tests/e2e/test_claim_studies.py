"""A coordinator has claims of a file verified, and each verdict narrows the corrected interval."""

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    JOB_MS,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    show_each_theme,
    tab_to,
)
from tests.e2e.ranking_page import Expert, expect_answerable, expect_saved, invite_expert
from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.studies import COORDINATOR

TRUE, FALSE = "Imatinib inhibits KIT.", "Zinc cures baldness."
RATIONALES, CLAIMS, FIRST = 12, 24, 12
INTERVAL = re.compile(r"95% interval (\d+)% to (\d+)%")


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
    return page.get_by_role("region", name="Graph and papers", exact=True)


def ground_file(page: Page, path: Path) -> None:
    page.get_by_role("radio", name="A file").click()
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_label("Graph", exact=True).filter(visible=True).select_option(
        "drug-repurposing-demo"
    )
    page.get_by_label("Papers", exact=True).filter(visible=True).select_option("demo-papers")
    page.get_by_role("button", name="Ground this file").click()
    done = page.get_by_text(f"{RATIONALES} rationales of the file have their verdicts.")
    expect(done).to_be_visible(timeout=JOB_MS)


def make_study(page: Page, name: str) -> str:
    """By keyboard; the id of the study."""
    tab_to(page, page.get_by_role("button", name="Make a study of claims"))
    page.keyboard.press("Enter")
    page.get_by_label("Name of the study").fill(name)
    page.get_by_label("Experts for each claim").fill("1")
    look(page)
    page.get_by_role("button", name="Make the study").press("Enter")
    status = page.get_by_role("status").filter(has_text="The study is ready")
    expect(status).to_be_focused()
    link = section(page).get_by_role("link", name=name)
    expect(link).to_be_visible()
    match = re.search(r"/studies/([0-9a-f-]{36})", link.get_attribute("href") or "")
    assert match
    return match[1]


def judge(page: Page, expert: Expert, count: int, *, is_last: bool) -> None:
    """False claims are contradicted; of the true ones every third lacks evidence for the expert."""
    page.goto(expert.ranking_path)
    for judged in range(count):
        expect(page.locator("[data-claim]")).to_be_focused()
        heading = page.get_by_role("heading", level=1)
        text, address = heading.inner_text(), page.url
        assert text in (TRUE, FALSE)
        assert "plain" not in page.locator("main").inner_text()
        true_key = "3" if judged % 3 == 2 else "1"
        page.keyboard.press("2" if text == FALSE else true_key)
        if judged == 0:
            assert_accessible(page)
        expect_saved(page)
        expect_answerable(page)
        page.keyboard.press("Control+Enter")
        if is_last and judged == count - 1:
            page.wait_for_url("**/end")
        else:
            expect(page).not_to_have_url(address)
    if not is_last:
        expect_saved(page)


def width(page: Page) -> int:
    page.reload()
    expect(section(page)).to_contain_text("Corrected groundedness")
    match = INTERVAL.search(section(page).inner_text())
    assert match
    return int(match[2]) - int(match[1])


def test_experts_verify_claims_and_the_corrected_interval_narrows(
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
    study = make_study(page, f"Which claims hold? {tmp_path.name}")
    expect(section(page)).to_contain_text("No expert has judged a claim yet.")

    organiser = play(virtual_users.sign_in(served.url, COORDINATOR))
    expert = play(invite_expert(organiser, study))
    expert_page = profiles.open_signed_in(expert.email, "/home")
    judge(expert_page, expert, FIRST, is_last=False)
    early = width(page)
    judge(expert_page, expert, CLAIMS - FIRST, is_last=True)
    assert width(page) < early
    expect(section(page)).to_contain_text(f"{CLAIMS} of {CLAIMS} chosen; 0 wait for experts")
    look(page)
    for _ in show_each_theme(page):
        assert_accessible(page)
