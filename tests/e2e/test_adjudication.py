"""An expert flags a question; a coordinator answers, filters, adjudicates and revises."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
)
from tests.e2e.ranking_page import cards, new_expert
from tests.e2e.stack import Stack
from tests.load import play
from tests.load.studies import COORDINATOR

MESSAGE = "Are the first two the same drug?"
ANSWER = "No: one is a salt of the other."


def check(page: Page) -> None:
    assert_accessible(page)
    for size in (PHONE, NARROWEST, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)


def flag_offline(page: Page) -> None:
    """The message waits on the device, and is sent once there is a connection."""
    flag = page.get_by_role("button", name="Flag: ask the coordinators")
    flag.click()
    dialog = page.get_by_role("dialog", name="Ask the coordinators")
    expect(dialog.get_by_label("Message", exact=True)).to_be_visible()
    page.context.set_offline(True)
    dialog.get_by_label("Message", exact=True).fill(MESSAGE)
    dialog.get_by_role("button", name="Send the message").click()
    expect(dialog.get_by_text("not sent yet; stored on this device")).to_be_visible()
    page.context.set_offline(False)
    expect(dialog.get_by_text("not sent yet")).to_have_count(0)
    expect(dialog.get_by_text(MESSAGE)).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    dialog.get_by_role("button", name="Back to the question").click()
    expect(flag).to_be_focused()


def submit_moved(page: Page) -> None:
    """Once the question takes keys: the first card one place down, and submitted."""
    expect(cards(page).first).to_be_visible()
    ending = page.get_by_role("contentinfo").get_by_role("button").last
    expect(ending).not_to_have_attribute("aria-disabled", "true")
    cards(page).first.press("Alt+ArrowDown")
    page.keyboard.press("Control+Enter")


def answer_thread(page: Page) -> None:
    tabs = page.get_by_role("navigation", name="Parts of the study")
    expect(tabs.get_by_role("link", name="Questions 1 new message")).to_be_visible()
    page.get_by_label("State").select_option(label="Flagged by an expert")
    expect(page.get_by_text("1 of 3 questions")).to_be_visible()
    page.get_by_role(
        "button", name=re.compile("Which|What|question", re.IGNORECASE), expanded=False
    ).first.press("Enter")
    thread = page.get_by_role("region", name=re.compile("^Thread with"))
    expect(thread.get_by_text(MESSAGE)).to_be_visible()
    thread.get_by_label(re.compile("^Answer to")).fill(ANSWER)
    thread.get_by_role("button", name="Send the message").press("Enter")
    expect(thread.get_by_text(ANSWER)).to_be_visible()
    check(page)
    thread.get_by_role("button", name="Mark as resolved").press("Enter")
    expect(page.get_by_text("No question matches.")).to_be_visible()


def send_to_adjudication(page: Page) -> None:
    """What the experts answered, by keys."""
    page.get_by_label("State").select_option(label="Complete")
    expect(page.get_by_text("2 of 3 questions")).to_be_visible()
    page.get_by_role("checkbox", name="Select this page").press("Space")
    page.get_by_role("button", name="2 selected").press("Enter")
    page.get_by_role("menuitem", name="Send to adjudication").press("Enter")
    expect(page.get_by_text("2 questions sent to adjudication.")).to_be_visible()
    page.get_by_role("link", name="Adjudication", exact=True).press("Enter")


def adjudicate_blind(page: Page) -> None:
    """The question whose answers the coordinator never opened."""
    link = page.get_by_role("link", name="Adjudicate blind")
    expect(link).to_be_visible()
    check(page)
    tab_to(page, link)
    page.keyboard.press("Enter")
    expect(page.get_by_text("adjudication, blind")).to_be_visible()
    expect(cards(page).first).to_be_focused()
    assert "Nimal" not in page.content()
    check(page)
    expect(page.get_by_role("button", name="Skip")).to_have_count(0)
    submit_moved(page)
    answers = page.get_by_role("list", name="Answers of the experts")
    expect(answers).to_contain_text("Dr Nimal Perera")
    expect(answers).to_contain_text(re.compile("Adjudication by .*, blind"))
    check(page)


def adjudicate_not_blind(page: Page) -> None:
    """The question that was opened to answer its expert."""
    reason = page.get_by_text("This judgement is recorded as not blind.")
    expect(reason).to_be_visible()
    page.get_by_role("link", name="Adjudicate", exact=True).press("Enter")
    expect(page.get_by_text("adjudication, not blind")).to_be_visible()
    expect(reason).to_be_visible()
    check(page)
    submit_moved(page)
    answers = page.get_by_role("list", name="Answers of the experts")
    expect(answers).to_contain_text(re.compile("Adjudication by .*, not blind"))


def revise(page: Page) -> None:
    page.get_by_role("button", name="Revise my answer").press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("Their comment names a trial.")
    assert_accessible(page)
    dialog.get_by_role("button", name="Revise my answer").press("Enter")
    submit_moved(page)
    answers = page.get_by_role("list", name="Answers of the experts")
    expect(answers).to_contain_text(", not blind")
    expect(answers).to_contain_text(", revised")
    expect(page.get_by_text("Their comment names a trial.")).to_be_visible()
    expect(page.get_by_role("button", name="Revise my answer")).to_have_count(0)


def test_a_flagged_question_is_answered_adjudicated_blind_and_revised(
    served: Stack, profiles: BrowserProfiles
) -> None:
    expert = play(new_expert(served.url))
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=PHONE)
    expect(cards(page).first).to_be_focused()
    flag_offline(page)
    for following in (2, 3):
        submit_moved(page)
        expect(page.get_by_text(f"question {following}").first).to_be_visible()

    board = profiles.open_signed_in(COORDINATOR, f"/studies/{expert.study}?tab=questions")
    answer_thread(board)
    send_to_adjudication(board)
    adjudicate_blind(board)
    adjudicate_not_blind(board)
    revise(board)
    question, second, _ = expert.questions()
    adjudication, blind = (
        one
        for row in (question, second)
        for one in row["assignments"]
        if one["purpose"] == "adjudication"
    )
    assert [one["number"] for one in adjudication["revisions"]] == [1, 2]
    assert (adjudication["blinding"], blind["blinding"]) == ("answers_read", "blind")
    assert [one["text"] for one in question["threads"][0]["messages"]] == [MESSAGE, ANSWER]

    page.goto("/home")
    expect(page.get_by_text("1 new message about question 1")).to_be_visible()
    page.get_by_role("link", name="question 1", exact=True).click()
    page.get_by_role("button", name="Flag: ask the coordinators, 1 new message").click()
    expect(page.get_by_text(ANSWER)).to_be_visible()
