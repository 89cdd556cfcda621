"""A forgotten password, a used link, another person at the computer."""

import re
import uuid

from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DEMO_PASSWORD,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    tab_to,
)
from tests.e2e.mailbox import RESET_LINK, expire_invitation, wait_for_mail
from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.http import Browser
from tests.load.studies import new_study

Link = tuple[str, str]  # the study it is for, the path it opens


def invite(served: Stack, email: str) -> Link:
    async def prepare() -> Link:
        coordinator, study = await new_study(served.url, 1)
        return study, "/invite#" + await virtual_users.invite_expert(coordinator, study, email)

    link: Link = play(prepare())
    return link


def expert_with_password(served: Stack) -> str:
    """Their address; the expert joined with the password of the demo."""
    email = new_address()
    _, path = invite(served, email)

    async def join() -> None:
        browser = Browser(served.url)
        virtual_users.expect_status(200, await browser.get("/api/v1/me"))
        acceptance = {"token": path.partition("#")[2], "name": "Dr Lea", "password": DEMO_PASSWORD}
        virtual_users.expect_status(
            200, await browser.post("/api/v1/invitations/accept", acceptance)
        )
        virtual_users.SESSIONS[served.url, email] = dict(browser.cookies)

    play(join())
    return email


def new_address() -> str:
    return f"dr-{uuid.uuid4().hex[:8]}@example.org"


def title(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


def sign_in_by_keyboard(page: Page, email: str, password: str) -> None:
    tab_to(page, page.get_by_role("radio", name="Code by e-mail"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    tab_to(page, page.get_by_label("E-mail"))
    page.keyboard.type(email)
    tab_to(page, page.get_by_label("Password", exact=True))
    page.keyboard.type(password)
    page.keyboard.press("Enter")


def test_signing_in_by_keyboard_leads_back_to_the_page_that_was_asked_for(
    served: Stack, profiles: BrowserProfiles
) -> None:
    page = profiles.open_page("/account")
    expect(page).to_have_url(re.compile(r"/sign-in\?next=%2Faccount$"))
    sign_in_by_keyboard(page, expert_with_password(served), DEMO_PASSWORD)
    expect(page).to_have_url(f"{served.url}/account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Account")


def test_a_link_that_names_another_site_leads_to_their_own_work(
    served: Stack, profiles: BrowserProfiles
) -> None:
    page = profiles.open_page("/sign-in?next=https://evil.example/rank")
    sign_in_by_keyboard(page, expert_with_password(served), DEMO_PASSWORD)
    expect(page).to_have_url(f"{served.url}/home")


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(
    served: Stack, profiles: BrowserProfiles
) -> None:
    email, chosen = expert_with_password(served), f"new {uuid.uuid4().hex}"
    before = len(served.mails(email))
    page = profiles.open_page("/reset-password")
    page.get_by_label("E-mail").fill(email)
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_role("main").get_by_role("status")).to_contain_text(email)
    link = wait_for_mail(served, email, before, RESET_LINK)
    page = profiles.open_page(link)
    page.get_by_label("New password").fill("password")
    page.get_by_role("button", name="Set this password").click()
    expect(page.get_by_text("too common")).to_be_visible()
    page.get_by_label("New password").fill(chosen)
    page.get_by_role("button", name="Set this password").click()
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    sign_in_by_keyboard(page, email, DEMO_PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("Wrong e-mail address or password")
    page.get_by_label("Password", exact=True).fill(chosen)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("My batches")
    again = profiles.open_page(link)
    expect(again.get_by_text("This link has expired or was used before.")).to_be_visible()
    assert_accessible(again)


def test_an_address_without_an_account_is_answered_alike_and_sent_nothing(
    served: Stack, profiles: BrowserProfiles
) -> None:
    nobody = new_address()
    page = profiles.open_page("/reset-password")
    page.get_by_label("E-mail").fill(nobody)
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_role("main").get_by_role("status")).to_contain_text(
        f"If {nobody} has an account"
    )
    assert not any("/reset-password#" in mail for mail in served.mails(nobody))


def test_an_invitation_to_a_second_study_leads_through_sign_in_and_back(
    served: Stack, profiles: BrowserProfiles
) -> None:
    email = expert_with_password(served)
    study, path = invite(served, email)
    page = profiles.open_page(path)
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    sign_in_by_keyboard(page, email, DEMO_PASSWORD)
    page.get_by_role("button", name="Accept the invitation").click()
    expect(page).to_have_url(f"{served.url}/studies/{study}/introduction")


def test_a_colleagues_session_does_not_accept_what_is_not_theirs(
    served: Stack, profiles: BrowserProfiles
) -> None:
    email = new_address()
    study, path = invite(served, email)
    page = profiles.open_signed_in(expert_with_password(served), path)
    expect(page.get_by_text(f"this invitation is for {email}")).to_be_visible()
    expect(page.get_by_role("button", name="Accept the invitation")).to_have_count(0)
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.get_by_label("Your name").fill("Dr Sita")
    page.get_by_role("button", name="Accept the invitation").click()
    expect(page).to_have_url(f"{served.url}/studies/{study}/introduction")


@THEMES
def test_a_link_that_ran_out_says_whom_to_ask(
    served: Stack, profiles: BrowserProfiles, theme: str
) -> None:
    email = new_address()
    _, path = invite(served, email)
    expire_invitation(served, email)
    page = profiles.open_page(path, theme=theme)
    expect(page.get_by_text(re.compile("expired on .* Ask Prof Kofi Mensah"))).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_count(0)
    assert_accessible(page)


def test_a_used_link_lets_on_nobody_but_whoever_used_it(
    served: Stack, profiles: BrowserProfiles
) -> None:
    email = new_address()
    study, path = invite(served, email)
    member_page = profiles.open_page(path)
    member_page.get_by_label("Your name").fill("Dr Ravi")
    member_page.get_by_role("button", name="Accept the invitation").click()
    expect(member_page).to_have_url(f"{served.url}/studies/{study}/introduction")
    other = profiles.open_page(path)
    expect(other.get_by_text("was already used")).to_be_visible()
    expect(other.get_by_label("Your name")).to_have_count(0)
    member_page.goto("/leaderboard")
    member_page.goto(path)
    member_page.get_by_role("button", name="Continue", exact=True).click()
    expect(member_page).to_have_url(f"{served.url}/studies/{study}/introduction")


def test_a_visitor_reads_the_leaderboard_by_keyboard(profiles: BrowserProfiles) -> None:
    page = profiles.open_page("/leaderboard")
    # A track without releases: entries of one have links and boxes of their own.
    tab_to(page, page.get_by_role("link", name="SerenQA, Reasoning"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Reasoning")
    table = page.get_by_role("table").first
    tab_to(page, table.get_by_role("link", name="DeepSeek-V3").first)


def test_what_is_not_theirs_is_not_opened_and_not_offered(
    served: Stack, profiles: BrowserProfiles
) -> None:
    page = profiles.open_signed_in(expert_with_password(served), "/people")
    expect(page.get_by_role("heading", level=1)).to_have_text("No access to this page")
    offered = page.get_by_role("navigation", name="Main").get_by_role("link").all_inner_texts()
    assert offered == ["My batches", "Explore", "Benchmarks", "Releases", "Leaderboard"]
    for name in offered:
        page.get_by_role("navigation", name="Main").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).not_to_have_text("No access to this page")
        assert title(page) != "Page not found"
