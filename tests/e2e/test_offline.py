"""Answers survive a lost network, tab, server or session and another user of the computer.

Nobody else sees or sends them.
"""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.browser_helpers import (
    DEMO_PASSWORD,
    DESKTOP,
    NARROWEST,
    PHONE,
    TIMEOUT_MS,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
)
from tests.e2e.ranking_page import (
    ACTIVITY_URLS,
    RESPONSE_URLS,
    UNSENT,
    Expert,
    candidate_order,
    cards,
    count_events,
    count_unsent,
    expect_saved,
    expect_unsent,
    is_activity_write,
    is_response_write,
    move_first_down,
    new_expert,
    record_response_writes,
    resize,
    revisions,
    run_coroutine,
    sign_in_as,
    sign_out,
    stored_order,
    submit,
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
def expert(stack: Stack) -> Expert:
    return run_coroutine(new_expert(stack.url, password=DEMO_PASSWORD))


@pytest.fixture
def open_ranking(profiles: BrowserProfiles, expert: Expert) -> Page:
    """Their ranking page, with the first question open, and able to open without a network."""
    page = profiles.open_signed_in(expert.email, expert.ranking_path, opens_offline=True)
    expect(cards(page).first).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return page


@pytest.fixture
def assert_not_reachable(open_ranking: Page) -> Callable[[], None]:
    """No answer of theirs gets through, while all else does; call it to end that."""
    open_ranking.context.route(RESPONSE_URLS, lambda route: route.abort())
    return lambda: open_ranking.context.unroute(RESPONSE_URLS)


def test_what_the_expert_did_offline_survives_a_closed_tab_and_is_sent_later(
    open_ranking: Page, expert: Expert
) -> None:
    profile = open_ranking.context
    profile.set_offline(True)
    mine = move_first_down(open_ranking)
    expect_unsent(open_ranking, 1)
    open_ranking.close()

    again = profile.new_page()
    again.goto(expert.ranking_path)
    expect(cards(again).first).to_be_visible()
    assert candidate_order(again) == mine
    expect_unsent(again, 1)
    for size in (PHONE, NARROWEST):
        again.set_viewport_size(size)
        expect(again.get_by_text("Offline, 1 saved", exact=True)).to_be_visible()
        assert_fits(again)
    again.set_viewport_size(DESKTOP)
    submit(again)
    expect(again.get_by_role("heading", name=re.compile("number 1"))).to_be_visible()
    assert revisions(expert) == [0, 0, 0]

    profile.set_offline(False)
    expect_saved(again)
    assert revisions(expert) == [1, 0, 0]
    assert (count_events(expert, "moved"), count_events(expert, "submitted")) == (1, 1)


@pytest.mark.disrupts
def test_a_server_that_dies_with_their_answer_in_hand_has_it_once(
    stack: Stack, open_ranking: Page, expert: Expert
) -> None:
    move_first_down(open_ranking)
    expect_saved(open_ranking)
    stack.pause("web")
    with open_ranking.expect_request(RESPONSE_URLS):
        submit(open_ranking)
    stack.kill("web")
    stack.wait_until_served()
    expect_saved(open_ranking)
    assert revisions(expert) == [1, 0, 0]
    assert count_events(expert, "submitted") == 1


def test_an_answer_whose_acknowledgement_is_lost_counts_once(
    open_ranking: Page, expert: Expert
) -> None:
    sent: list[str | None] = []

    def lose_two(route: Route, request: Request) -> None:
        sent.append(request.headers.get("idempotency-key"))
        if len(sent) > 2:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    move_first_down(open_ranking)
    expect_saved(open_ranking)
    open_ranking.route(RESPONSE_URLS, lose_two)
    submit(open_ranking)
    expect(open_ranking.get_by_text(UNSENT).first).to_be_visible(timeout=TIMEOUT_MS)
    expect_saved(open_ranking)
    assert len(set(sent[:3])) == 1
    assert revisions(expert) == [1, 0, 0]
    assert count_events(expert, "submitted") == 1


def test_a_session_that_ran_out_is_renewed_over_the_page(
    served: Stack, open_ranking: Page, expert: Expert
) -> None:
    served.manage("shell", "-c", END_SESSIONS.format(user=expert.user))
    mine = move_first_down(open_ranking)
    dialog = open_ranking.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_contain_text(expert.email)
    expect(dialog.get_by_label("E-mail")).to_have_count(0)
    assert_accessible(open_ranking)
    dialog.get_by_label("Password").fill(DEMO_PASSWORD)
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog).to_be_hidden()
    expect_saved(open_ranking)
    assert candidate_order(open_ranking) == mine
    submit(open_ranking)
    expect_saved(open_ranking)
    expect(open_ranking.get_by_role("heading", name=re.compile("number 1"))).to_be_visible()
    assert count_events(expert, "moved") == 1


def test_a_session_is_renewed_with_a_code_too(
    served: Stack, open_ranking: Page, expert: Expert
) -> None:
    """The first key of the move is what finds that the session has ended."""
    served.manage("shell", "-c", END_SESSIONS.format(user=expert.user))
    before = candidate_order(open_ranking)
    cards(open_ranking).first.focus()
    open_ranking.keyboard.down("Alt")
    expect(open_ranking.get_by_text("Your session has expired.")).to_be_visible()
    open_ranking.keyboard.press("ArrowDown")
    open_ranking.keyboard.up("Alt")
    mine = candidate_order(open_ranking)
    assert mine == [before[1], before[0], *before[2:]]
    dialog = open_ranking.get_by_role("dialog", name="Sign in again")
    dialog.get_by_role("radio", name="Code by e-mail").click()
    dialog.get_by_role("button", name="Send me a code").click()
    field = dialog.get_by_label("Code", exact=True)
    field.wait_for()
    field.fill(code_for(served, expert.email))
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog).to_be_hidden()
    expect_saved(open_ranking)
    assert_stored(expert, mine)


def code_for(served: Stack, email: str) -> str:
    [*_, mail] = served.mails(email)
    code = re.search(r"^([A-Z0-9]{4}-[A-Z0-9]{4})$", mail, re.MULTILINE)
    assert code, mail
    return code.group(1)


def test_signing_out_with_unsent_changes_warns_and_keeps_them_for_them_alone(
    open_ranking: Page, expert: Expert, assert_not_reachable: Callable[[], None]
) -> None:
    profile = open_ranking.context
    move_first_down(open_ranking)
    expect_unsent(open_ranking, 1)
    sign_out(open_ranking)
    dialog = open_ranking.get_by_role("dialog", name="Some changes are not sent")
    expect(dialog).to_contain_text("1 change has not been sent yet")
    assert_accessible(open_ranking)
    dialog.get_by_role("button", name="Sign out and keep it here").click()
    expect(open_ranking.get_by_role("link", name="Sign in").first).to_be_visible()

    assert_not_reachable()
    answers_sent = record_response_writes(profile)
    sign_in_as(open_ranking, studies.COORDINATOR)
    open_ranking.goto(expert.ranking_path)
    expect(open_ranking.get_by_role("heading").first).to_be_visible()
    expect(cards(open_ranking)).to_have_count(0)
    assert count_unsent(open_ranking) == 0
    assert answers_sent == []

    sign_in_as(open_ranking, expert.email)
    with profile.expect_event("requestfinished", lambda one: is_response_write(one)):
        open_ranking.goto("/home")
    open_ranking.goto(expert.ranking_path)
    expect(cards(open_ranking).first).to_be_visible()
    assert count_events(expert, "moved") == 1


def test_signing_out_in_one_tab_takes_their_work_off_the_screen_of_the_others(
    open_ranking: Page,
) -> None:
    theirs = cards(open_ranking).evaluate_all("cards => cards.map((one) => one.dataset.candidate)")
    beside = open_ranking.context.new_page()
    sign_out(beside)
    expect(open_ranking.get_by_role("link", name="Sign in").first).to_be_visible()
    assert theirs
    for one in theirs:  # the front page has cards of its own
        expect(open_ranking.locator(f"[data-candidate='{one}']")).to_have_count(0)


def test_another_persons_sign_in_beside_their_page_sends_nothing_of_theirs(
    open_ranking: Page, expert: Expert, assert_not_reachable: Callable[[], None]
) -> None:
    mine = move_first_down(open_ranking)
    expect_unsent(open_ranking, 1)
    other = open_ranking.context.new_page()
    other.goto("/healthz")
    sign_in_as(other, studies.COORDINATOR)
    dialog = open_ranking.get_by_role("dialog", name="Someone else is signed in")
    expect(dialog).to_contain_text(studies.COORDINATOR)

    assert_not_reachable()
    answers_sent = record_response_writes(open_ranking.context)
    with open_ranking.expect_response("**/api/v1/me"):
        open_ranking.evaluate("window.dispatchEvent(new Event('online'))")
    expect(
        open_ranking.get_by_text("Someone else is signed in, 1 change kept").first
    ).to_be_attached()
    assert answers_sent == []

    dialog.get_by_role("button", name=f"Sign out {studies.COORDINATOR}").click()
    again = open_ranking.get_by_role("dialog", name="Sign in again")
    again.get_by_label("Password").fill(DEMO_PASSWORD)
    again.get_by_role("button", name="Sign in", exact=True).click()
    expect_saved(open_ranking)
    assert candidate_order(open_ranking) == mine
    assert count_events(expert, "moved") == 1


def test_two_devices_that_part_are_shown_side_by_side(
    profiles: BrowserProfiles, open_ranking: Page, expert: Expert
) -> None:
    phone = profiles.open_signed_in(expert.email, expert.ranking_path, new_session=True)
    expect(cards(phone).first).to_be_visible()
    move_first_down(phone)
    expect_saved(phone)

    cards(open_ranking).last.press("Alt+ArrowUp")
    mine = candidate_order(open_ranking)
    dialog = open_ranking.get_by_role("dialog", name="Question 1 was answered in two places")
    expect(dialog.get_by_text("differs").first).to_be_visible()
    assert_accessible(open_ranking)
    resize(open_ranking, NARROWEST)
    assert_fits(open_ranking)
    dialog.get_by_role("button", name="Decide later").click()
    assert_accessible(open_ranking)
    resize(open_ranking, DESKTOP)
    assert candidate_order(open_ranking) == mine
    open_ranking.get_by_role("button", name="Compare both answers").click()
    dialog.get_by_role("button", name="Keep mine").click()
    expect(dialog).to_be_hidden()
    expect(cards(open_ranking).and_(open_ranking.locator(":focus"))).to_have_count(1)
    expect_saved(open_ranking)
    phone.reload()
    expect(cards(phone).first).to_be_visible()
    assert candidate_order(phone) == mine


def test_two_tabs_show_the_same_answer(open_ranking: Page, expert: Expert) -> None:
    beside = open_ranking.context.new_page()
    beside.goto(expert.ranking_path)
    expect(cards(beside).first).to_be_visible()
    view_for_a_while(beside)
    for here, there in [
        (open_ranking, beside),
        (beside, open_ranking),
        (open_ranking, beside),
        (open_ranking, beside),
    ]:
        mine = move_first_down(here)
        expect_order(there, mine)
        view_for_a_while(there)
        assert candidate_order(here) == mine
        assert_stored(expert, mine)
    expect(open_ranking.get_by_role("dialog")).to_have_count(0)
    expect(beside.get_by_role("dialog")).to_have_count(0)


def test_the_saved_answer_stays_when_the_expert_takes_it(
    profiles: BrowserProfiles, open_ranking: Page, expert: Expert
) -> None:
    phone = profiles.open_signed_in(expert.email, expert.ranking_path, new_session=True)
    expect(cards(phone).first).to_be_visible()
    theirs = move_first_down(phone)
    submit(phone)
    expect_saved(phone)

    cards(open_ranking).last.press("Alt+ArrowUp")
    dialog = open_ranking.get_by_role("dialog", name="Question 1 was answered in two places")
    expect(dialog).to_be_visible()
    view_for_a_while(open_ranking)
    dialog.get_by_role("button", name="Take the saved one").click()
    expect(cards(open_ranking).and_(open_ranking.locator(":focus"))).to_have_count(1)
    expect_order(open_ranking, theirs)
    expect_saved(open_ranking)
    view_for_a_while(open_ranking)
    assert_stored(expert, theirs, state="changed")
    assert revisions(expert) == [1, 0, 0]


def test_looking_on_one_device_stands_against_no_answer_on_another(
    profiles: BrowserProfiles, open_ranking: Page, expert: Expert
) -> None:
    phone = profiles.open_signed_in(expert.email, expert.ranking_path, new_session=True)
    expect(cards(phone).first).to_be_visible()
    view_for_a_while(phone)
    with phone.expect_response(ACTIVITY_URLS):
        phone.get_by_role("link", name="Serendib, my batches").click()

    mine = move_first_down(open_ranking)
    expect_saved(open_ranking)
    expect(open_ranking.get_by_role("dialog")).to_have_count(0)
    assert_stored(expert, mine)


def test_leaving_a_question_records_that_the_expert_looked(
    open_ranking: Page, expert: Expert
) -> None:
    view_for_a_while(open_ranking)
    with open_ranking.expect_response(ACTIVITY_URLS):
        open_ranking.get_by_role("link", name="Serendib, my batches").click()
    [first, *_] = expert.answers()
    assert first["response"]["active_ms"] >= VIEW_TIME_MS
    assert first["response"]["status"] == "untouched"
    assert count_events(expert, "opened") == 1


def test_closing_the_tab_records_that_the_expert_looked_once(
    open_ranking: Page, expert: Expert
) -> None:
    """What was kept of it besides is sent again by the next page, and changes nothing."""
    view_for_a_while(open_ranking)
    profile = open_ranking.context
    open_ranking.close()
    looked = response_of_first(expert)
    assert looked["active_ms"] >= VIEW_TIME_MS
    assert looked["status"] == "untouched"

    again = profile.new_page()
    again.goto("/home")
    expect(again.get_by_role("heading", name="My batches")).to_be_visible()
    view_for_a_while(again)
    assert expert.answers()[0]["response"]["active_ms"] == looked["active_ms"]
    assert count_events(expert, "opened") == 1


def response_of_first(expert: Expert) -> dict[str, Any]:
    """No event marks the arrival of a request of a closed tab; a loaded machine takes its time."""
    for _ in range(300):
        response: dict[str, Any] | None = expert.answers()[0]["response"]
        if response:
            return response
        time.sleep(0.1)
    raise AssertionError("Nothing of the closed tab has arrived.")


def test_what_is_hidden_is_not_looked_at(open_ranking: Page, expert: Expert) -> None:
    """A tab opened behind the others, as a click with the middle button does."""
    behind = open_ranking.context.new_page()
    behind.add_init_script(
        "Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })"
    )
    behind.goto(expert.ranking_path)
    expect(cards(behind).first).to_be_visible()
    view_for_a_while(behind)
    looks: list[str] = []
    behind.on("request", lambda one: looks.append(one.url) if is_activity_write(one) else None)
    behind.get_by_role("link", name="Serendib, my batches").click()
    expect(behind.get_by_role("heading", name="My batches")).to_be_visible()
    view_for_a_while(behind)
    assert looks == []


VIEW_TIME_MS = 1500


def view_for_a_while(page: Page) -> None:
    """So long that leaving the question is recorded: it is the time itself that is tested."""
    page.wait_for_timeout(VIEW_TIME_MS)


def expect_order(page: Page, names: list[str]) -> None:
    for place, name in enumerate(names):
        card = re.compile(rf"^{re.escape(name)}, rank")
        expect(cards(page).nth(place)).to_have_attribute("aria-label", card)


def assert_stored(expert: Expert, names: list[str], state: str = "draft") -> None:
    """The server has of the first question what stands on their screen."""
    limit = time.monotonic() + TIMEOUT_MS / 1000
    while stored_order(expert) != (names, state) and time.monotonic() < limit:
        time.sleep(0.1)
    assert stored_order(expert) == (names, state)


def test_all_that_an_answer_can_open_opens_without_a_network(
    profiles: BrowserProfiles, expert: Expert
) -> None:
    """Without a service worker as well: in a private window, or before it is installed."""
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=PHONE)
    expect(cards(page).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.get_by_role("button", name="Not sure").tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    cards(page).first.get_by_role("button", name=re.compile("^Rank ")).tap()
    expect(page.get_by_role("menuitem").first).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("^What serendipitous means")).tap()
    expect(page.get_by_role("dialog", name="Help and questions")).to_be_visible()
