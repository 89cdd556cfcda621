"""Everybody comes in by the front door: sign-in, import, invitation, consent, as people do."""

import asyncio
import json
import uuid
from dataclasses import dataclass
from typing import Any

from tests.load.http import Answered, Browser

CONSENT = "1"
DEMO_PASSWORD = "serendib-demo"  # of the demo accounts, which manage.py up prints


class Refused(AssertionError):
    """The server said no where the journey cannot go on without a yes."""


def expect(status: int, answered: Answered) -> Any:
    if answered.status != status:
        raise Refused(f"{answered.status} instead of {status}: {answered.body[:400]!r}")
    return answered.json() if answered.body else None


async def sign_in(address: str, email: str, password: str = DEMO_PASSWORD) -> Browser:
    browser = Browser(address)
    expect(200, await browser.get("/api/v1/me"))
    told = {"email": email, "password": password}
    expect(200, await browser.post("/_allauth/browser/v1/auth/login", told))
    return browser


async def import_study(coordinator: Browser, name: str, files: dict[str, bytes]) -> str:
    answered = await coordinator.upload("/api/v1/studies/import", {"name": name}, files)
    return str(expect(201, answered)["study"]["id"])


async def invite_expert(coordinator: Browser, study: str, email: str) -> str:
    """The token of the link that she would be mailed."""
    told = {"email": email, "role": "expert", "batches": []}
    made = expect(201, await coordinator.post(f"/api/v1/studies/{study}/invitations", told))
    return str(made["link"]).partition("#")[2]


async def accept(address: str, token: str, name: str, study: str) -> Browser:
    """A new person's browser, signed in and with her consent given."""
    browser = Browser(address)
    expect(200, await browser.get("/api/v1/me"))
    told = {"token": token, "name": name, "password": ""}
    expect(200, await browser.post("/api/v1/invitations/accept", told))
    expect(204, await browser.post(f"/api/v1/studies/{study}/consent", {"version": CONSENT}))
    return browser


async def experts_of(coordinator: Browser, study: str, count: int) -> list[Browser]:
    """This many new experts, each with every question of the study before her."""
    run = uuid.uuid4().hex[:8]
    browsers = []
    for number in range(count):
        token = await invite_expert(coordinator, study, f"e{number}-{run}@example.org")
        browsers.append(await accept(coordinator.address, token, f"Expert {number}", study))
    return browsers


@dataclass
class Work:
    """One question of one expert, as she sees it, and the version her next write is based on."""

    browser: Browser
    batch: str
    assignment: dict[str, Any]
    version: int = 0

    @property
    def path(self) -> str:
        return f"/api/v1/assignments/{self.assignment['id']}"

    @property
    def prior(self) -> list[list[str]]:
        groups: list[list[str]] = self.assignment["question"]["prior"]
        return groups

    def write(self, action: str, ranking: Any = None, **told: Any) -> dict[str, Any]:
        blank: dict[str, Any] = {
            "confidence": None,
            "reasons": [],
            "comment": "",
            "unsure_reason": "",
        }
        order = self.prior if ranking is None else ranking
        rest = {"unsure_reason": "", "active_ms": 1000, "events": [], "interface": "load-1"}
        return {
            "version": self.version,
            "action": action,
            "ranking": order,
            **blank,
            **rest,
            **told,
        }

    async def put(self, told: dict[str, Any], key: uuid.UUID | None = None) -> Answered:
        answered = await self.browser.put(f"{self.path}/response", told, key)
        if answered.status == 200:
            self.version = answered.json()["version"]
        return answered


async def work_of(browser: Browser) -> list[Work]:
    """All that lies before her, in order."""
    found = []
    for batch in expect(200, await browser.get("/api/v1/batches"))["results"]:
        answered = await browser.get(f"/api/v1/batches/{batch['id']}/assignments")
        for one in expect(200, answered)["assignments"]:
            found.append(Work(browser, batch["id"], one, one["response"]["version"]))
    return found


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
        while not (found := await condition()):
            await asyncio.sleep(0.1)
        return found
    raise TimeoutError(what)
