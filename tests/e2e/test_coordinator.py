"""A coordinator imports, looks, invites, reads what divides the experts, and reminds one."""

import re
import uuid

from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
)
from tests.e2e.mailbox import wait_for_mail
from tests.e2e.stack import Stack
from tests.e2e.test_board import choose_files, make_study, new_address, open_dashboard
from tests.load import play, virtual_users
from tests.load.studies import COORDINATOR

QUESTIONS = 3
COMMENT = "The second acts in the liver alone."


def import_study(page: Page) -> None:
    """By keys, but for the system's own window of files; under any name."""
    tab_to(page, page.get_by_label("Name of the study"))
    page.keyboard.type(f"By keys {uuid.uuid4().hex[:8]}")
    tab_to(page, page.get_by_label("Introduction"))
    page.keyboard.type("Thank you for your time.")
    choose_files(page, {"Heart and lungs.json": virtual_users.questionnaire(QUESTIONS)})
    tab_to(page, page.get_by_role("button", name="Import and create the study"))
    page.keyboard.press("Enter")


def check(page: Page) -> None:
    # What a button announced while it was busy names an element of the page before.
    expect(page.locator("[data-live-announcer] [role=img]")).to_have_count(0)
    assert_accessible(page)
    for size in (PHONE, NARROWEST, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)


def test_a_questionnaire_is_imported_looked_at_and_three_people_are_invited(
    served: Stack, profiles: BrowserProfiles
) -> None:
    page = profiles.open_signed_in(COORDINATOR, "/studies/new")
    import_study(page)
    tab_to(page, page.get_by_role("link", name="Look at the questions"))
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("3 questions . 45 s . 3 experts"))).to_be_visible()
    expect(page.get_by_text("Heart and lungs, question 1")).to_be_visible()
    check(page)
    tab_to(page, page.get_by_role("button", name="Next"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Question 2 of 3")).to_be_visible()

    addresses = [new_address() for _ in range(3)]
    page.get_by_role("button", name="Invite", exact=True).press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("E-mail addresses").fill(
        "\n".join([*addresses[:2], "nobody", addresses[2]])
    )
    dialog.get_by_label("Your message").fill("We met in Kandy.")
    dialog.get_by_role("button", name="Choose all").press("Enter")
    dialog.get_by_role("button", name="Invite 4 people").press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("'nobody' is not an e-mail address")
    assert_accessible(page)
    dialog.get_by_role("button", name="Invite only the other 3 people").press("Enter")
    expect(dialog.get_by_text("3 people invited, 3 mails sent.")).to_be_visible()
    expect(dialog.get_by_role("textbox")).to_have_count(3)
    assert_accessible(page)
    page.keyboard.press("Escape")
    mail = wait_for_mail(served, addresses[2], 0, re.compile(r"(\d+ questions, about .*minutes)"))
    assert mail == "3 questions, about 3 minutes"
    assert "We met in Kandy." in served.mails(addresses[0])[0]

    page.get_by_role("link", name="Progress", exact=True).press("Enter")
    again = page.get_by_role("button", name=f"Send the invitation of {addresses[0]} again")
    again.press("Enter")
    page.get_by_role("button", name="Send it again").press("Enter")
    expect(dialog.get_by_label(f"Invitation link for {addresses[0]}")).to_be_visible()
    page.keyboard.press("Escape")
    expect(again).to_be_focused()


def answer_apart(served: Stack, study: str) -> list[str]:
    """Two experts agree on the first question and part on the second; their addresses."""

    async def answer() -> list[str]:
        coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
        experts = await virtual_users.experts_of(coordinator, study, 2)
        for place, expert in enumerate(experts):
            first, second, _ = await virtual_users.work_of(expert)
            bodies = [first.write("agree"), second.write("agree")]
            if place:
                bodies[1] = second.write("submit", second.prior[::-1], comment=COMMENT)
            for session, body in zip((first, second), bodies, strict=True):
                assert (await session.put(body)).status == 200
            expert.hang_up()
        board = (await coordinator.get(f"/api/v1/studies/{study}/board")).json()
        return [expert["email"] for expert in board["experts"]]

    emails: list[str] = play(answer())
    return emails


@THEMES
def test_the_question_that_divides_the_experts_is_opened_and_one_is_reminded(
    served: Stack, profiles: BrowserProfiles, theme: str
) -> None:
    study = make_study(served)
    page = open_dashboard(profiles, study, theme=theme)
    emails = answer_apart(served, study)
    tab_to(page, page.get_by_role("link", name="Questions", exact=True))
    page.keyboard.press("Enter")
    first = page.get_by_role("list").filter(has_text="question 2").get_by_role("listitem").first
    expect(first).to_contain_text("number 1?")
    expect(first).to_contain_text("W 0.00")
    expect(first).to_contain_text("1 comment")
    question = first.get_by_role("button", expanded=False)
    tab_to(page, question)
    page.keyboard.press("Enter")
    expect(first.get_by_text("Furthest apart")).to_be_visible()
    expect(first.get_by_text(COMMENT)).to_be_visible()
    expect(first.get_by_role("table", name="Rank of each candidate in each order")).to_be_attached()
    expect(first.get_by_role("button", expanded=True)).to_be_focused()
    check(page)
    page.get_by_text("Show the answers in the list").click()
    page.get_by_label("Find in questions and comments").fill("in the liver")
    expect(page.get_by_text("1 of 3 questions")).to_be_visible()
    page.reload()
    expect(page.get_by_text("1 of 3 questions")).to_be_visible()

    page.get_by_role("link", name="Progress", exact=True).press("Enter")
    remind = page.get_by_role("button", name="Remind experts")
    remind.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.locator("label").filter(has_text="1 question left").first.click()
    expect(dialog.get_by_text("1 of your 3 questions are still open")).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("button", name="Send 1 reminder").press("Enter")
    expect(dialog.get_by_text("Reminder sent to")).to_be_visible()
    page.keyboard.press("Escape")
    expect(remind).to_be_focused()
    assert any("sent this reminder" in text for it in emails for text in served.mails(it))
