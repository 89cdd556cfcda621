"""Many writes at the same moment, over connections of their own."""

import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from annotation.models import Assignment, BatchAgreement, Event, Response, Revision
from tests.annotation.personas import (
    Cast,
    body_of,
    client_of,
    event,
    join,
    make_user,
    put,
    reversed_order,
)

AT_ONCE = 50


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """All of them start together; each thread gives its connection back."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait(timeout=30)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def test_fifty_copies_of_one_submission_leave_one_revision(committed_cast: Cast) -> None:
    assignment, key = committed_cast.assignment(), str(uuid.uuid4())
    body = body_of(assignment, "submit", events=[event()], active_ms=10)
    client = client_of(committed_cast.expert)
    answers = at_once([partial(put, client, assignment, body, key)] * AT_ONCE)
    assert Counter(answer.status_code for answer in answers) == {200: AT_ONCE}
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert (Revision.objects.count(), Event.objects.count()) == (1, 1)
    assert Response.objects.get().active_ms == 10


def test_of_fifty_tabs_with_the_same_version_one_wins(committed_cast: Cast) -> None:
    assignment = committed_cast.assignment()
    client = client_of(committed_cast.expert)
    bodies = [
        body_of(assignment, "submit", comment=str(tab), events=[event()]) for tab in range(AT_ONCE)
    ]
    answers = at_once([partial(put, client, assignment, body) for body in bodies])
    statuses = Counter(answer.status_code for answer in answers)
    assert statuses == {200: 1, 409: AT_ONCE - 1}
    [winner] = [answer.json() for answer in answers if answer.status_code == 200]
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert all(answer["current"] == winner for answer in refused)
    assert len({answer["yours"]["comment"] for answer in refused}) == AT_ONCE - 1
    assert (Revision.objects.count(), Event.objects.count()) == (1, 1)


def test_twenty_experts_lose_and_double_nothing(
    committed_cast: Cast, work_off: Callable[[], list[str]]
) -> None:
    cast = committed_cast
    experts = [join(cast.study, cast.batches, make_user(f"Expert{number}")) for number in range(20)]

    def answer_everything(expert: Any) -> list[int]:
        client = client_of(expert)
        hers = Assignment.objects.filter(expert=expert).order_by("question__number")
        statuses = []
        for assignment in hers:
            draft = body_of(assignment, ranking=reversed_order(assignment))
            statuses.append(put(client, assignment, draft).status_code)
            body, key = body_of(assignment, "agree", version=1), str(uuid.uuid4())
            statuses += [put(client, assignment, body, key).status_code for _ in range(2)]
        return statuses

    found = at_once([partial(answer_everything, expert) for expert in experts])
    assert {status for statuses in found for status in statuses} == {200}
    assert Revision.objects.count() == 20 * 5
    assert set(Response.objects.values_list("version", "submitted_number")) == {(2, 1)}
    work_off()
    counted = dict(BatchAgreement.objects.values_list("batch__number", "revisions"))
    assert counted == {1: 20 * 3, 2: 20 * 2}


@pytest.mark.parametrize("attempt", range(5))
def test_a_batch_taken_away_in_the_same_moment_takes_no_answer_along(
    committed_cast: Cast, attempt: int
) -> None:
    cast, assignment = committed_cast, committed_cast.assignment()
    expert, coordinator = client_of(cast.expert), client_of(cast.coordinator)
    url = f"/api/v1/studies/{cast.study.id}/experts/{cast.expert.id}/batches"
    body = body_of(assignment, "submit")
    written, taken = at_once(
        [
            partial(put, expert, assignment, body),
            partial(coordinator.put, url, {"batches": []}, "application/json"),
        ]
    )
    outcome = (written.status_code, taken.status_code, Response.objects.count())
    assert outcome in {(200, 409, 1), (404, 200, 0)}
