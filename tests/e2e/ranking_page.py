"""An expert at the ranking page: actions, what the page shows, what the server stores."""

import asyncio
import re
import uuid
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from playwright.sync_api import BrowserContext, Locator, Page, Request, ViewportSize, expect

from tests.e2e.browser_helpers import DEMO_PASSWORD, TIMEOUT_MS
from tests.load import studies, virtual_users
from tests.load.http import Browser

Result = TypeVar("Result")

RESPONSE_URLS = "**/api/v1/assignments/*/response"
ACTIVITY_URLS = "**/api/v1/assignments/*/activity"
SAVED = re.compile(r"^Saved \d\d:\d\d:\d\d$")
UNSENT = re.compile(r"(Offline|Failed, trying again in \d+ s), (\d+) changes? kept")


@dataclass
class Expert:
    """A new account with the questions of a new study to answer."""

    email: str
    user: str
    batch: str
    study: str
    coordinator: Browser

    @property
    def ranking_path(self) -> str:
        return f"/rank/{self.batch}"

    def answers(self) -> list[dict[str, Any]]:
        """What the server has of their, question by question, as the coordinator exports it."""
        return [answer for one in self.questions() for answer in one["assignments"]]

    def questions(self) -> list[dict[str, Any]]:
        return run_coroutine(export_questions(self.coordinator, self.study))


def run_coroutine(work: Coroutine[Any, Any, Result]) -> Result:
    """Playwright's own loop runs in this thread; this one gets another."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def export_questions(coordinator: Browser, study: str) -> list[dict[str, Any]]:
    """Over a connection of its own: the one before belongs to a loop that has ended."""
    again = Browser(coordinator.address, coordinator.cookies)
    return await studies.exported_questions(again, study)


async def new_expert(address: str, candidates: int = 4, password: str = "") -> Expert:
    coordinator, study = await studies.new_study(address, questions=3, candidates=candidates)
    return await invite_expert(coordinator, study, password)


async def invite_expert(coordinator: Browser, study: str, password: str = "") -> Expert:
    """A new account, signed in, with the first batch of this study to answer."""
    address = coordinator.address
    email = f"expert-{uuid.uuid4().hex[:8]}@example.org"
    token = await virtual_users.invite_expert(coordinator, study, email)
    browser = Browser(address)
    virtual_users.expect_status(200, await browser.get("/api/v1/me"))
    acceptance = {"token": token, "name": "Dr Nimal Perera", "password": password}
    virtual_users.expect_status(200, await browser.post("/api/v1/invitations/accept", acceptance))
    virtual_users.SESSIONS[address, email] = dict(browser.cookies)
    consent = await browser.post(
        f"/api/v1/studies/{study}/consent", {"version": virtual_users.CONSENT}
    )
    virtual_users.expect_status(204, consent)
    me = virtual_users.expect_status(200, await browser.get("/api/v1/me"))
    batches = virtual_users.expect_status(200, await browser.get("/api/v1/batches"))
    batch = batches["results"][0]["id"]
    return Expert(email, me["user"]["id"], batch, study, coordinator)


def cards(page: Page) -> Locator:
    return page.locator("[data-candidate][data-part=card]")


def candidate_order(page: Page) -> list[str]:
    """The candidates as they stand on the page, by name."""
    names: list[str] = page.locator("[data-candidate][data-part=card]").evaluate_all(
        "cards => cards.map((card) => card.getAttribute('aria-label').split(', rank')[0])"
    )
    return names


def move_first_down(page: Page) -> list[str]:
    cards(page).first.press("Alt+ArrowDown")
    return candidate_order(page)


def last_button(page: Page) -> Locator:
    """Of the bar below a question: it ends the question."""
    return page.get_by_role("contentinfo").get_by_role("button").last


def expect_answerable(page: Page) -> None:
    """For half a second nothing ends a question: that would be meant for the one before."""
    expect(last_button(page)).not_to_have_attribute("aria-disabled", "true")


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit my order").click()


def expect_saved(page: Page) -> None:
    expect(page.get_by_text(SAVED).first).to_be_visible(timeout=TIMEOUT_MS)


def expect_unsent(page: Page, changes: int) -> None:
    words = re.compile(UNSENT.pattern.replace(r"(\d+)", str(changes)))
    expect(page.get_by_text(words).first).to_be_visible(timeout=TIMEOUT_MS)


def stored_order(expert: Expert) -> tuple[list[str], str]:
    """Their answer to the first question as the server has it: names, best first, and its state."""
    [question, *_] = expert.questions()
    names = {one["id"]: one["name"] for one in question["candidates"]}
    response = question["assignments"][0]["response"]
    return [names[one] for group in response["payload"]["ranking"] for one in group], response[
        "outcome"
    ] or response["status"]


def revisions(expert: Expert) -> list[int]:
    """How many submissions the server has of each question."""
    return [len(answer["revisions"]) for answer in expert.answers()]


def count_events(expert: Expert, kind: str) -> int:
    return sum(event["kind"] == kind for one in expert.answers() for event in one["events"])


def resize(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size({"width": size["width"], "height": size["height"]})


def sign_out(page: Page) -> None:
    page.goto("/home")
    page.get_by_role("button", name="Dr Nimal Perera").click()
    page.get_by_role("menuitem", name="Sign out").click()


def sign_in_as(page: Page, email: str) -> None:
    """Signs in by the sign-in page, after whoever was there is signed out."""
    page.evaluate(
        """async () => {
          await fetch("/api/v1/me");
          const headers = { "X-CSRFToken": /csrftoken=([^;]+)/.exec(document.cookie)[1] };
          await fetch("/_allauth/browser/v1/auth/session", { method: "DELETE", headers });
        }"""
    )
    page.goto("/sign-in")
    page.get_by_role("radio", name="Password").click()
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "/sign-in" not in url)


def is_response_write(request: Request) -> bool:
    return request.method == "PUT" and request.url.endswith("/response")


def is_activity_write(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/activity")


def record_response_writes(profile: BrowserContext) -> list[str]:
    """Fills with every answer that leaves this browser from now on."""
    observed: list[str] = []
    profile.on("request", lambda one: observed.append(one.url) if is_response_write(one) else None)
    return observed


def count_unsent(page: Page) -> int:
    """How many writes wait in this browser for whoever is signed in."""
    count: int = page.evaluate(
        """async () => {
          const { user } = await (await fetch("/api/v1/me")).json();
          const database = await new Promise((done) => {
            indexedDB.open("serendib").onsuccess = (event) => done(event.target.result);
          });
          const writes = database.transaction("writes").objectStore("writes").index("account");
          const all = await new Promise((done) => {
            writes.getAll(user.id).onsuccess = (event) => done(event.target.result);
          });
          database.close();
          return all.length;
        }"""
    )
    return count
