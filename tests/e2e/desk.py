"""An expert at her ranking page: what she does there, what the page says, what the server has."""

import asyncio
import re
import uuid
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from playwright.sync_api import BrowserContext, Locator, Page, Request, ViewportSize, expect

from tests.e2e.browsing import DEMO_PASSWORD, PATIENCE
from tests.load import people, studies
from tests.load.http import Browser

Result = TypeVar("Result")

ANSWERS = "**/api/v1/assignments/*/response"
LOOKS = "**/api/v1/assignments/*/looks"
SAVED = re.compile(r"^Saved \d\d:\d\d:\d\d$")
KEPT = re.compile(r"(Offline|Failed, trying again in \d+ s), (\d+) changes? kept")


@dataclass
class Expert:
    """A new person with a password and the questions of a new study before her."""

    email: str
    user: str
    batch: str
    study: str
    coordinator: Browser

    @property
    def desk(self) -> str:
        return f"/rank/{self.batch}"

    def answers(self) -> list[dict[str, Any]]:
        """What the server has of her, question by question, as the coordinator exports it."""
        return [answer for one in self.questions() for answer in one["assignments"]]

    def questions(self) -> list[dict[str, Any]]:
        return wait_for(exported(self.coordinator, self.study))


def wait_for(work: Coroutine[Any, Any, Result]) -> Result:
    """Playwright's own loop runs in this thread; this one gets another."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def exported(coordinator: Browser, study: str) -> list[dict[str, Any]]:
    """Over a connection of its own: the one before belongs to a loop that has ended."""
    again = Browser(coordinator.address, coordinator.cookies)
    return await studies.exported_questions(again, study)


async def new_expert(address: str, candidates: int = 4) -> Expert:
    coordinator, study = await studies.new_study(address, questions=3, candidates=candidates)
    return await expert_of(coordinator, study)


async def expert_of(coordinator: Browser, study: str) -> Expert:
    """Somebody new, with the first batch of this study before her."""
    address = coordinator.address
    email = f"expert-{uuid.uuid4().hex[:8]}@example.org"
    token = await people.invite_expert(coordinator, study, email)
    browser = Browser(address)
    people.expect(200, await browser.get("/api/v1/me"))
    told = {"token": token, "name": "Dr Nimal Perera", "password": DEMO_PASSWORD}
    people.expect(200, await browser.post("/api/v1/invitations/accept", told))
    consent = await browser.post(f"/api/v1/studies/{study}/consent", {"version": people.CONSENT})
    people.expect(204, consent)
    me = people.expect(200, await browser.get("/api/v1/me"))
    batches = people.expect(200, await browser.get("/api/v1/batches"))
    batch = batches["results"][0]["id"]
    return Expert(email, me["user"]["id"], batch, study, coordinator)


def cards(page: Page) -> Locator:
    return page.locator("[data-candidate][data-part=card]")


def order(page: Page) -> list[str]:
    """The candidates as they stand on the page, by name."""
    names: list[str] = page.locator("[data-candidate][data-part=card]").evaluate_all(
        "cards => cards.map((card) => card.getAttribute('aria-label').split(', rank')[0])"
    )
    return names


def move_first_down(page: Page) -> list[str]:
    cards(page).first.press("Alt+ArrowDown")
    return order(page)


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit my order").click()


def expect_saved(page: Page) -> None:
    expect(page.get_by_text(SAVED).first).to_be_visible(timeout=PATIENCE)


def expect_kept(page: Page, changes: int) -> None:
    words = re.compile(KEPT.pattern.replace(r"(\d+)", str(changes)))
    expect(page.get_by_text(words).first).to_be_visible(timeout=PATIENCE)


def stored_order(expert: Expert) -> tuple[list[str], str]:
    """Her answer to the first question as the server has it: names, best first, and its state."""
    [question, *_] = expert.questions()
    names = {one["id"]: one["name"] for one in question["candidates"]}
    response = question["assignments"][0]["response"]
    return [names[one] for group in response["ranking"] for one in group], response["state"]


def revisions(expert: Expert) -> list[int]:
    """How many submissions the server has of each question."""
    return [len(answer["revisions"]) for answer in expert.answers()]


def events(expert: Expert, kind: str) -> int:
    return sum(event["kind"] == kind for one in expert.answers() for event in one["events"])


def resize(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size({"width": size["width"], "height": size["height"]})


def sign_out(page: Page) -> None:
    page.goto("/home")
    page.get_by_role("button", name="Dr Nimal Perera").click()
    page.get_by_role("menuitem", name="Sign out").click()


def use_as(page: Page, email: str) -> None:
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


def is_answer(request: Request) -> bool:
    return request.method == "PUT" and request.url.endswith("/response")


def is_look(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/looks")


def watch_answers(profile: BrowserContext) -> list[str]:
    """Fills with every answer that leaves this browser from now on."""
    seen: list[str] = []
    profile.on("request", lambda one: seen.append(one.url) if is_answer(one) else None)
    return seen


def kept_of(page: Page) -> int:
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
