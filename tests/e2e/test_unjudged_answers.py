"""The organiser pools unjudged answers, makes a study, an expert judges, and the ranks move."""

import ast
import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    JOB_MS,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    show_each_theme,
    tab_to,
)
from tests.e2e.ranking_page import Expert, expect_saved, invite_expert
from tests.e2e.stack import ROOT, Stack
from tests.load import play, virtual_users

ORGANISER = "administrator@demo.example"
DEMO = ROOT / "fixtures" / "demo" / "releases" / "stark-prime" / "questions.csv"
GRAPH = "drug-repurposing-demo"
RELEASE = "unjudged-questions"
STUDY = "Which of these are answers?"
LABELLED, UNLABELLED = "Finds labels", "Finds more"
QUERIES = 3


def demo_answers() -> list[str]:
    """Identifiers of entities of the demo graph, one of each question."""
    with DEMO.open(newline="") as file:
        listed = [ast.literal_eval(row["answer_ids"]) for row in csv.DictReader(file)]
    return list(dict.fromkeys(answers[0] for answers in listed))


def write_files(folder: Path) -> tuple[Path, dict[str, Path]]:
    """Of query n the label is entity n. 'Finds labels' has it first but for the last query, where
    a false answer is; 'Finds more' has an unlabelled answer before each label."""
    entities = demo_answers()
    gold, others, false = entities[:QUERIES], entities[QUERIES : 2 * QUERIES], entities[-1]
    source = folder / "questions.jsonl"
    rows = [
        {"query_id": at, "query": f"Which entity fits case {at}?", "answer_ids": [answer]}
        for at, answer in enumerate(gold)
    ]
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    lists = {
        LABELLED: [[one] if at < QUERIES - 1 else [false, one] for at, one in enumerate(gold)],
        UNLABELLED: [[other, one] for one, other in zip(gold, others, strict=True)],
    }
    files = {}
    for number, (model, ranked) in enumerate(lists.items()):
        files[model] = folder / f"{number}.jsonl"
        predictions = ({"query_id": at, "pred_rank": one} for at, one in enumerate(ranked))
        files[model].write_text("".join(f"{json.dumps(one)}\n" for one in predictions))
    return source, files


@pytest.fixture(scope="module", autouse=True)
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("unjudged")

    def prepare() -> None:
        source, files = write_files(folder)
        named = ("--name", RELEASE, "--graph", GRAPH, "--open")
        served.manage("make_release", "stark-prime", str(source), *named)
        for model, file in files.items():
            served.manage("submit", str(file), "--release", RELEASE, "--model", model)

    served.prepare_once("unjudged", prepare)


def section(page: Page) -> Locator:
    return page.get_by_role("region", name="Unjudged answers", exact=True)


def check_sizes(page: Page) -> None:
    for size in (NARROWEST, PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_accessible(page)


def make_study(page: Page) -> str:
    """By keyboard; the id of the study."""
    tab_to(page, page.get_by_role("button", name="Make a study"))
    page.keyboard.press("Enter")
    name = page.get_by_label("Name of the study")
    tab_to(page, name)
    name.fill(STUDY)
    page.get_by_label("Experts for each answer").fill("1")
    check_sizes(page)
    page.get_by_role("button", name="Make the study").press("Enter")
    link = section(page).get_by_role("link", name=STUDY)
    expect(link).to_be_visible()
    match = re.search(r"/studies/([0-9a-f-]{36})", link.get_attribute("href") or "")
    assert match
    return match[1]


def judge_all(page: Page, expert: Expert, false: str, count: int) -> None:
    """The false answer is contradicted, each other one supported."""
    page.goto(expert.ranking_path)
    for judged in range(count):
        claim = page.locator("[data-claim]")
        expect(claim).to_be_focused()
        text = page.get_by_role("heading", level=1).inner_text()
        assert "is a correct answer to: Which entity fits case" in text
        assert LABELLED not in page.content() and UNLABELLED not in page.content()
        expect(page.get_by_role("button", name="Skip")).not_to_have_attribute(
            "aria-disabled", "true"
        )
        page.keyboard.press("2" if text.startswith(false) else "1")
        if judged == 0:
            assert_accessible(page)
            expect_saved(page)
        page.keyboard.press("Control+Enter")
        if judged < count - 1:
            expect(page.get_by_role("heading", level=1)).not_to_have_text(text)
    page.wait_for_url("**/end")


def pooled(served: Stack) -> dict[str, Any]:
    listed = served.manage("pool_answers", RELEASE, "--json")
    payload: dict[str, Any] = json.loads(listed.splitlines()[-1])
    return payload


def test_unjudged_answers_are_judged_and_move_the_ranks(
    served: Stack, profiles: BrowserProfiles
) -> None:
    page = profiles.open_signed_in(ORGANISER, f"/releases/{RELEASE}")
    pool_button = section(page).get_by_role("button", name="Pool the answers")
    counts = section(page).get_by_text(re.compile("4 answers of 7 are unjudged"))
    expect(pool_button.or_(counts).first).to_be_visible()
    if pool_button.is_visible():  # the sweeper may have been earlier
        check_sizes(page)
        pool_button.click()
    expect(counts).to_be_visible(timeout=JOB_MS)
    table = section(page).get_by_role("table", name="Answers to judge first")
    expect(table.get_by_role("row")).to_have_count(5)
    expect(table).to_contain_text(f"{UNLABELLED} (1)")
    check_sizes(page)
    for _ in show_each_theme(page):
        assert_accessible(page)
    study = make_study(page)
    visitor = profiles.open_page(f"/releases/{RELEASE}")
    expect(visitor.get_by_role("heading", name="Items by slice")).to_be_visible()
    expect(section(visitor)).to_have_count(0)
    expect(visitor.get_by_text(re.compile(r"Judged@20 of the test entries"))).to_be_visible()

    listed = pooled(served)["results"]
    [false] = [one["name"] for one in listed if set(one["ranks"]) == {LABELLED}]
    organiser = play(virtual_users.sign_in(served.url, ORGANISER))
    expert = play(invite_expert(organiser, study))
    judge_all(profiles.open_signed_in(expert.email, "/home"), expert, false, len(listed))

    page.reload()
    expect(section(page)).to_contain_text("4 of 4 answers judged: 3 true, 1 false, 0 undecided.")
    check_sizes(page)
    section(page).get_by_role("button", name="Apply verdicts").click()
    page.get_by_role("button", name="Apply them").click()
    page.get_by_role("link", name="See the rank changes").click()
    corrected = f"{RELEASE}, with verdicts"
    changes = page.get_by_role("table", name=f"{corrected} corrects {RELEASE}: entries")
    expect(changes.get_by_role("row").nth(1)).to_contain_text(UNLABELLED)
    expect(changes.get_by_role("row").nth(1)).to_contain_text("1, was 2")
    expect(changes.get_by_role("row").nth(2)).to_contain_text("2, was 1")
    check_sizes(page)
