"""A physician from the invitation to the last question, by keyboard, clicks and dragging."""

import re
import uuid
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
    wait_until_loaded,
)
from tests.e2e.mailbox import CODE, wait_for_mail
from tests.e2e.ranking_page import expect_answerable
from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.studies import COORDINATOR, export_responses, new_study


@dataclass
class InvitedExpert:
    """A study of its own, and the link that one new expert was sent."""

    study: str
    path: str
    email: str


def invite(served: Stack, questions: int = 3) -> InvitedExpert:
    async def prepare() -> InvitedExpert:
        coordinator, study = await new_study(served.url, questions)
        email = f"dr-{study[:8]}@example.org"
        token = await virtual_users.invite_expert(coordinator, study, email)
        return InvitedExpert(study, f"/invite#{token}", email)

    invited: InvitedExpert = play(prepare())
    return invited


def revisions(served: Stack, study: str) -> list[dict[str, Any]]:
    """The last submission of each question, in order of the questions."""

    async def read() -> list[dict[str, Any]]:
        coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
        return [
            (one["revisions"] or [{}])[-1] for one in await export_responses(coordinator, study)
        ]

    result: list[dict[str, Any]] = play(read())
    return result


def card(page: Page, place: int) -> Locator:
    return page.locator("[data-part=card]").nth(place - 1)


def question(page: Page, number: int) -> None:
    """The question is there to be answered, and its first candidate has focus."""
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"number {number}?")
    expect(page).to_have_title(re.compile(r"^Question \d+, .+ · Serendib$"))
    expect(card(page, 1)).to_be_focused()
    expect_answerable(page)


def expect_all_saved(page: Page) -> None:
    """The batch is at its end, and the server has every answer."""
    expect(page).to_have_url(re.compile("/end$"))
    expect(page.get_by_text("each is saved")).to_be_visible()


def test_by_keyboard_alone_from_the_link_to_the_last_answer(
    served: Stack, profiles: BrowserProfiles
) -> None:
    invited = invite(served)
    page = profiles.open_page(invited.path, opens_offline=True)
    tab_to(page, page.get_by_label("Your name"))
    page.keyboard.type("Dr Nimal Perera")
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("checkbox"))
    page.keyboard.press("Space")
    tab_to(page, page.get_by_role("button", name=re.compile("Begin|Take part")))
    page.keyboard.press("Enter")
    question(page, 0)
    page.keyboard.press("a")
    expect(page.get_by_text("Press Enter to confirm")).to_be_visible()
    page.keyboard.press("Enter")
    question(page, 1)
    for key in ("ArrowDown", "Alt+ArrowUp", "Control+Enter"):
        page.keyboard.press(key)
    question(page, 2)
    for key in ("j", "t", "n"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect_all_saved(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("done")
    submitted = revisions(served, invited.study)
    assert [one["outcome"] for one in submitted] == ["confirmed", "changed", "not_sure"]
    assert [len(group) for group in submitted[1]["payload"]["ranking"]] == [1, 1, 1, 1]


def test_by_clicks_alone_on_a_phone(served: Stack, profiles: BrowserProfiles) -> None:
    invited = invite(served, 2)
    page = profiles.open_page(invited.path, size=PHONE)
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
    expect_all_saved(page)
    submitted = revisions(served, invited.study)
    assert [one["outcome"] for one in submitted] == ["changed", "confirmed"]
    assert submitted[0]["payload"]["ranking"][0] == [name]
    assert [len(group) for group in submitted[0]["payload"]["ranking"]] == [1, 1, 2]


def test_dragging_orders_as_buttons_and_keys_do(served: Stack, profiles: BrowserProfiles) -> None:
    invited = invite(served, 1)
    page = accept_invitation(profiles, invited)
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
    expect_all_saved(page)
    [submitted] = revisions(served, invited.study)
    assert submitted["payload"]["ranking"][0] == [moved]


def accept_invitation(visits: BrowserProfiles, invited: InvitedExpert, **how: Any) -> Page:
    """Their first question, with the least that leads there."""
    page = visits.open_page(invited.path, **how)
    page.get_by_label("Your name").fill("Dr Ruwan Silva")
    page.get_by_role("button", name="Accept the invitation").click()
    page.get_by_text("I have read what is recorded").click()
    page.get_by_role("button", name=re.compile("Begin|Take part")).click()
    expect(page.locator("[data-part=card]").first).to_be_visible()
    return page


def test_undo_back_and_a_second_thought_keep_the_history(
    served: Stack, profiles: BrowserProfiles
) -> None:
    invited = invite(served, 2)
    page = accept_invitation(profiles, invited)
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
        coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
        stored = (await export_responses(coordinator, invited.study))[0]
        return [one["outcome"] for one in stored["revisions"]]

    assert play(history()) == ["confirmed", "changed"]


def test_a_double_click_submits_one_question(served: Stack, profiles: BrowserProfiles) -> None:
    invited = invite(served, 3)
    page = accept_invitation(profiles, invited)
    page.get_by_role("button", name=re.compile("I agree with this order")).dblclick()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    expect(page.get_by_text(re.compile(r"^Saved \d"))).to_be_visible()
    submitted = revisions(served, invited.study)
    assert [one.get("outcome") for one in submitted] == ["confirmed", None, None]


def test_single_character_keys_do_nothing_once_they_are_turned_off(
    served: Stack, profiles: BrowserProfiles
) -> None:
    page = accept_invitation(profiles, invite(served, 2))
    page.evaluate("localStorage.setItem('serendib-letter-keys', 'off')")
    page.reload()
    question(page, 0)
    for key in ("a", "Enter", "2", "t", "n"):
        page.keyboard.press(key)
    question(page, 0)
    expect(page.get_by_role("button", name=re.compile("I agree with this order"))).to_be_visible()


def test_the_expert_signs_in_by_a_code_from_their_mail(
    served: Stack, profiles: BrowserProfiles
) -> None:
    invited = invite(served, 1)
    accept_invitation(profiles, invited)
    before = len(served.mails(invited.email))
    page = profiles.open_page("/sign-in")
    page.get_by_label("E-mail").fill(invited.email)
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_label("Code")).to_be_visible()
    code = wait_for_mail(served, invited.email, before, CODE)
    page.get_by_label("Code").fill("XXXXXX")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My batches")


def test_six_wrong_passwords_are_told_to_wait(served: Stack, profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/sign-in")
    page.get_by_text("Password", exact=False).first.click()
    # The limit is of the address, whether or not it has an account.
    page.get_by_label("E-mail").fill(f"nobody-{uuid.uuid4().hex}@example.org")
    for number in range(6):
        page.get_by_label("Password", exact=True).fill(f"wrong {number}")
        with page.expect_response("**/auth/login") as submitted:
            page.get_by_role("button", name="Sign in", exact=True).click()
    assert submitted.value.status == 400
    expect(page.get_by_role("alert")).to_contain_text(re.compile("too many|wait|minutes", re.I))


@pytest.mark.parametrize("token", ["", "no-such-token"])
def test_a_link_that_opens_nothing_says_what_to_do(profiles: BrowserProfiles, token: str) -> None:
    page = profiles.open_page(f"/invite#{token}")
    wait_until_loaded(page)
    expect(page.get_by_role("main")).to_contain_text(re.compile("coordinator|invited you|link"))
    expect(page.get_by_label("Your name")).to_have_count(0)


@THEMES
def test_every_page_of_their_way_is_accessible_and_fits(
    served: Stack, profiles: BrowserProfiles, theme: str
) -> None:
    invited = invite(served, 2)
    assert_complete(profiles.open_page(invited.path, theme=theme))
    page = accept_invitation(profiles, invited, theme=theme)
    batch = re.search(r"/rank/([^/?]+)", page.url)
    assert batch
    page.keyboard.press("Alt+ArrowDown")
    page.get_by_role("button", name="Comment").click()
    assert_complete(page)
    for path in ("/home", f"/studies/{invited.study}/introduction", f"/rank/{batch[1]}/end"):
        page.goto(path)
        assert_complete(page)


def assert_complete(page: Page) -> None:
    """Nothing for axe to find, wide or narrow, and no scrolling sideways."""
    assert_accessible(page)
    page.set_viewport_size(NARROWEST)
    assert_fits(page)
    assert_accessible(page)
    page.set_viewport_size(DESKTOP)
