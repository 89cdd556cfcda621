"""An expert rates queries of two sources without reading which, and the coordinator compares."""

import json
import re
import uuid
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
)
from tests.e2e.kind_pages import expect_item
from tests.e2e.ranking_page import (
    Expert,
    expect_saved,
    invite_expert,
    is_response_write,
    run_coroutine,
)
from tests.e2e.stack import Stack
from tests.load import virtual_users
from tests.load.http import Browser
from tests.load.studies import COORDINATOR
from tests.load.virtual_users import expect_status

QUERIES = 2
SCALE = {"name": "Naturalness", "question": "Is it natural?", "low": "No", "high": "Yes"}
BEGINNINGS = {"people": "Who", "models": "What"}


@dataclass(frozen=True)
class MixedStudy:
    expert: Expert
    names: dict[str, str]


def entry(place: int, source: str) -> dict[str, Any]:
    return {
        "question_number": place + 1,
        "qid": place,
        "text": f"{BEGINNINGS[source]} is number {place}?",
        "category": source,
        "details": f"Answer: Entity {place}\n\nEvidence of {source}",
        "scales": [SCALE],
    }


async def import_set(coordinator: Browser, source: str, name: str) -> str:
    """The question set of a study of one source."""
    entries = [entry(place, source) for place in range(QUERIES)]
    files = {"batch1.json": json.dumps(entries).encode()}
    await virtual_users.import_study(coordinator, name, files, kind="ratings")
    sets = expect_status(200, await coordinator.get("/api/v1/question-sets"))["results"]
    return next(str(one["id"]) for one in sets if one["name"] == name)


async def make_study(address: str) -> MixedStudy:
    coordinator = await virtual_users.sign_in(address, COORDINATOR)
    mark = uuid.uuid4().hex[:8]
    names = {source: f"Queries of {source} {mark}" for source in BEGINNINGS}
    sets = [await import_set(coordinator, source, name) for source, name in names.items()]
    body = {"name": f"Mixed {mark}", "question_sets": sets}
    mixed = expect_status(201, await coordinator.post("/api/v1/mixed-question-sets", body))
    study = {"name": f"Comparison {mark}", "kind": "ratings", "question_set": mixed["question_set"]}
    created = expect_status(201, await coordinator.post("/api/v1/studies", study))
    expert = await invite_expert(coordinator, created["study"]["id"])
    return MixedStudy(expert, names)


@pytest.fixture
def mixed(served: Stack) -> MixedStudy:
    return run_coroutine(make_study(served.url))


def test_queries_of_two_sources_are_rated_unseen_and_compared_by_the_coordinator(
    profiles: BrowserProfiles, mixed: MixedStudy
) -> None:
    expert = mixed.expert
    page = profiles.open_signed_in(expert.email, expert.ranking_path, size=DESKTOP)
    received = record_received(page)
    page.reload()
    for number in range(1, 2 * QUERIES + 1):
        expect_item(page, number)
        is_by_people = "Who is" in page.get_by_role("heading", level=1).inner_text()
        received.append(page.content())
        page.keyboard.press("5" if is_by_people else "2")
        expect_saved(page)
        # The statistics are computed once a minute: of all answers.
        with page.expect_response(is_submission):
            page.keyboard.press("Control+Enter")
    page.wait_for_url("**/end")
    received.append(page.content())
    assert any("Who is number" in one and "Entity 1" in one for one in received)
    secrets = (*mixed.names.values(), "Evidence of")
    assert [one for one in secrets if any(one in text for text in received)] == []
    compare(profiles.open_signed_in(COORDINATOR, f"/studies/{expert.study}", size=PHONE), mixed)


def is_submission(response: Response) -> bool:
    request = response.request
    return is_response_write(request) and '"submit"' in (request.post_data or "")


def record_received(page: Page) -> list[str]:
    """What the API and sockets send to the page, from now on."""
    received: list[str] = []

    def pass_on(route: Route) -> None:
        answer = route.fetch()
        received.append(answer.text())
        route.fulfill(response=answer)

    page.route("**/api/v1/**", pass_on)
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: received.append(str(frame))),
    )
    return received


def compare(board: Page, mixed: MixedStudy) -> None:
    board.goto(f"/studies/{mixed.expert.study}?tab=statistics")
    section = board.get_by_role("region", name="Rates by source", exact=True)
    # A worker computes the statistics.
    expect(section).to_be_visible(timeout=90_000)
    people = section.get_by_role("row").filter(
        has_text=re.compile(rf"positive \(4 and 5\), {mixed.names['people']}, mean")
    )
    expect(people).to_contain_text("2 questions")
    less = f"{mixed.names['people']} less {mixed.names['models']}"
    expect(section.get_by_role("row").filter(has_text=f"mean level, {less}")).to_contain_text("3")
    section.get_by_text("Methods").click()
    expect(section.get_by_text(re.compile("pigeonhole bootstrap")).first).to_be_visible()
    assert_accessible(board)
    assert_fits(board)
