"""Questions without a prior, by keyboard and by touch: nothing states another order."""

import json
import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
)
from tests.e2e.ranking_page import (
    Expert,
    candidate_order,
    cards,
    expect_answerable,
    invite_expert,
    run_coroutine,
)
from tests.e2e.stack import Stack
from tests.load import studies, virtual_users
from tests.load.http import Browser

TEXTS = ("Which four are first?", "Which four are second?", "Which of the two?")
PRIOR = re.compile(r"prior(?!ity)|\bmodel|\bagree", re.IGNORECASE)
HIDE_PRIOR = """
from annotation.models import StudyDesign
StudyDesign.objects.filter(study="{study}").update(arm_shares={{"prior": {{"hidden": 1}}}})
"""


def questionnaire() -> bytes:
    """Two questions with four candidates and one with two; a name ends with its rank."""
    listed = [
        *json.loads(virtual_users.questionnaire(2)),
        *json.loads(virtual_users.questionnaire(1, candidates=2, first_qid=2)),
    ]
    numbered = [
        {**one, "question_number": number, "text": text}
        for number, (one, text) in enumerate(zip(listed, TEXTS, strict=True), 1)
    ]
    return json.dumps(numbered).encode()


@pytest.fixture
def expert(served: Stack) -> Expert:
    """The prior is hidden in every question that is assigned after the study is designed."""

    async def create() -> tuple[Browser, str]:
        coordinator = await virtual_users.sign_in(served.url, studies.COORDINATOR)
        name, files = f"Hidden {uuid.uuid4().hex[:8]}", {"batch1.json": questionnaire()}
        return coordinator, await virtual_users.import_study(coordinator, name, files)

    coordinator, study = run_coroutine(create())
    served.manage("shell", "-c", HIDE_PRIOR.format(study=study))
    again = Browser(coordinator.address, coordinator.cookies)  # for another loop
    return run_coroutine(invite_expert(again, study))


def open_recorded(
    profiles: BrowserProfiles, expert: Expert, **how: Any
) -> tuple[Page, list[Response]]:
    """The first question, and every answer of the API to this page."""
    page = profiles.open_signed_in(expert.email, "/api/v1/me", **how)
    answers: list[Response] = []
    page.on("response", lambda one: answers.append(one) if "/api/" in one.url else None)
    page.goto(expert.ranking_path)
    return page, answers


def question(page: Page, number: int) -> None:
    """It is there to be answered, and no part of it states another order."""
    expect(page.get_by_role("heading", level=1)).to_have_text(TEXTS[number - 1])
    expect(cards(page).first).to_be_focused()
    expect_answerable(page)
    assert PRIOR.search(page.locator("main").inner_html()) is None
    assert PRIOR.search(page.get_by_role("contentinfo").inner_html()) is None


def assert_no_prior(answers: list[Response]) -> None:
    with_text = [one for one in answers if one.status == 200]
    assert any(one.url.endswith("/assignments") for one in with_text)
    assert [one.url for one in with_text if "prior" in one.text()] == []


def expect_ranked(page: Page, answers: list[Response]) -> None:
    """All answers are saved; they stand alike at the end of the batch and on the home page."""
    expect(page.get_by_text("each is saved")).to_be_visible()
    expect(page.get_by_role("term").filter(has_text="Ranked")).to_be_visible()
    assert_no_prior(answers)
    page.goto("/home")
    for number in (1, 2, 3):
        expect(page.get_by_role("link", name=f"Question {number}: ranked")).to_be_visible()


def submitted(expert: Expert) -> list[tuple[str, list[list[str]]]]:
    """Outcome and order of the submission of each question, by name."""
    result = []
    for one in expert.questions():
        names = {candidate["id"]: candidate["name"] for candidate in one["candidates"]}
        [revision] = one["assignments"][0]["revisions"]
        order = [[names[key] for key in group] for group in revision["payload"]["ranking"]]
        result.append((revision["outcome"], order))
    return result


def test_by_keyboard_an_order_equal_to_the_prior_is_one_like_any_other(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page, answers = open_recorded(profiles, expert, size=DESKTOP)
    question(page, 1)
    assert_accessible(page)
    start = candidate_order(page)
    page.keyboard.press("a")
    expect(page.get_by_text("Press Enter to confirm")).to_be_visible()
    expect(page.get_by_role("button", name="This is my order")).to_be_visible()
    page.keyboard.press("Enter")

    question(page, 2)
    prior = sorted(candidate_order(page))
    for rank, name in enumerate(prior, 1):
        cards(page).filter(has_text=name).focus()
        page.keyboard.press(str(rank))
    assert candidate_order(page) == prior
    page.keyboard.press("Control+Enter")

    question(page, 3)
    [left, right] = candidate_order(page)
    for key in ("ArrowRight", "1"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name=f"Chosen: {right}")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Control+Enter")

    expect_ranked(page, answers)
    assert submitted(expert) == [
        ("ranked", [[name] for name in start]),
        ("ranked", [[name] for name in prior]),
        ("ranked", [[right], [left]]),
    ]


def test_by_touch_on_a_phone_and_then_at_the_coordinator(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page, answers = open_recorded(profiles, expert, size=PHONE)
    question(page, 1)
    assert_accessible(page)
    assert_fits(page)
    [first, second, *rest] = candidate_order(page)
    page.get_by_role("button", name=f"Move {second} up").tap()
    page.get_by_role("button", name="Submit my order").tap()

    question(page, 2)
    start = candidate_order(page)
    page.get_by_role("button", name="This is my order").tap()

    question(page, 3)
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("button", name="Equal: neither is more serendipitous").tap()
    page.get_by_role("button", name="Submit my order").tap()

    expect_ranked(page, answers)
    moved, confirmed, (outcome, tied) = submitted(expert)
    assert moved == ("ranked", [[name] for name in (second, first, *rest)])
    assert confirmed == ("ranked", [[name] for name in start])
    assert (outcome, [len(group) for group in tied]) == ("ranked", [2])

    board = profiles.open_signed_in(
        studies.COORDINATOR, f"/studies/{expert.study}?tab=questions&order=number&answers=shown"
    )
    board.get_by_role("button", name=TEXTS[0]).click()
    row = board.get_by_role("listitem").filter(has_text=TEXTS[0])
    expect(row.get_by_text("1 of 1 expert answered, 1 ranked")).to_be_visible()
    table = row.get_by_role("table", name="Rank of each candidate in each order")
    expect(table.get_by_role("columnheader")).to_have_text(
        ["Candidate", "prior", "Dr Nimal Perera"]
    )
