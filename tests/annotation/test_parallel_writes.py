"""Many writes at the same moment, over connections of their own."""

import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction

from annotation.assignments import assign_batches, set_expert_batches
from annotation.conflicts import declare_conflict
from annotation.departures import withdraw_from_study
from annotation.models import (
    Action,
    Assignment,
    BatchAgreement,
    BatchQuestion,
    ConflictOfInterest,
    Event,
    Response,
    Revision,
)
from annotation.pool import lease_questions
from annotation.responses import ResponseWrite, write_response
from annotation.study_creation import Design, set_design
from backend.benchmarks.models import Question
from backend.common.errors import NotFound
from backend.studies.models import Study
from tests.annotation.personas import (
    Cast,
    activity_body,
    activity_event,
    client_of,
    join_as_expert,
    make_user,
    post_activity,
    put_response,
    response_body,
    reversed_order,
    write_answer,
)
from tests.parallel import run_and_close, wait_until_somebody_waits_for_a_lock

PARALLEL_WRITES = 50


def run_parallel(calls: list[Callable[[], Any]]) -> list[Any]:
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
    body = response_body(assignment, "submit", active_ms=10)
    client = client_of(committed_cast.expert)
    answers = run_parallel([partial(put_response, client, assignment, body, key)] * PARALLEL_WRITES)
    assert Counter(answer.status_code for answer in answers) == {200: PARALLEL_WRITES}
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert (Revision.objects.count(), Response.objects.get().active_ms) == (1, 10)


def test_activity_from_fifty_tabs_at_once_is_recorded_once(committed_cast: Cast) -> None:
    assignment, client = committed_cast.assignment(), client_of(committed_cast.expert)
    same = activity_event(active_ms=1)
    bodies = [activity_body(activity_event(active_ms=1), same) for _ in range(PARALLEL_WRITES)]
    answers = run_parallel([partial(post_activity, client, assignment, body) for body in bodies])
    assert Counter(answer.status_code for answer in answers) == {200: PARALLEL_WRITES}
    assert sum(answer.json()["recorded"] for answer in answers) == PARALLEL_WRITES + 1
    assert Event.objects.count() == Response.objects.get().active_ms == PARALLEL_WRITES + 1


def test_of_fifty_tabs_with_the_same_version_one_wins(committed_cast: Cast) -> None:
    assignment = committed_cast.assignment()
    client = client_of(committed_cast.expert)
    bodies = [
        response_body(assignment, "submit", comment=str(tab)) for tab in range(PARALLEL_WRITES)
    ]
    answers = run_parallel([partial(put_response, client, assignment, body) for body in bodies])
    statuses = Counter(answer.status_code for answer in answers)
    assert statuses == {200: 1, 409: PARALLEL_WRITES - 1}
    [winner] = [answer.json() for answer in answers if answer.status_code == 200]
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert all(answer["server_version"] == winner for answer in refused)
    sent = {answer["client_version"]["payload"]["comment"] for answer in refused}
    assert len(sent) == PARALLEL_WRITES - 1
    assert Revision.objects.count() == 1


def test_twenty_experts_lose_and_double_nothing(
    committed_cast: Cast, run_queued_tasks: Callable[[], list[str]]
) -> None:
    cast = committed_cast
    experts = [
        join_as_expert(cast.study, cast.batches, make_user(f"Expert{number}"))
        for number in range(20)
    ]

    def answer_everything(expert: Any) -> list[int]:
        client = client_of(expert)
        own_rows = Assignment.objects.filter(expert=expert).order_by("question__number")
        statuses = []
        for assignment in own_rows:
            draft = response_body(assignment, ranking=reversed_order(assignment))
            statuses.append(put_response(client, assignment, draft).status_code)
            body, key = response_body(assignment, "agree", version=1), str(uuid.uuid4())
            statuses += [put_response(client, assignment, body, key).status_code for _ in range(2)]
        return statuses

    matching = run_parallel([partial(answer_everything, expert) for expert in experts])
    assert {status for statuses in matching for status in statuses} == {200}
    assert Revision.objects.count() == 20 * 5
    assert set(Response.objects.values_list("version", "submitted_number")) == {(2, 1)}
    run_queued_tasks()
    counted = dict(BatchAgreement.objects.values_list("batch__number", "revision_count"))
    assert counted == {1: 20 * 3, 2: 20 * 2}


@pytest.mark.parametrize("attempt", range(5))
def test_a_batch_taken_away_in_the_same_moment_takes_no_answer_along(
    committed_cast: Cast, attempt: int
) -> None:
    cast, assignment = committed_cast, committed_cast.assignment()
    expert, coordinator = client_of(cast.expert), client_of(cast.coordinator)
    url = f"/api/v1/studies/{cast.study.id}/experts/{cast.expert.id}/batches"
    body = response_body(assignment, "submit")
    written, taken = run_parallel(
        [
            partial(put_response, expert, assignment, body),
            partial(coordinator.put, url, {"batches": []}, "application/json"),
        ]
    )
    outcome = (written.status_code, taken.status_code, Response.objects.count())
    assert outcome in {(200, 409, 1), (404, 200, 0)}


def run_while_locked(
    act: Callable[[], Any], wait: Callable[[], Any], then: Callable[[], Any] = list
) -> Any:
    """What `wait` returns or raises, which waits for the commit of `act` and `then`."""

    def call() -> Any:
        try:
            return wait()
        except NotFound as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            act()
            waiting = threads.submit(call)
            wait_until_somebody_waits_for_a_lock()
            then()
        return waiting.result(timeout=30)


def test_an_answer_that_waited_while_the_study_was_closed_is_refused(committed_cast: Cast) -> None:
    assignment = committed_cast.assignment()
    client, body = client_of(committed_cast.expert), response_body(assignment, "agree")

    def close() -> None:
        Study.objects.filter(id=committed_cast.study.id).update(status=Study.Status.CLOSED)

    answered = run_while_locked(
        lambda: Assignment.objects.select_for_update().get(id=assignment.id),
        partial(put_response, client, assignment, body),
        close,
    )
    assert (answered.status_code, answered.json()["code"]) == (409, "study_closed")
    assert not Revision.objects.exists()


@pytest.mark.parametrize("leaves_first", [False, True])
def test_an_answer_and_a_departure_that_keeps_answers_wait_for_each_other(
    committed_cast: Cast, leaves_first: bool
) -> None:
    cast, row = committed_cast, committed_cast.assignment()
    answer = partial(write_answer, row, "agree")
    leave = partial(
        withdraw_from_study, actor=cast.expert, study_id=cast.study.id, with_answers=False
    )
    late = run_while_locked(leave, answer) if leaves_first else run_while_locked(answer, leave)
    assert isinstance(late, NotFound) is leaves_first
    row.refresh_from_db()
    assert row.state == ("released" if leaves_first else "active")
    assert Revision.objects.count() == (0 if leaves_first else 1)


def test_a_question_is_not_leased_while_its_conflict_is_declared(committed_cast: Cast) -> None:
    cast, row = committed_cast, committed_cast.assignment()
    set_design(cast.study, Design(overlap=4))
    Assignment.objects.filter(expert=cast.expert).delete()
    declare = partial(
        declare_conflict,
        actor=cast.coordinator,
        study_id=cast.study.id,
        expert_id=cast.expert.id,
        batch=1,
        question=row.question.number,
        reason="Their own paper.",
    )
    lease = partial(lease_questions, actor=cast.expert, study_id=cast.study.id, count=20)
    leased = run_while_locked(declare, lease)
    assert leased and row.question_id not in {one.question_id for one in leased}


def test_questions_imported_while_a_batch_is_given_are_given_too(committed_cast: Cast) -> None:
    study, batch = committed_cast.study, committed_cast.batch
    newcomer = join_as_expert(study, [], make_user("newcomer@example.org"))
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


def test_other_batches_and_a_withdrawal_take_locks_in_one_order(committed_cast: Cast) -> None:
    """The change of batches waits for its last row, then the expert withdraws."""
    cast = committed_cast
    own = Assignment.objects.filter(expert=cast.expert, batch=cast.batches[1])
    last = own.order_by("id").last()
    assert last is not None and own.count() > 1
    change = partial(
        set_expert_batches,
        actor=cast.coordinator,
        study_id=cast.study.id,
        expert_id=cast.expert.id,
        batch_ids=[cast.batch.id],
    )
    withdraw = partial(
        withdraw_from_study, actor=cast.expert, study_id=cast.study.id, with_answers=True
    )
    calls: list[Callable[[], Any]] = [change, withdraw]
    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            Assignment.objects.select_for_update().get(pk=last.pk)
            waiting = []
            for count, call in enumerate(calls, start=1):
                waiting.append(threads.submit(run_and_close, call))
                wait_until_somebody_waits_for_a_lock(count)
        assert waiting[0].result(timeout=30) == [cast.batch]
        assert waiting[1].result(timeout=30) is None
    assert not own.exists()


@pytest.mark.parametrize("place", [0, 1], ids=["first", "second"])
def test_a_skip_for_a_conflict_and_a_withdrawal_take_locks_in_one_order(
    committed_cast: Cast, place: int
) -> None:
    """The question came twice. The withdrawal waits for its first row, then the skip arrives."""
    cast = committed_cast
    rows = [cast.assignment(), copy(cast.assignment())]
    rows[1].pk, rows[1].occasion, rows[1]._state.adding = uuid.uuid4(), 2, True
    rows[1].save()
    rows.sort(key=lambda row: row.pk)
    skip = skip_for_conflict(rows[place])
    calls: list[Callable[[], Any]] = [
        partial(withdraw_from_study, actor=cast.expert, study_id=cast.study.id, with_answers=True),
        partial(write_response, actor=cast.expert, assignment_id=rows[place].pk, write=skip),
    ]
    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            Assignment.objects.select_for_update().get(pk=rows[0].pk)
            waiting = []
            for count, call in enumerate(calls, start=1):
                waiting.append(threads.submit(run_and_close, call))
                wait_until_somebody_waits_for_a_lock(count)
        assert waiting[0].result(timeout=30) is None
        with pytest.raises(NotFound):
            waiting[1].result(timeout=30)
    states = set(Assignment.objects.filter(expert=cast.expert).values_list("state", flat=True))
    assert states == {Assignment.State.WITHDRAWN}


def test_a_conflict_that_the_expert_and_a_coordinator_declare_is_stored_once(
    committed_cast: Cast,
) -> None:
    cast, row = committed_cast, committed_cast.assignment()
    skip = skip_for_conflict(row)
    declare = partial(
        declare_conflict,
        actor=cast.coordinator,
        study_id=cast.study.id,
        expert_id=cast.expert.id,
        batch=1,
        question=row.question.number,
        reason="A relative's paper.",
    )
    answer = partial(write_response, actor=cast.expert, assignment_id=row.pk, write=skip)
    calls: list[Callable[[], Any]] = [declare, answer]
    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            Assignment.objects.select_for_update().get(pk=row.pk)
            waiting = []
            for count, call in enumerate(calls, start=1):
                waiting.append(threads.submit(run_and_close, call))
                wait_until_somebody_waits_for_a_lock(count)
        assert waiting[0].result(timeout=30) is None
        with pytest.raises(NotFound):  # withdrawn by the declaration before it
            waiting[1].result(timeout=30)
    assert ConflictOfInterest.objects.get().reason == "A relative's paper."


def skip_for_conflict(row: Assignment) -> ResponseWrite:
    payload = response_body(row, "skip")["payload"]
    return ResponseWrite(
        version=0, action=Action.SKIP, payload=payload, conflict="Their own paper."
    )
