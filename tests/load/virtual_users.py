"""Users who sign in, import, accept invitations and give consent over HTTP, as people do."""

import asyncio
import json
import uuid
from dataclasses import dataclass
from typing import Any

from tests.load.http import Browser, TimedResponse

CONSENT = "1"
OUTCOMES = {"agree": "confirmed", "submit": "changed", "rank": "ranked", "not_sure": "not_sure"}
DEMO_PASSWORD = "serendib-demo"  # of the demo accounts, which manage.py up prints


SESSIONS: dict[tuple[str, str], dict[str, str]] = {}
"""Cookies of the sessions opened so far, by server and e-mail address."""


class Refused(AssertionError):
    """The server said no where the journey cannot go on without a yes."""


def expect_status(status: int, answered: TimedResponse) -> Any:
    if answered.status != status:
        raise Refused(f"{answered.status} instead of {status}: {answered.body[:400]!r}")
    return answered.json() if answered.body else None


async def sign_in(address: str, email: str, *, new_session: bool = False) -> Browser:
    """In an earlier session of this account if there is one: checking a password is slow.

    A new session is the caller's alone, who may sign out of it.
    """
    known = SESSIONS.get((address, email))
    if known and not new_session:
        return Browser(address, dict(known))
    browser = Browser(address)
    expect_status(200, await browser.get("/api/v1/me"))
    credentials = {"email": email, "password": DEMO_PASSWORD}
    expect_status(200, await browser.post("/_allauth/browser/v1/auth/login", credentials))
    if not new_session:
        SESSIONS[address, email] = dict(browser.cookies)
    return browser


async def import_study(
    coordinator: Browser, name: str, files: dict[str, bytes], kind: str = "ranking"
) -> str:
    fields = {"name": name, "kind": kind}
    answered = await coordinator.upload("/api/v1/studies/import", fields, files)
    return str(expect_status(201, answered)["study"]["id"])


async def invite_expert(coordinator: Browser, study: str, email: str) -> str:
    """The token of the e-mailed link."""
    invitation = {"email": email, "role": "expert", "batches": []}
    created = expect_status(
        201, await coordinator.post(f"/api/v1/studies/{study}/invitations", invitation)
    )
    return str(created["link"]).partition("#")[2]


async def accept(address: str, token: str, name: str, study: str) -> Browser:
    """A new user's browser, signed in and with consent given."""
    browser = Browser(address)
    expect_status(200, await browser.get("/api/v1/me"))
    body = {"token": token, "name": name, "password": ""}
    expect_status(200, await browser.post("/api/v1/invitations/accept", body))
    expect_status(204, await browser.post(f"/api/v1/studies/{study}/consent", {"version": CONSENT}))
    return browser


async def experts_of(coordinator: Browser, study: str, count: int) -> list[Browser]:
    """This many new experts, each assigned every question of the study."""
    run = uuid.uuid4().hex[:8]
    browsers = []
    for number in range(count):
        token = await invite_expert(coordinator, study, f"e{number}-{run}@example.org")
        browsers.append(await accept(coordinator.address, token, f"Expert {number}", study))
    return browsers


@dataclass
class ExpertSession:
    """One question of one expert, and the version that the next write is based on."""

    browser: Browser
    batch: str
    assignment: dict[str, Any]
    version: int = 0

    @property
    def path(self) -> str:
        return f"/api/v1/assignments/{self.assignment['id']}"

    @property
    def prior(self) -> list[list[str]]:
        """The order shown first, which is that of the candidates where the study has no prior."""
        item = self.assignment["item"]
        groups: list[list[str]] = item.get("prior") or [[one["id"]] for one in item["candidates"]]
        return groups

    def write(self, intent: str, ranking: Any = None, **answer: Any) -> dict[str, Any]:
        """The body of a write: intent is save, agree, submit, not_sure or skip."""
        payload: dict[str, Any] = {
            "ranking": self.prior if ranking is None else ranking,
            "confidence": None,
            "reasons": [],
            "comment": "",
            "unsure_reason": "",
            **answer,
        }
        return {
            "version": self.version,
            "action": "submit" if intent in OUTCOMES else intent,
            "outcome": OUTCOMES.get(intent, ""),
            "payload": payload,
            "active_ms": 1000,
        }

    async def post_activity(self, *entries: dict[str, Any]) -> TimedResponse:
        activity = {"entries": list(entries), "interface": "load-1"}
        return await self.browser.post(f"{self.path}/activity", activity)

    async def put(self, body: dict[str, Any], key: uuid.UUID | None = None) -> TimedResponse:
        answered = await self.browser.put(f"{self.path}/response", body, key)
        if answered.status == 200:
            self.version = answered.json()["version"]
        return answered


async def work_of(browser: Browser) -> list[ExpertSession]:
    """All questions of the expert, in order."""
    result = []
    for batch in expect_status(200, await browser.get("/api/v1/batches"))["results"]:
        answered = await browser.get(f"/api/v1/batches/{batch['id']}/assignments")
        for one in expect_status(200, answered)["assignments"]:
            result.append(ExpertSession(browser, batch["id"], one, one["response"]["version"]))
    return result


def questionnaire(questions: int, candidates: int = 4, first_qid: int = 0) -> bytes:
    """A file of plain questions; the first has qid 0, which is a true id."""
    listed = [
        {
            "question_number": number + 1,
            "qid": first_qid + number,
            "text": f"Which of these is number {number}?",
            "category": "load:plain",
            "llm_ranking": [
                {"entity_name": f"Answer {number}, {place}", "llm_rank": place, "entity_link": ""}
                for place in range(1, candidates + 1)
            ],
            "resource": [],
        }
        for number in range(questions)
    ]
    return json.dumps(listed).encode()


async def until(condition: Any, what: str, seconds: float = 90.0) -> Any:
    """Wait for what must come; the limit only ends a journey that has gone wrong."""
    async with asyncio.timeout(seconds):
        while not (result := await condition()):
            await asyncio.sleep(0.1)
        return result
    raise TimeoutError(what)
