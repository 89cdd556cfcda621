"""An expert on a phone, by touch alone: a link in a mail, five questions, evidence for two."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    TIMEOUT_MS,
    TOUCH_SIZE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
)
from tests.e2e.evidence_study import new_expert
from tests.e2e.mailbox import wait_for_mail
from tests.e2e.ranking_page import Expert, candidate_order, cards, expect_answerable, run_coroutine
from tests.e2e.stack import Stack
from tests.load import virtual_users
from tests.load.http import Browser

LINK = re.compile(r"^https?://[^/\s]+(/continue#\S+)$", re.MULTILINE)
TOUCH_TARGETS = """size => [...document.querySelectorAll("main :is(button, a[href])")]
  .concat([...document.querySelectorAll("footer button")])
  .filter((one) => one.checkVisibility())
  .map((one) => {
    one.scrollIntoView({ block: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const isHit = (dx, dy) => {
      const hit = document.elementFromPoint(x + dx, y + dy);
      return hit === one || one.contains(hit);
    };
    const reach = size / 2 - 1;
    const wide = width >= size - 0.5 || isHit(-reach, 0) || isHit(reach, 0);
    const high = height >= size - 0.5 || isHit(0, -reach) || isHit(0, reach);
    const name = one.getAttribute("aria-label") ?? one.innerText;
    return wide && high ? "" : `${name} ${width}x${height}`;
  })
  .filter(Boolean)"""


@pytest.fixture
def expert(served: Stack) -> Expert:
    return run_coroutine(new_expert(served.url, questions=5))


def remind(served: Stack, expert: Expert) -> str:
    """The path of the link in the mail that the coordinator sends."""
    before = len(served.mails(expert.email))

    async def send() -> None:
        coordinator = Browser(expert.coordinator.address, expert.coordinator.cookies)
        path = f"/api/v1/studies/{expert.study}/reminders"
        body = {"experts": [expert.user]}
        answer = virtual_users.expect_status(200, await coordinator.post(path, body))
        assert len(answer["sent"]) == 1

    run_coroutine(send())
    return wait_for_mail(served, expert.email, before, LINK)


def question(page: Page, number: int) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"case {number}?")
    expect(cards(page).first).to_be_focused()
    expect_answerable(page)


def peek(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Evidence for"))


def sheet(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Help and questions")


def test_five_questions_by_touch_from_the_link_in_the_mail(
    served: Stack, profiles: BrowserProfiles, expert: Expert
) -> None:
    link = remind(served, expert)
    assert "5 questions, about 4 minutes." in served.mails(expert.email)[-1]
    # A program that scans mail opens the link, and uses nothing up.
    profiles.open_page(link).get_by_role("button", name="Open my next question").wait_for()
    page = profiles.open_page(link, size=PHONE)
    assert_accessible(page)
    page.get_by_role("button", name="Open my next question").tap()
    question(page, 1)
    assert_accessible(page)
    assert_fits(page)
    assert page.evaluate(TOUCH_TARGETS, TOUCH_SIZE) == []
    page.get_by_role("button", name="I agree with this order").tap()

    question(page, 2)
    expect(peek(page)).to_have_accessible_name(
        "Evidence for Bortezomib: multiple myeloma is treated by Bortezomib"
    )
    peek(page).tap()
    expect(sheet(page).get_by_text(re.compile("is treated by")).first).to_be_visible()
    expect(sheet(page).get_by_role("radio", name="Keys")).to_have_count(0)
    assert_accessible(page)
    sheet(page).get_by_role("button", name="Close").tap()
    expect(sheet(page)).to_have_count(0)
    expect(peek(page)).to_be_focused()
    page.get_by_role("button", name="Move Thalidomide up").tap()
    assert candidate_order(page)[0] == "Thalidomide"
    page.get_by_role("button", name="Submit my order").tap()

    question(page, 3)
    page.get_by_role("button", name="Not sure").tap()
    page.get_by_role("textbox", name="Comment, if you like").fill("None of them is used here.")
    assert_accessible(page)
    page.get_by_role("button", name="It is outside my field").tap()

    question(page, 4)
    cards(page).nth(1).get_by_text("Thalidomide").tap()
    expect(cards(page).nth(1)).to_be_focused()
    expect(peek(page)).to_have_accessible_name(re.compile("^Evidence for Thalidomide"))
    peek(page).tap()
    expect(sheet(page).get_by_text("Matched by identifier DRUGBANK:DB01041")).to_be_visible()
    sheet(page).get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="I agree with this order").tap()

    question(page, 5)
    page.get_by_role("radio", name="4, sure").tap()
    page.get_by_role("button", name="Tie Thalidomide with Bortezomib").tap()
    page.get_by_role("button", name="Submit my order").tap()
    expect(page.get_by_role("heading", name="What happens next")).to_be_visible()
    expect(page.get_by_text("each is saved")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    outcomes = [one["response"]["outcome"] for one in expert.answers()]
    assert outcomes == ["confirmed", "changed", "not_sure", "confirmed", "changed"]
    payloads = [one["response"]["payload"] for one in expert.answers()]
    assert payloads[2]["comment"] == "None of them is used here."
    assert payloads[4]["confidence"] == 4

    page.get_by_role("link", name="To my batches").tap()
    expect(page.get_by_role("link", name="Question 3: not sure")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    page.get_by_role("link", name="My contribution, to be cited").tap()
    expect(page.get_by_label("Text to cite")).to_have_value(re.compile("5 answers to 5 questions"))
    assert_accessible(page)


def test_a_link_that_was_used_sends_another_one(
    served: Stack, profiles: BrowserProfiles, expert: Expert
) -> None:
    link = remind(served, expert)
    page = profiles.open_page(link, size=PHONE)
    page.get_by_role("button", name="Open my next question").tap()
    question(page, 1)
    again = profiles.open_page(link, size=PHONE)
    again.get_by_role("button", name="Open my next question").tap()
    before = len(served.mails(expert.email))
    again.get_by_role("button", name="Send a new link").tap()
    expect(again.get_by_text("A new link is on its way")).to_be_visible()
    assert_accessible(again)
    again.goto(wait_for_mail(served, expert.email, before, LINK))
    again.get_by_role("button", name="Open my next question").tap()
    question(again, 1)


def test_focus_is_on_the_answer_after_every_dialog(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=DESKTOP)
    question(page, 1)
    page.keyboard.press("j")
    second = cards(page).nth(1)
    dialog = page.get_by_role("dialog")
    panel = page.get_by_role("complementary", name="Help and questions")

    page.keyboard.press("n")
    expect(dialog.get_by_role("button", name="It is outside my field")).to_be_focused()
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(second).to_be_focused()

    page.keyboard.press("?")
    expect(panel).to_be_focused()
    expect(panel.get_by_text("how sure you are")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(panel.get_by_text("Matched by identifier DRUGBANK:DB01041")).to_be_visible()
    expect(second).to_be_focused()

    page.keyboard.press("h")
    expect(panel).to_be_focused()
    panel.get_by_role("button", name="Close").click()
    expect(second).to_be_focused()

    page.keyboard.press("s")
    page.keyboard.press("3")
    expect(page.get_by_role("radio", name="3, fairly sure")).to_be_checked()
    expect(second).to_be_focused()

    page.keyboard.press("c")
    expect(page.get_by_role("textbox", name="Comment")).to_be_focused()
    page.keyboard.type("Seen once.")
    page.keyboard.press("Escape")
    expect(second).to_be_focused()

    second.get_by_role("button", name=re.compile("^Rank 2")).click()
    page.get_by_role("menuitem", name="Place at 1").click()
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(cards(page).first.get_by_role("button", name=re.compile("^Rank 1"))).to_be_focused()
    cards(page).first.focus()

    page.keyboard.press("n")
    page.keyboard.press("Enter")
    question(page, 2)
    page.keyboard.press("j")
    expect(cards(page).nth(1)).to_be_focused()
    assert page.evaluate("document.activeElement !== document.body")
    expect(page.get_by_text(re.compile(r"^Saved \d")).first).to_be_visible(timeout=TIMEOUT_MS)
    [first, *_] = expert.answers()
    assert first["response"]["outcome"] == "not_sure"
    assert first["response"]["payload"]["comment"] == "Seen once."
