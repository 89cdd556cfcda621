"""A browser with unsent answers from before the upgrade of its database sends every one of them."""

import time
import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import TIMEOUT_MS, BrowserProfiles
from tests.e2e.ranking_page import (
    Expert,
    cards,
    count_events,
    count_unsent,
    expect_saved,
    new_expert,
    run_coroutine,
)
from tests.e2e.stack import Stack
from tests.load import virtual_users
from tests.load.virtual_users import ExpertSession

AT = "2026-01-01T00:00:00.000Z"
NO_REMARKS: dict[str, Any] = {"confidence": None, "reasons": [], "comment": "", "unsure_reason": ""}
CREATE_VERSION_1 = """async ({ writes, batches, responses }) => {
  const database = await new Promise((done) => {
    const opening = indexedDB.open("serendib", 1);
    opening.onupgradeneeded = () => {
      const make = (name, key) => {
        const store = opening.result.createObjectStore(name, { keyPath: ["account", key] });
        store.createIndex("account", "account");
        return store;
      };
      make("writes", "id").createIndex("response", ["account", "assignment"]);
      make("batches", "batch");
      make("responses", "assignment");
    };
    opening.onsuccess = () => done(opening.result);
  });
  const transaction = database.transaction(["writes", "batches", "responses"], "readwrite");
  for (const [name, records] of Object.entries({ writes, batches, responses })) {
    for (const record of records) transaction.objectStore(name).put(record);
  }
  await new Promise((done) => (transaction.oncomplete = done));
  database.close();
}"""


@pytest.fixture
def expert(served: Stack) -> Expert:
    return run_coroutine(new_expert(served.url))


async def assignments_of(address: str, expert: Expert) -> list[ExpertSession]:
    return await virtual_users.work_of(await virtual_users.sign_in(address, expert.email))


def reverse(work: ExpertSession) -> list[list[str]]:
    return work.prior[::-1]


def write_v1(expert: Expert, work: ExpertSession, order: int, **changes: Any) -> dict[str, Any]:
    """A change that waits, as version 1 stored it: the answer beside the action and the events."""
    moved = {"id": str(uuid.uuid4()), "kind": "moved", "old": None, "new": None, "at": AT}
    write = {"version": 0, "action": "save", "active_ms": 1000, "interface": "rank-1"}
    return {
        "account": expert.user,
        "id": str(uuid.uuid4()),
        "assignment": work.assignment["id"],
        "batch": work.batch,
        "page": "page-of-before",
        "order": order,
        "queuedAt": AT,
        "key": str(uuid.uuid4()),
        "sent": False,
        "hold": None,
        "looks": False,
        "write": {**NO_REMARKS, "ranking": reverse(work), "events": [moved], **write, **changes},
    }


def batch_v1(expert: Expert, works: list[ExpertSession]) -> dict[str, Any]:
    study = {"id": expert.study, "name": "Before", "status": "open", "is_demo": False}
    untouched = {"version": 0, "state": "untouched", "active_ms": 0, "submitted": None}
    assignments = [
        {
            "id": work.assignment["id"],
            "question": work.assignment["item"],
            "response": {**untouched, **NO_REMARKS, "ranking": work.prior, "updated_at": None},
        }
        for work in works
    ]
    batch = {"id": expert.batch, "number": 1, "name": "", "study": {**study, "graph": None}}
    data = {"batch": batch, "total": len(works), "assignments": assignments}
    return {"account": expert.user, "batch": expert.batch, "data": data}


def wait_until_sent(page: Page, expert: Expert) -> None:
    limit = time.monotonic() + TIMEOUT_MS / 1000
    while count_unsent(page) or count_events(expert, "moved") < len(expert.answers()):
        assert time.monotonic() < limit, "Answers or their events are not sent."
        page.wait_for_timeout(100)


def open_after_upgrade(profiles: BrowserProfiles, expert: Expert, records: dict[str, Any]) -> Page:
    page = profiles.open_signed_in(expert.email, "/healthz")
    page.evaluate(CREATE_VERSION_1, records)
    page.goto(expert.ranking_path)
    expect(cards(page).first).to_be_visible()
    return page


def test_what_the_expert_typed_before_the_upgrade_reaches_the_server(
    served: Stack, profiles: BrowserProfiles, expert: Expert
) -> None:
    works = run_coroutine(assignments_of(served.url, expert))
    remarks = {"confidence": 4, "reasons": ["new_to_me"], "comment": "Typed in the train"}
    unsure = {"action": "not_sure", "unsure_reason": "too_close", "ranking": works[2].prior}
    writes = [
        write_v1(expert, works[0], 1, action="submit", **remarks),
        write_v1(expert, works[1], 2, comment="Half done"),
        write_v1(expert, works[2], 3, **unsure),
    ]
    records = {"writes": writes, "batches": [batch_v1(expert, works)], "responses": []}
    page = open_after_upgrade(profiles, expert, records)
    expect_saved(page)
    wait_until_sent(page, expert)

    answers = expert.answers()
    responses = [one["response"] for one in answers]
    results = [(one["status"], one["outcome"]) for one in responses]
    assert results == [("submitted", "changed"), ("draft", ""), ("submitted", "not_sure")]
    assert [one["payload"] for one in responses] == [
        {**NO_REMARKS, "ranking": reverse(works[0]), **remarks},
        {**NO_REMARKS, "ranking": reverse(works[1]), "comment": "Half done"},
        {**NO_REMARKS, "ranking": works[2].prior, "unsure_reason": "too_close"},
    ]
    assert [len(one["revisions"]) for one in answers] == [1, 0, 1]
