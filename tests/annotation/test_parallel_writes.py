"""Many writes at the same moment, over connections of their own."""

import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction

from annotation.assignments import assign_batches
from annotation.models import (
    Assignment,
    BatchAgreement,
    BatchQuestion,
    Event,
    Response,
    Revision,
    Study,
)
from backend.benchmarks.models import Question
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


def test_an_answer_that_waited_while_the_study_was_closed_is_refused(committed_cast: Cast) -> None:
    assignment = committed_cast.assignment()
    client, body = client_of(committed_cast.expert), body_of(assignment, "agree")

    def answer() -> Any:
        try:
            return put(client, assignment, body)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            Assignment.objects.select_for_update().get(id=assignment.id)
            waiting = threads.submit(answer)
            wait_until_somebody_waits_for_a_lock()
            Study.objects.filter(id=committed_cast.study.id).update(status=Study.Status.CLOSED)
        answered = waiting.result(timeout=30)
    assert (answered.status_code, answered.json()["code"]) == (409, "study_closed")
    assert not Revision.objects.exists()


def test_questions_imported_while_a_batch_is_given_are_given_too(committed_cast: Cast) -> None:
    study, batch = committed_cast.study, committed_cast.batch
    newcomer = join(study, [], make_user("newcomer@example.org"))
    added = Question.objects.exclude(batches=batch).first()
    assert added

    def give() -> int:
        try:
            return assign_batches(study=study, expert=newcomer, batches=[batch], actor=None)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            Study.objects.select_for_update().get(id=study.id)
            waiting = threads.submit(give)
            wait_until_somebody_waits_for_a_lock()
            BatchQuestion.objects.create(batch=batch, question=added)
        assert waiting.result(timeout=30) == batch.entries.count()


def wait_until_somebody_waits_for_a_lock() -> None:
    limit = time.monotonic() + 30
    while time.monotonic() < limit:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    raise AssertionError("Nobody waits.")
