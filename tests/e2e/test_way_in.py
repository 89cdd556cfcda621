"""A physician's way in: from her link to her last question, by keyboard, clicks and dragging."""

import re
import uuid
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.browsing import (
    DESKTOP,
    NARROWEST,
    PHONE,
    Visits,
    assert_accessible,
    assert_fits,
    press_to,
    settle,
)
from tests.e2e.letters import CODE, found_in_mail
from tests.e2e.stack import Stack
from tests.load import people, play
from tests.load.studies import COORDINATOR, exported, new_study


@dataclass
class Invited:
    """A study of its own, and the link that one new expert was sent."""

    study: str
    path: str
    email: str


def invite(served: Stack, questions: int = 3) -> Invited:
    async def prepare() -> Invited:
        coordinator, study = await new_study(served.url, questions)
        email = f"dr-{study[:8]}@example.org"
        token = await people.invite_expert(coordinator, study, email)
        return Invited(study, f"/invite#{token}", email)

    invited: Invited = play(prepare())
    return invited


def revisions(served: Stack, study: str) -> list[dict[str, Any]]:
    """The last submission of each question, in order of the questions."""

    async def read() -> list[dict[str, Any]]:
        coordinator = await people.sign_in(served.url, COORDINATOR)
        return [(one["revisions"] or [{}])[-1] for one in await exported(coordinator, study)]

    found: list[dict[str, Any]] = play(read())
    return found


def card(page: Page, place: int) -> Locator:
    return page.locator("[data-part=card]").nth(place - 1)


def question(page: Page, number: int) -> None:
    """The question is there to be answered, and its first candidate has focus."""
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"number {number}?")
    expect(page).to_have_title(re.compile(r"^Question \d+, .+ · Serendib$"))
    expect(card(page, 1)).to_be_focused()
    # For half a second nothing ends it: that would be meant for the question before.
    ending = page.get_by_role("contentinfo").get_by_role("button").last
    expect(ending).not_to_have_attribute("aria-disabled", "true")


def test_by_keyboard_alone_from_the_link_to_the_last_answer(served: Stack, visits: Visits) -> None:
    invited = invite(served)
    page = visits.visitor(invited.path)
    press_to(page, page.get_by_label("Your name"))
    page.keyboard.type("Dr Nimal Perera")
    page.keyboard.press("Enter")
    press_to(page, page.get_by_role("checkbox"))
    page.keyboard.press("Space")
    press_to(page, page.get_by_role("button", name=re.compile("Begin|Take part")))
    page.keyboard.press("Enter")
    question(page, 0)
    page.keyboard.press("a")
    expect(page.get_by_text("Press Enter to agree")).to_be_visible()
    page.keyboard.press("Enter")
    question(page, 1)
    for key in ("ArrowDown", "Alt+ArrowUp", "Control+Enter"):
        page.keyboard.press(key)
    question(page, 2)
    for key in ("j", "t", "n"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/end$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("done")
    told = revisions(served, invited.study)
    assert [one["state"] for one in told] == ["confirmed", "changed", "not_sure"]
    assert [len(group) for group in told[1]["ranking"]] == [1, 1, 1, 1]


def test_by_clicks_alone_on_a_phone(served: Stack, visits: Visits) -> None:
    invited = invite(served, 2)
    page = visits.visitor(invited.path, size=PHONE)
    page.get_by_label("Your name").fill("Dr Ishara Fernando")
    page.get_by_role("button", name="Accept the invitation").tap()
    page.get_by_text("I have read what is recorded").tap()
    page.get_by_role("button", name=re.compile("Begin|Take part")).tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 0?")
    name = card(page, 2).get_attribute("data-candidate")
    page.get_by_role("button", name=re.compile("^Move .* up$")).nth(1).tap()
    expect(card(page, 1)).to_have_attribute("data-candidate", name or "")
    page.get_by_role("button", name=re.compile("^Tie ")).last.tap()
    expect(page.get_by_text("tied with the one above")).to_be_visible()
    page.get_by_role("button", name=re.compile("Submit my order")).tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    page.get_by_role("button", name=re.compile("I agree with this order")).tap()
    expect(page).to_have_url(re.compile("/end$"))
    told = revisions(served, invited.study)
    assert [one["state"] for one in told] == ["changed", "confirmed"]
    assert told[0]["ranking"][0] == [name]
    assert [len(group) for group in told[0]["ranking"]] == [1, 1, 2]


def test_dragging_orders_as_buttons_and_keys_do(served: Stack, visits: Visits) -> None:
    invited = invite(served, 1)
    page = begin(visits, invited)
    handle = page.locator("[data-handle]").last.bounding_box()
    target = card(page, 1).bounding_box()
    assert handle
    assert target
    moved = card(page, 4).get_attribute("data-candidate")
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(handle["x"], target["y"] + target["height"], steps=8)
    page.mouse.move(handle["x"], target["y"] + 4, steps=8)
    page.mouse.up()
    expect(card(page, 1)).to_have_attribute("data-candidate", moved or "")
    # For 50 ms after a drop a click is still the drag's: press as long as a hand does.
    page.get_by_role("button", name=re.compile("Submit my order")).click(delay=100)
    expect(page).to_have_url(re.compile("/end$"))
    [told] = revisions(served, invited.study)
    assert told["ranking"][0] == [moved]


def begin(visits: Visits, invited: Invited, **how: Any) -> Page:
    """Her first question, with the least that leads there."""
    page = visits.visitor(invited.path, **how)
    page.get_by_label("Your name").fill("Dr Ruwan Silva")
    page.get_by_role("button", name="Accept the invitation").click()
    page.get_by_text("I have read what is recorded").click()
    page.get_by_role("button", name=re.compile("Begin|Take part")).click()
    expect(page.locator("[data-part=card]").first).to_be_visible()
    return page


def test_undo_back_and_a_second_thought_keep_the_history(served: Stack, visits: Visits) -> None:
    invited = invite(served, 2)
    page = begin(visits, invited)
    first = card(page, 1).get_attribute("data-candidate") or ""
    page.keyboard.press("Alt+ArrowDown")
    expect(card(page, 2)).to_have_attribute("data-candidate", first)
    page.keyboard.press("u")
    expect(card(page, 1)).to_have_attribute("data-candidate", first)
    page.get_by_role("button", name=re.compile("I agree with this order")).click()
    question(page, 1)
    page.get_by_role("button", name=re.compile("Back")).click()
    question(page, 0)
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    expect(page.get_by_text(re.compile(r"^Saved \d"))).to_be_visible()

    async def history() -> list[str]:
        coordinator = await people.sign_in(served.url, COORDINATOR)
        kept = (await exported(coordinator, invited.study))[0]
        return [one["state"] for one in kept["revisions"]]

    assert play(history()) == ["confirmed", "changed"]


def test_a_double_click_submits_one_question(served: Stack, visits: Visits) -> None:
    invited = invite(served, 3)
    page = begin(visits, invited)
    page.get_by_role("button", name=re.compile("I agree with this order")).dblclick()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    expect(page.get_by_text(re.compile(r"^Saved \d"))).to_be_visible()
    told = revisions(served, invited.study)
    assert [one.get("state") for one in told] == ["confirmed", None, None]


def test_single_letters_do_nothing_once_they_are_turned_off(served: Stack, visits: Visits) -> None:
    page = begin(visits, invite(served, 2))
    page.evaluate("localStorage.setItem('serendib-letter-keys', 'off')")
    page.reload()
    question(page, 0)
    for key in ("a", "Enter", "2", "t", "n"):
        page.keyboard.press(key)
    question(page, 0)
    expect(page.get_by_role("button", name=re.compile("I agree with this order"))).to_be_visible()


def test_she_signs_in_by_a_code_from_her_mail(served: Stack, visits: Visits) -> None:
    invited = invite(served, 1)
    begin(visits, invited)
    before = len(served.letters())
    page = visits.visitor("/sign-in")
    page.get_by_label("E-mail").fill(invited.email)
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_label("Code")).to_be_visible()
    code = found_in_mail(served, before, CODE)
    page.get_by_label("Code").fill("XXXXXX")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My batches")


def test_six_wrong_passwords_are_told_to_wait(served: Stack, visits: Visits) -> None:
    page = visits.visitor("/sign-in")
    page.get_by_text("Password", exact=False).first.click()
    # The limit is of the address, whether or not it has an account.
    page.get_by_label("E-mail").fill(f"nobody-{uuid.uuid4().hex}@example.org")
    for number in range(6):
        page.get_by_label("Password", exact=True).fill(f"wrong {number}")
        with page.expect_response("**/auth/login") as told:
            page.get_by_role("button", name="Sign in", exact=True).click()
    assert told.value.status in (400, 429)
    expect(page.get_by_role("alert")).to_contain_text(re.compile("too many|wait|minutes", re.I))


@pytest.mark.parametrize("token", ["", "no-such-token"])
def test_a_link_that_opens_nothing_says_what_to_do(visits: Visits, token: str) -> None:
    page = visits.visitor(f"/invite#{token}")
    settle(page)
    expect(page.get_by_role("main")).to_contain_text(re.compile("coordinator|invited you|link"))
    expect(page.get_by_label("Your name")).to_have_count(0)


def test_the_practice_question_is_ranked_without_an_account_by_keyboard(visits: Visits) -> None:
    page = visits.visitor("/")
    press_to(page, page.get_by_role("link", name="Rank a practice question"))
    page.keyboard.press("Enter")
    press_to(page, card(page, 1))
    writes: list[str] = []
    page.on("request", lambda one: writes.append(one.url) if one.method != "GET" else None)
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Nothing was saved or sent.", exact=False)).to_be_visible()
    expect(page.get_by_role("listitem").first).to_have_text("1. Ibuprofen")
    assert writes == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_of_her_way_is_accessible_and_fits(
    served: Stack, visits: Visits, theme: str
) -> None:
    invited = invite(served, 2)
    assert_whole(visits.visitor(invited.path, theme=theme))
    page = begin(visits, invited, theme=theme)
    batch = re.search(r"/rank/([^/?]+)", page.url)
    assert batch
    page.keyboard.press("Alt+ArrowDown")
    page.get_by_role("button", name="Comment").click()
    assert_whole(page)
    for path in ("/home", f"/studies/{invited.study}/introduction", f"/rank/{batch[1]}/end"):
        page.goto(path)
        assert_whole(page)


def assert_whole(page: Page) -> None:
    """Nothing for axe to find, wide or narrow, and no scrolling sideways."""
    assert_accessible(page)
    page.set_viewport_size(NARROWEST)
    assert_fits(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)
