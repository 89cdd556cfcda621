"""A coordinator's study from its questions to its experts' partition, on one page, by keyboard."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser_helpers import DESKTOP, JOB_MS, PHONE, BrowserProfiles
from tests.e2e.ranking_page import cards
from tests.e2e.stack import ROOT, Stack
from tests.e2e.test_adjudication import submit_moved
from tests.e2e.test_board import batch_row
from tests.e2e.test_study_loop import llm_partition
from tests.e2e.test_study_states import move, try_first_question
from tests.e2e.test_study_tools import check, press, type_into
from tests.load import play, virtual_users
from tests.thorough import thorough

DEMO_QUESTIONS = ROOT / "fixtures" / "demo" / "questions" / "questions.json"
ADMINISTRATOR = "administrator@demo.example"
GRAPH = "drug-repurposing-demo"
QUESTIONS, EXPERTS = 3, 2
DEVICES = {"desktop": DESKTOP, "phone": PHONE}


@pytest.fixture
def question_set(served: Stack, tmp_path: Path, device: str) -> str:
    """Three of the demo's questions with patterns, with a language model's partition of each."""
    demo: list[dict[str, Any]] = json.loads(DEMO_QUESTIONS.read_bytes())
    chosen = [one for one in demo if 4 <= len(one["answer"]) <= 6][-QUESTIONS:]
    file, name = tmp_path / "questions.json", f"Questions of {tmp_path.name} {device}"
    file.write_text(json.dumps([*chosen, *map(llm_partition, chosen)]))
    served.manage("import_questions", "serenqa", str(file), "--name", name, "--graph", GRAPH)
    return name


@pytest.fixture(params=["desktop", pytest.param("phone", marks=thorough)])
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def create_draft(page: Page, name: str, question_set: str) -> str:
    type_into(page, "Name of the study", name)
    page.get_by_label("Question set").select_option(label=f"{question_set} ({QUESTIONS})")
    page.get_by_label("State", exact=True).select_option(value="draft")
    press(page, page.get_by_role("button", name="Create the study"))
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_text("draft", exact=True).first).to_be_visible()
    match = re.search(r"/studies/([0-9a-f-]{36})", page.url)
    assert match
    return match[1]


def answer_and_watch(served: Stack, page: Page, study: str) -> None:
    """The board counts each answer as it comes; nothing is loaded again."""
    page.evaluate("window.notReloaded = true")

    async def join() -> list[Any]:
        administrator = await virtual_users.sign_in(served.url, ADMINISTRATOR)
        experts = await virtual_users.experts_of(administrator, study, EXPERTS)
        for one in (administrator, *experts):
            one.hang_up()
        return experts

    async def answer(expert: Any) -> None:
        for one in await virtual_users.work_of(expert):
            assert (await one.put(one.write("agree"))).status == 200
        expert.hang_up()

    for number, expert in enumerate(play(join()), start=1):
        play(answer(expert))
        expect(batch_row(page)).to_contain_text(f"{number * QUESTIONS} of {EXPERTS * QUESTIONS}")
    assert page.evaluate("window.notReloaded") is True


def adjudicate_first(page: Page) -> None:
    """Blind; the experts' answers appear with the adjudication."""
    press(page, page.get_by_role("link", name="Questions", exact=True))
    page.get_by_role("checkbox", name="Select this page").press("Space")
    page.get_by_role("button", name=f"{QUESTIONS} selected").press("Enter")
    page.get_by_role("menuitem", name="Send to adjudication").press("Enter")
    expect(page.get_by_text(f"{QUESTIONS} questions sent to adjudication.")).to_be_visible()
    press(page, page.get_by_role("link", name="Adjudication", exact=True))
    press(page, page.get_by_role("link", name="Adjudicate blind").first)
    expect(page.get_by_text("adjudication, blind")).to_be_visible()
    expect(cards(page).first).to_be_focused()
    assert "Expert 0" not in page.content()
    submit_moved(page)
    answers = page.get_by_role("list", name="Answers of the experts")
    expect(answers).to_contain_text("Expert 0")
    check(page)


def freeze(page: Page, study: str) -> None:
    # On a phone the site's own menu has the same name.
    press(page, page.get_by_role("main").get_by_role("button", name="More", exact=True))
    page.get_by_role("menuitem", name=re.compile("Freeze the study")).press("Enter")
    type_into(page, "Name of the release", f"whole-{study}")
    press(page, page.get_by_role("button", name="Freeze it"))
    frozen = page.get_by_text(f"Frozen as release whole-{study}")
    expect(frozen).to_be_visible(timeout=JOB_MS)


def create_partitions(page: Page) -> None:
    press(page, page.get_by_role("button", name="Create partitions"))
    page.get_by_role("button", name="Create them").press("Enter")
    created = page.get_by_role("dialog", name="Partitions created")
    counted = re.compile(rf"of {QUESTIONS} questions have a partition")
    expect(created).to_contain_text(counted, timeout=JOB_MS)
    check(page)


def test_a_study_is_created_tried_opened_watched_adjudicated_frozen_and_partitioned(
    served: Stack, profiles: BrowserProfiles, question_set: str, device: str
) -> None:
    size: ViewportSize = DEVICES[device]
    page = profiles.open_signed_in(ADMINISTRATOR, "/studies/new?from=question-set", size=size)
    study = create_draft(page, f"Study of {question_set}", question_set)
    check(page)
    try_first_question(page)
    move(page, "Open the study", "Open it")
    expect(page.get_by_text("updates live", exact=True)).to_be_visible()
    answer_and_watch(served, page, study)
    check(page)
    adjudicate_first(page)
    page.goto(f"{served.url}/studies/{study}")
    move(page, "Close the study", "Close it")
    freeze(page, study)
    create_partitions(page)
    masked = served.manage("mask_questions", question_set, "--method", "expert", "--json")
    assert json.loads(masked.splitlines()[-1])["included"]
