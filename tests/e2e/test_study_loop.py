"""The loop: questions with patterns, a study of them, experts' partitions, and a mask."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
    wait_until_loaded,
)
from tests.e2e.ranking_page import Expert, cards, expect_answerable, invite_expert
from tests.e2e.stack import ROOT, Stack
from tests.load import play, virtual_users

DEMO_QUESTIONS = ROOT / "fixtures" / "demo" / "questions" / "questions.json"
ADMINISTRATOR = "administrator@demo.example"
GRAPH = "drug-repurposing-demo"
SET = "Questions of the loop"
STUDY = "Uses worth a second look"
QUESTIONS = 6


@pytest.fixture(scope="module")
def question_set(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Six of the demo's questions, with a language model's partition of all but one."""
    file = tmp_path_factory.mktemp("loop") / "questions.json"
    demo: list[dict[str, Any]] = json.loads(DEMO_QUESTIONS.read_bytes())
    chosen = [one for one in demo if 4 <= len(one["answer"]) <= 6][:QUESTIONS]
    partitions = [llm_partition(one) for one in chosen[1:]]
    file.write_text(json.dumps([*chosen, *partitions]))
    served.prepare_once("loop", lambda: _import(served, file))
    return SET


def _import(served: Stack, file: Path) -> None:
    served.manage("import_questions", "serenqa", str(file), "--name", SET, "--graph", GRAPH)


def llm_partition(question: dict[str, Any]) -> dict[str, Any]:
    ids = [one["answer_argument"] for one in question["answer"]]
    part = {
        "serendipity_set": {"list": ids[:1], "description": None},
        "explore_queries": {"paths": [], "questions": []},
        "partition": "dev",
        "exact_matches": {"list": ids[1:]},
    }
    return {"qid": question["qid"], "question": question["question"], "llm": part}


def create_study(page: Page) -> str:
    """By keys; the id of the study, whose dashboard opens."""
    tab_to(page, page.get_by_label("Name of the study"))
    page.keyboard.type(STUDY)
    page.get_by_label("Question set").select_option(label=f"{SET} ({QUESTIONS})")
    page.get_by_label("Assignment").select_option(label="Questions from a pool")
    share = page.get_by_label(re.compile("^Hide the models.+ order from"))
    share.fill("50")
    for size in (PHONE, NARROWEST, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
    assert_accessible(page)
    tab_to(page, page.get_by_role("button", name="Create the study"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(STUDY)
    match = re.search(r"/studies/([0-9a-f-]{36})", page.url)
    assert match
    return match[1]


def answer_all(page: Page, expert: Expert) -> None:
    """Every question of the pool, one after the other; each order is the expert's own."""
    page.get_by_role("link", name=re.compile("^(Begin|Continue)")).click()
    for answered in range(QUESTIONS):
        expect(cards(page).first).to_be_visible()
        question = page.get_by_role("heading", level=1).inner_text()
        if answered == 0:
            assert_accessible(page)
        expect(cards(page).first).to_be_focused()
        expect_answerable(page)
        cards(page).first.press("Alt+ArrowDown")
        page.keyboard.press("Control+Enter")
        if answered < QUESTIONS - 1:
            expect(page.get_by_role("heading", level=1)).not_to_have_text(question)
    page.wait_for_url("**/end")
    expect(page.get_by_role("heading", level=1)).to_contain_text("is done")


def test_a_set_is_judged_partitioned_and_masked(
    served: Stack, profiles: BrowserProfiles, question_set: str
) -> None:
    board = profiles.open_signed_in(ADMINISTRATOR, "/studies/new?from=question-set")
    study = create_study(board)
    administrator = play(virtual_users.sign_in(served.url, ADMINISTRATOR))
    expert = play(invite_expert(administrator, study))
    page = profiles.open_signed_in(expert.email, "/home")
    answer_all(page, expert)
    outcomes = [one["response"]["outcome"] for one in expert.answers()]
    assert len(outcomes) == QUESTIONS
    assert {*outcomes} <= {"ranked", "changed"} and "ranked" in outcomes
    arms = [(one["arms"].get("prior"), one["propensity"]) for one in expert.answers()]
    assert {*arms} <= {("shown", 0.5), ("hidden", 0.5), (None, 1.0)}
    assert arms.count((None, 1.0)) == 1, "one question has no order to hide"
    simulated = served.manage("simulate_study", STUDY, "--raters", "3", "--seed", "7", "--json")
    assert json.loads(simulated.splitlines()[-1])["raters"] == 3
    board.reload()
    wait_until_loaded(board)
    board.get_by_role("button", name="Create partitions").click()
    board.get_by_role("button", name="Create them").click()
    expect(board.get_by_role("dialog", name="Partitions created")).to_contain_text(
        re.compile(rf"of {QUESTIONS} questions have a partition")
    )
    assert_accessible(board)
    masked = served.manage(*("mask_questions", question_set, "--method", "expert", "--json"))
    assert json.loads(masked.splitlines()[-1])["included"]
