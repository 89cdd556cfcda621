"""She loses nothing, ever: not the network, the tab, the server, the session or the computer's
next user takes anything that she did, and nobody else sees or sends it."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.browsing import (
    DEMO_PASSWORD,
    DESKTOP,
    NARROWEST,
    PATIENCE,
    Visits,
    assert_accessible,
    assert_fits,
)
from tests.e2e.desk import (
    ANSWERS,
    KEPT,
    LOOKS,
    Expert,
    cards,
    events,
    expect_kept,
    expect_saved,
    is_answer,
    is_look,
    kept_of,
    move_first_down,
    new_expert,
    order,
    resize,
    revisions,
    sign_out,
    stored_order,
    submit,
    use_as,
    wait_for,
    watch_answers,
)
from tests.e2e.stack import Stack
from tests.load import studies

END_SESSIONS = """
from django.contrib.sessions.models import Session
for session in Session.objects.all():
    if session.get_decoded().get("_auth_user_id") == "{user}":
        session.delete()
"""


@pytest.fixture
def expert(served: Stack) -> Expert:
    return wait_for(new_expert(served.url))


@pytest.fixture
def desk(visits: Visits, expert: Expert) -> Page:
    """Her ranking page, with the first question open, and able to open without a network."""
    page = visits.signed_in(expert.email, expert.desk)
    expect(cards(page).first).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return page


@pytest.fixture
def unreachable(desk: Page) -> Callable[[], None]:
    """No answer of hers gets through, while all else does; call it to end that."""
    desk.context.route(ANSWERS, lambda route: route.abort())
    return lambda: desk.context.unroute(ANSWERS)


def test_what_she_did_offline_survives_a_closed_tab_and_is_sent_later(
    desk: Page, expert: Expert
) -> None:
    profile = desk.context
    profile.set_offline(True)
    mine = move_first_down(desk)
    expect_kept(desk, 1)
    desk.close()

    again = profile.new_page()
    again.goto(expert.desk)
    expect(cards(again).first).to_be_visible()
    assert order(again) == mine
    expect_kept(again, 1)
    submit(again)
    expect(again.get_by_role("heading", name=re.compile("number 1"))).to_be_visible()
    assert revisions(expert) == [0, 0, 0]

    profile.set_offline(False)
    expect_saved(again)
    assert revisions(expert) == [1, 0, 0]
    assert (events(expert, "moved"), events(expert, "submitted")) == (1, 1)


def test_a_server_that_dies_with_her_answer_in_hand_has_it_once(
    served: Stack, desk: Page, expert: Expert
) -> None:
    move_first_down(desk)
    expect_saved(desk)
    served.pause_web()
    with desk.expect_request(ANSWERS):
        submit(desk)
    served.kill("web")
    served.wait_until_served()
    expect_saved(desk)
    assert revisions(expert) == [1, 0, 0]
    assert events(expert, "submitted") == 1


def test_an_answer_whose_acknowledgement_is_lost_counts_once(desk: Page, expert: Expert) -> None:
    sent: list[str | None] = []

    def lose_two(route: Route, request: Request) -> None:
        sent.append(request.headers.get("idempotency-key"))
        if len(sent) > 2:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    move_first_down(desk)
    expect_saved(desk)
    desk.route(ANSWERS, lose_two)
    submit(desk)
    expect(desk.get_by_text(KEPT).first).to_be_visible(timeout=PATIENCE)
    expect_saved(desk)
    assert len(set(sent[:3])) == 1
    assert revisions(expert) == [1, 0, 0]
    assert events(expert, "submitted") == 1


def test_a_session_that_ran_out_is_renewed_over_the_page(
    served: Stack, desk: Page, expert: Expert
) -> None:
    served.manage("shell", "-c", END_SESSIONS.format(user=expert.user))
    mine = move_first_down(desk)
    dialog = desk.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_contain_text(expert.email)
    expect(dialog.get_by_label("E-mail")).to_have_count(0)
    assert_accessible(desk)
    dialog.get_by_label("Password").fill(DEMO_PASSWORD)
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog).to_be_hidden()
    expect_saved(desk)
    assert order(desk) == mine
    submit(desk)
    expect_saved(desk)
    expect(desk.get_by_role("heading", name=re.compile("number 1"))).to_be_visible()
    assert events(expert, "moved") == 1


def test_a_session_is_renewed_with_a_code_too(served: Stack, desk: Page, expert: Expert) -> None:
    served.manage("shell", "-c", END_SESSIONS.format(user=expert.user))
    move_first_down(desk)
    dialog = desk.get_by_role("dialog", name="Sign in again")
    dialog.get_by_role("radio", name="Code by e-mail").click()
    dialog.get_by_role("button", name="Send me a code").click()
    field = dialog.get_by_label("Code", exact=True)
    field.wait_for()
    field.fill(code_for(served, expert.email))
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog).to_be_hidden()
    expect_saved(desk)


def code_for(served: Stack, email: str) -> str:
    [*_, letter] = [one for one in served.letters() if f"To: {email}" in one]
    found = re.search(r"^([A-Z0-9]{4}-[A-Z0-9]{4})$", letter, re.MULTILINE)
    assert found, letter
    return found.group(1)


def test_signing_out_with_unsent_changes_warns_and_keeps_them_for_her_alone(
    desk: Page, expert: Expert, unreachable: Callable[[], None]
) -> None:
    profile = desk.context
    move_first_down(desk)
    expect_kept(desk, 1)
    sign_out(desk)
    dialog = desk.get_by_role("dialog", name="Some changes are not sent")
    expect(dialog).to_contain_text("1 change has not been sent yet")
    assert_accessible(desk)
    dialog.get_by_role("button", name="Sign out and keep it here").click()
    expect(desk.get_by_role("link", name="Sign in").first).to_be_visible()

    unreachable()
    answers_sent = watch_answers(profile)
    use_as(desk, studies.COORDINATOR)
    desk.goto(expert.desk)
    expect(desk.get_by_role("heading").first).to_be_visible()
    expect(cards(desk)).to_have_count(0)
    assert kept_of(desk) == 0
    assert answers_sent == []

    use_as(desk, expert.email)
    with profile.expect_event("requestfinished", lambda one: is_answer(one)):
        desk.goto("/home")
    desk.goto(expert.desk)
    expect(cards(desk).first).to_be_visible()
    assert events(expert, "moved") == 1


def test_signing_out_in_one_tab_takes_her_work_off_the_screen_of_the_others(desk: Page) -> None:
    beside = desk.context.new_page()
    sign_out(beside)
    expect(desk.get_by_role("link", name="Sign in").first).to_be_visible()
    expect(cards(desk)).to_have_count(0)


def test_another_persons_sign_in_beside_her_page_sends_nothing_of_hers(
    desk: Page, expert: Expert, unreachable: Callable[[], None]
) -> None:
    mine = move_first_down(desk)
    expect_kept(desk, 1)
    other = desk.context.new_page()
    other.goto("/healthz")
    use_as(other, studies.COORDINATOR)
    dialog = desk.get_by_role("dialog", name="Someone else is signed in")
    expect(dialog).to_contain_text(studies.COORDINATOR)

    unreachable()
    answers_sent = watch_answers(desk.context)
    with desk.expect_response("**/api/v1/me"):
        desk.evaluate("window.dispatchEvent(new Event('online'))")
    expect(desk.get_by_text("Someone else is signed in, 1 change kept").first).to_be_attached()
    assert answers_sent == []

    dialog.get_by_role("button", name=f"Sign out {studies.COORDINATOR}").click()
    again = desk.get_by_role("dialog", name="Sign in again")
    again.get_by_label("Password").fill(DEMO_PASSWORD)
    again.get_by_role("button", name="Sign in", exact=True).click()
    expect_saved(desk)
    assert order(desk) == mine
    assert events(expert, "moved") == 1


def test_two_devices_that_part_are_shown_side_by_side(
    visits: Visits, desk: Page, expert: Expert
) -> None:
    phone = visits.signed_in(expert.email, expert.desk)
    expect(cards(phone).first).to_be_visible()
    move_first_down(phone)
    expect_saved(phone)

    cards(desk).last.press("Alt+ArrowUp")
    mine = order(desk)
    dialog = desk.get_by_role("dialog", name="Question 1 was answered in two places")
    expect(dialog.get_by_text("differs").first).to_be_visible()
    assert_accessible(desk)
    resize(desk, NARROWEST)
    assert_fits(desk)
    dialog.get_by_role("button", name="Decide later").click()
    assert_accessible(desk)
    resize(desk, DESKTOP)
    assert order(desk) == mine
    desk.get_by_role("button", name="Compare both answers").click()
    dialog.get_by_role("button", name="Keep mine").click()
    expect_saved(desk)
    phone.reload()
    expect(cards(phone).first).to_be_visible()
    assert order(phone) == mine


def test_two_tabs_show_the_same_answer(desk: Page, expert: Expert) -> None:
    beside = desk.context.new_page()
    beside.goto(expert.desk)
    expect(cards(beside).first).to_be_visible()
    look_for_a_while(beside)
    for here, there in [(desk, beside), (beside, desk), (desk, beside), (desk, beside)]:
        mine = move_first_down(here)
        expect_order(there, mine)
        look_for_a_while(there)
        assert order(here) == mine
        assert_stored(expert, mine)
    expect(desk.get_by_role("dialog")).to_have_count(0)
    expect(beside.get_by_role("dialog")).to_have_count(0)


def test_the_saved_answer_stays_when_she_takes_it(
    visits: Visits, desk: Page, expert: Expert
) -> None:
    phone = visits.signed_in(expert.email, expert.desk)
    expect(cards(phone).first).to_be_visible()
    theirs = move_first_down(phone)
    submit(phone)
    expect_saved(phone)

    cards(desk).last.press("Alt+ArrowUp")
    dialog = desk.get_by_role("dialog", name="Question 1 was answered in two places")
    expect(dialog).to_be_visible()
    look_for_a_while(desk)
    dialog.get_by_role("button", name="Take the saved one").click()
    expect_order(desk, theirs)
    expect_saved(desk)
    look_for_a_while(desk)
    assert_stored(expert, theirs, state="changed")
    assert revisions(expert) == [1, 0, 0]


def test_looking_on_one_device_stands_against_no_answer_on_another(
    visits: Visits, desk: Page, expert: Expert
) -> None:
    phone = visits.signed_in(expert.email, expert.desk)
    expect(cards(phone).first).to_be_visible()
    look_for_a_while(phone)
    with phone.expect_response(LOOKS):
        phone.get_by_role("link", name="Serendib, my batches").click()

    mine = move_first_down(desk)
    expect_saved(desk)
    expect(desk.get_by_role("dialog")).to_have_count(0)
    assert_stored(expert, mine)


def test_leaving_a_question_records_that_she_looked(desk: Page, expert: Expert) -> None:
    look_for_a_while(desk)
    with desk.expect_response(LOOKS):
        desk.get_by_role("link", name="Serendib, my batches").click()
    [first, *_] = expert.answers()
    assert first["response"]["active_ms"] >= LOOKED_MS
    assert first["response"]["state"] == "untouched"
    assert events(expert, "opened") == 1


def test_closing_the_tab_records_that_she_looked_once(desk: Page, expert: Expert) -> None:
    """What was kept of it besides is sent again by the next page, and changes nothing."""
    look_for_a_while(desk)
    profile = desk.context
    desk.close()
    looked = response_of_first(expert)
    assert looked["active_ms"] >= LOOKED_MS
    assert looked["state"] == "untouched"

    again = profile.new_page()
    again.goto("/home")
    expect(again.get_by_role("heading", name="My batches")).to_be_visible()
    look_for_a_while(again)
    assert expert.answers()[0]["response"]["active_ms"] == looked["active_ms"]
    assert events(expert, "opened") == 1


def response_of_first(expert: Expert) -> dict[str, Any]:
    """Nobody says when the request of a closed tab has arrived."""
    for _ in range(50):
        found: dict[str, Any] | None = expert.answers()[0]["response"]
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("Nothing of the closed tab has arrived.")


def test_what_is_hidden_is_not_looked_at(desk: Page, expert: Expert) -> None:
    """A tab opened behind the others, as a click with the middle button does."""
    behind = desk.context.new_page()
    behind.add_init_script(
        "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })"
    )
    behind.goto(expert.desk)
    expect(cards(behind).first).to_be_visible()
    look_for_a_while(behind)
    looks: list[str] = []
    behind.on("request", lambda one: looks.append(one.url) if is_look(one) else None)
    behind.get_by_role("link", name="Serendib, my batches").click()
    expect(behind.get_by_role("heading", name="My batches")).to_be_visible()
    look_for_a_while(behind)
    assert looks == []


LOOKED_MS = 1500


def look_for_a_while(page: Page) -> None:
    """So long that leaving the question is recorded: it is the time itself that is tested."""
    page.wait_for_timeout(LOOKED_MS)


def expect_order(page: Page, names: list[str]) -> None:
    for place, name in enumerate(names):
        card = re.compile(rf"^{re.escape(name)}, rank")
        expect(cards(page).nth(place)).to_have_attribute("aria-label", card)


def assert_stored(expert: Expert, names: list[str], state: str = "draft") -> None:
    """The server has of the first question what stands on her screen."""
    limit = time.monotonic() + PATIENCE / 1000
    while stored_order(expert) != (names, state) and time.monotonic() < limit:
        time.sleep(0.1)
    assert stored_order(expert) == (names, state)
