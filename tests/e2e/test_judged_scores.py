"""A coordinator has part of a judge's texts rated, and reads its mean corrected by the ratings."""

import json
import os
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Response, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    show_each_theme,
    tab_to,
    wait_until_loaded,
)
from tests.e2e.kind_pages import expect_item
from tests.e2e.ranking_page import Expert, expect_saved, invite_expert, is_response_write
from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.studies import COORDINATOR

TEXTS, DRAWN, FIRST = 24, 12, 6
TRUTH, RAW = 2.5, "3.50"  # the judge adds a level to each text
INTERVAL = re.compile(r"(\d\.\d\d) to (\d\.\d\d)")
PICTURES = os.environ.get("PICTURES")


def level_of(text: str) -> int:
    match = re.search(r"number (\d+)", text)
    assert match
    return 1 + int(match[1]) % 4


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    return path


def draw_texts(served: Stack, texts: Path, count: int) -> Path:
    """The questionnaire of so many of the texts."""
    path = texts.with_name(f"drawn-{count}.json")
    words = ("--kind", "faithfulness", "--texts", str(count), "--seed", "1")
    served.manage("draw_texts", str(texts), *words, "--into", str(path))
    return path


def write_files(served: Stack, folder: Path) -> tuple[Path, Path]:
    """The drawn questionnaire, and a judge's scores of all texts."""
    rows = [
        {
            "id": f"t{number}",
            "text": f"Imatinib inhibits KIT, in answer number {number}.",
            "question": f"Which kinase does drug {number} inhibit?",
            "material": ["Imatinib inhibits KIT.", "Imatinib treats leukaemia."],
        }
        for number in range(TEXTS)
    ]
    texts = write_lines(folder / "texts.jsonl", rows)
    of_all = json.loads(draw_texts(served, texts, TEXTS).read_text())
    ids = {one["text"]: one["qid"] for one in of_all}
    scores = [
        {
            "id": one["id"],
            "qid": ids[one["text"]],
            "kind": "faithfulness",
            "judge": "A judge of the journey",
            "score": level_of(str(one["text"])) + 1,
            "question": one["question"],
        }
        for one in rows
    ]
    return draw_texts(served, texts, DRAWN), write_lines(folder / "scores.jsonl", scores)


def look(page: Page, picture: str) -> None:
    for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
        page.set_viewport_size(size)
        for theme in show_each_theme(page):
            wait_until_loaded(page)
            assert_fits(page)
            assert_accessible(page)
            if PICTURES:
                section(page).scroll_into_view_if_needed()
                page.screenshot(path=f"{PICTURES}/{picture}-{name}-{theme}.png", full_page=True)


def section(page: Page) -> Locator:
    return page.get_by_role("region", name="Scores of model judges, corrected", exact=True)


def make_study(page: Page, name: str, questionnaire: Path) -> str:
    """The id of the study."""
    page.get_by_label("Name of the study").fill(name)
    page.get_by_label("What the experts do").select_option("ratings")
    page.locator("input[type=file]").set_input_files(questionnaire)
    page.get_by_role("button", name="Import and create the study").press("Enter")
    link = page.get_by_role("link", name="Look at the questions")
    expect(link).to_be_visible()
    match = re.search(r"/studies/([0-9a-f-]{36})", link.get_attribute("href") or "")
    assert match
    return match[1]


def is_submission(response: Response) -> bool:
    request = response.request
    return is_response_write(request) and '"submit"' in (request.post_data or "")


def rate(page: Page, first: int, last: int) -> None:
    """From this text of the study to that one, each with its true level."""
    for number in range(first, last + 1):
        expect_item(page, number)
        page.keyboard.press(str(level_of(page.get_by_role("heading", level=1).inner_text())))
        expect_saved(page)
        with page.expect_response(is_submission):
            page.keyboard.press("Control+Enter")
    if last == DRAWN:
        page.wait_for_url("**/end")


def add_file(page: Page, path: Path) -> None:
    with page.expect_file_chooser() as waiting:
        section(page).get_by_role("button", name="Choose a file").press("Enter")
    waiting.value.set_files(path)
    tab_to(page, section(page).get_by_role("button", name="Add scores"))
    page.keyboard.press("Enter")


def add_faulty_file(page: Page, scores: Path) -> None:
    """A score of 6, and a line without the identifier of its text."""
    lines = [json.loads(one) for one in scores.read_text().splitlines()]
    lines[1]["score"] = 6
    del lines[2]["qid"]
    tab_to(page, section(page).get_by_text("Add a file of scores"))
    page.keyboard.press("Enter")
    add_file(page, write_lines(scores.with_name("faulty.jsonl"), lines))
    faults = section(page).get_by_role("table", name="2 errors")
    expect(faults.get_by_role("row").filter(has_text="line 2")).to_contain_text("5")
    expect(faults.get_by_role("row").filter(has_text="line 3")).to_contain_text("Field required")
    expect(section(page).get_by_role("alert")).to_contain_text("The file has 2 faults.")


def read_row(page: Page, rated: int) -> tuple[float, float]:
    """The interval, once so many ratings have arrived; nobody loads the page again."""
    row = section(page).get_by_role("row").filter(has_text="A judge of the journey")
    expect(row).to_contain_text(f"{rated} of {TEXTS}")
    raw, corrected, interval, *_ = row.get_by_role("cell").all_inner_texts()
    assert (raw, abs(float(corrected) - TRUTH) < 0.1) == (RAW, True)
    match = INTERVAL.search(interval)
    assert match
    low, high = float(match[1]), float(match[2])
    assert low <= TRUTH <= high
    return low, high


def test_the_mean_of_a_judge_is_corrected_by_ratings_and_final_once_the_study_is_closed(
    served: Stack, profiles: BrowserProfiles, tmp_path: Path
) -> None:
    questionnaire, scores = write_files(served, tmp_path)
    page = profiles.open_signed_in(COORDINATOR, "/studies/new")
    study = make_study(page, f"Faithful texts? {tmp_path.name}", questionnaire)
    expert: Expert = play(
        invite_expert(play(virtual_users.sign_in(served.url, COORDINATOR)), study)
    )
    page.goto(f"{served.url}/studies/{study}?tab=statistics")
    expect(section(page)).to_be_visible()
    add_faulty_file(page, scores)
    look(page, "faults")
    add_file(page, scores)
    expect(section(page).get_by_text("The scores of scores.jsonl are added.")).to_be_focused()
    expect(section(page)).to_contain_text("Nobody has rated a text for 'faithfulness'")

    rating = profiles.open_signed_in(expert.email, expert.ranking_path)
    rate(rating, 1, FIRST)
    low, high = read_row(page, FIRST)
    expect(section(page)).to_contain_text("The study is open.")
    look(page, "open")
    rate(rating, FIRST + 1, DRAWN)
    later, narrower = read_row(page, DRAWN)
    assert narrower - later < high - low

    page.get_by_role("button", name="Close the study").press("Enter")
    page.get_by_role("button", name="Close it", exact=True).press("Enter")
    expect(section(page)).to_contain_text("The study has ended, so these figures are final.")
    assert read_row(page, DRAWN) == (later, narrower)
    look(page, "final")
    delete_scores(page)


def delete_scores(page: Page) -> None:
    section(page).get_by_role("button", name="Delete the scores of scores.jsonl").press("Enter")
    assert_accessible(page)
    page.get_by_role("button", name="Delete them").press("Enter")
    expect(section(page).get_by_text("The scores of scores.jsonl are deleted.")).to_be_focused()
    expect(section(page).get_by_role("table")).to_have_count(0)
