"""Questions of a pool: each is answered by exactly `overlap` experts, and nothing is lost."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.agreement import recompute_agreement
from annotation.assignments import set_expert_batches
from annotation.exports import export_json
from annotation.imports import _assign_to_batch_experts, import_study
from annotation.models import Assignment, BatchQuestion, Response, Revision, StudyDesign
from annotation.pool import count_available, lease_questions
from annotation.question_decisions import decide_on_questions
from annotation.study_creation import Design, set_design
from backend.accounts.models import User
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.studies.models import Study
from tests.annotation.pair_study import pair_entry, pair_file
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_question,
    make_study,
    make_user,
    put_response,
    response_body,
    write_answer,
)
from tests.annotation.test_parallel_writes import run_parallel
from tests.parallel import run_and_close, wait_until_somebody_waits_for_a_lock

State = Assignment.State


def make_pool(
    experts: int, *, questions: int = 4, overlap: int = 2, minutes: int = 60
) -> tuple[Study, list[User]]:
    study, batches = make_study("Pool", make_user("Ada"), questions=(questions,))
    set_design(study, Design(overlap=overlap, seed=5, lease_minutes=minutes))
    return study, [join_as_expert(study, batches, make_user(f"E{n}")) for n in range(experts)]


def lease(study: Study, expert: User, count: int = 1) -> list[Assignment]:
    return lease_questions(actor=expert, study_id=study.id, count=count)


def let_leases_expire(study: Study) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Assignment.objects.filter(study=study).update(leased_until=past)


def states(study: Study) -> Counter[str]:
    return Counter(Assignment.objects.filter(study=study).values_list("state", flat=True))


def test_joining_assigns_nothing_and_experts_take_what_is_free(db: None) -> None:
    study, (one, other, third) = make_pool(3)
    assert not Assignment.objects.filter(study=study).exists()
    assert len(lease(study, one, 10)) == 4
    assert len(lease(study, other, 3)) == 3
    assert len(lease(study, third, 10)) == 1, "three of four have both places taken"


def test_orders_differ_between_experts_and_stay(db: None) -> None:
    study, experts = make_pool(6, questions=8, overlap=6)
    orders = [[row.question_id for row in lease(study, one, 8)] for one in experts]
    assert len({tuple(order) for order in orders}) == 6
    again = [[row.question_id for row in lease(study, one, 8)] for one in experts]
    assert again == orders


def test_an_expired_lease_is_renewed_while_its_place_is_free(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    (assignment,) = lease(study, one)
    let_leases_expire(study)
    assert lease(study, one) == [assignment]
    assert lease(study, other) == []


def test_an_expired_lease_that_others_took_leaves_a_draft_and_nothing_else(db: None) -> None:
    study, (one, other) = make_pool(2, questions=2, overlap=1)
    begun, untouched = lease(study, one, 2)
    write_answer(begun, "save")
    let_leases_expire(study)
    assert len(lease(study, other, 2)) == 2
    assert lease(study, one, 2) == []
    assert Assignment.objects.get(pk=begun.pk).state == State.ACTIVE
    assert Assignment.objects.get(pk=untouched.pk).state == State.RELEASED


def answer_one_place() -> list[Assignment]:
    """Of three experts whose leases ran out in turn; the answers of two are surplus."""
    study, experts = make_pool(3, questions=1, overlap=1)
    rows = []
    for expert in experts:
        rows += lease(study, expert)
        let_leases_expire(study)
    for row in rows:
        write_answer(row, "agree")
    return rows


def test_the_earliest_surplus_answer_takes_a_place_that_is_returned(db: None) -> None:
    rows = answer_one_place()
    write_answer(rows[0], "skip")
    now = [Assignment.objects.get(pk=row.pk).state for row in rows]
    assert now == [State.RELEASED, State.ACTIVE, State.SURPLUS]


def test_a_place_that_a_writer_of_a_draft_did_not_get_is_filled_with_the_agreement(
    db: None,
) -> None:
    rows = answer_one_place()
    Assignment.objects.filter(pk=rows[0].pk).update(state=State.RELEASED)
    for _ in range(2):
        recompute_agreement(batch_id=rows[0].batch_id)
    now = [Assignment.objects.get(pk=row.pk).state for row in rows]
    assert now == [State.RELEASED, State.ACTIVE, State.SURPLUS]


def test_questions_that_are_imported_into_a_pool_are_assigned_to_nobody(db: None) -> None:
    study, (one,) = make_pool(1, questions=1, overlap=1)
    lease(study, one)
    question = make_question(question_set_of(study), 2, (1, 2, 3, 4))
    batch = study.batches.get()
    BatchQuestion.objects.create(batch=batch, question=question)
    _assign_to_batch_experts(batch, [question.id])
    assert Assignment.objects.filter(study=study).count() == 1


def test_batches_of_a_pool_are_assigned_to_nobody(db: None) -> None:
    study, (one,) = make_pool(1, questions=1, overlap=1)
    lease(study, one)
    coordinator = study.created_by
    assert coordinator is not None
    with pytest.raises(Conflict) as refused:
        set_expert_batches(actor=coordinator, study_id=study.id, expert_id=one.id, batch_ids=[])
    assert refused.value.code == "study_has_pool"
    assert Assignment.objects.filter(study=study).count() == 1


def test_surplus_answers_are_in_no_list_and_no_measure(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    (late,) = lease(study, one)
    let_leases_expire(study)
    (taken,) = lease(study, other)
    for row in (taken, late):
        write_answer(row, "agree")
    coordinator = study.created_by
    listed = client_of(coordinator).get(f"/api/v1/studies/{study.id}/questions").json()
    assert [answer["expert"]["id"] for answer in listed["results"][0]["answers"]] == [str(other.id)]


def test_a_withdrawn_answer_leaves_the_agreement(db: None) -> None:
    study, experts = make_pool(3, questions=1, overlap=3)
    rows = [row for expert in experts for row in lease(study, expert)]
    for row in rows:
        write_answer(row, "agree")
    batch = study.batches.get()
    stored = recompute_agreement(batch_id=batch.id)
    assert stored is not None and stored.statistics["measures"][0]["n"] == 1
    for row in rows[1:]:
        write_answer(row, "skip")
    stored = recompute_agreement(batch_id=batch.id)
    assert stored is not None and stored.statistics["questions"] == 0


def test_an_expired_lease_returns_to_the_pool(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    lease(study, one)
    assert lease(study, other) == []
    let_leases_expire(study)
    assert len(lease(study, other)) == 1
    assert lease(study, one) == []


def release(study: Study, *rows: Assignment) -> int:
    coordinator = study.created_by
    assert coordinator is not None
    return decide_on_questions(
        actor=coordinator,
        study_id=study.id,
        action="release",
        question_ids=[row.question_id for row in rows],
    )


def test_a_released_lease_can_be_taken_again_by_its_expert(db: None) -> None:
    study, (one,) = make_pool(1, questions=2, overlap=1)
    first, second = lease(study, one, 2)
    assert release(study, first, second) == 2
    batch = study.batches.get()
    assert count_available(one) == {batch.id: 2}
    assert lease(study, one) == [first], "as many as the expert takes, in the same order"
    assert states(study) == {State.ACTIVE: 1, State.RELEASED: 1}
    write_answer(first, "agree")
    assert lease(study, one) == [second]
    write_answer(second, "agree")
    assert states(study) == {State.ACTIVE: 2}


def test_a_lease_that_others_took_comes_back_with_its_place(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    (lost,) = lease(study, one)
    arms = lost.arms
    let_leases_expire(study)
    (taken,) = lease(study, other)
    assert lease(study, one) == []
    assert Assignment.objects.get(pk=lost.pk).state == State.RELEASED
    write_answer(taken, "skip")
    (again,) = lease(study, one)
    assert (again.pk, again.arms, again.state) == (lost.pk, arms, State.ACTIVE)
    write_answer(again, "agree")
    assert Assignment.objects.counted().get(study=study, response__submitted_number=1) == lost


def test_a_returned_question_that_its_expert_writes_at_this_moment_is_waited_for_by_nobody(
    committed_pool: tuple[Study, User, Assignment],
) -> None:
    study, one, row = committed_pool
    release(study, row)
    with ThreadPoolExecutor(1) as threads, transaction.atomic():
        Assignment.objects.select_for_update().get(pk=row.pk)
        assert threads.submit(run_and_close, partial(lease, study, one)).result(timeout=30) == []
    assert lease(study, one) == [row]


@pytest.mark.django_db(transaction=True)
def test_a_returned_question_that_its_expert_writes_hides_no_other() -> None:
    study, (one,) = make_pool(1, questions=2, overlap=1)
    first, second = lease(study, one, 2)
    release(study, first, second)
    with ThreadPoolExecutor(1) as threads, transaction.atomic():
        Assignment.objects.select_for_update().get(pk=first.pk)
        leased = threads.submit(run_and_close, partial(lease, study, one)).result(timeout=30)
    assert leased == [second]


def test_a_released_question_comes_back_to_its_expert_after_all_others(db: None) -> None:
    """So that others can have it, for whom it was released."""
    study, (one, other) = make_pool(2, questions=3, overlap=1)
    (first,) = lease(study, one)
    release(study, first)
    (second,) = lease(study, one)
    assert second.question_id != first.question_id
    assert first.question_id in {row.question_id for row in lease(study, other, 2)}
    release(study, *Assignment.objects.filter(expert=other))
    assert first in lease(study, one, 3), "while its place is free"


def test_sides_of_questions_that_are_taken_again_count_for_the_others_of_the_call(
    db: None,
) -> None:
    files = pair_file(pair_entry(1), pair_entry(2))
    study = import_study(
        actor=make_user("Ada"), name="Pairs", sources=files, kind="hypothesis_pairs"
    ).study
    set_design(study, Design(overlap=8, seed=5))
    for number in range(8):
        one = join_as_expert(study, [], make_user(f"E{number}"))
        release(study, *lease(study, one))
        assert {row.arms["side"] for row in lease(study, one, 2)} == {"as_listed", "swapped"}


@pytest.mark.django_db(transaction=True)
def test_an_answer_and_a_release_of_leases_take_locks_in_one_order() -> None:
    """The release waits for its first row; an answer to the second one waits for no release."""
    study, (one,) = make_pool(1, questions=2, overlap=1)
    first, second = sorted(lease(study, one, 2), key=lambda row: row.pk)
    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            Assignment.objects.select_for_update().get(pk=first.pk)
            releasing = threads.submit(run_and_close, partial(release, study, first, second))
            wait_until_somebody_waits_for_a_lock()
            answer = partial(write_answer, second, "agree")
            threads.submit(run_and_close, answer).result(timeout=10)
        assert releasing.result(timeout=30) == 1
    assert Assignment.objects.get(pk=first.pk).state == State.RELEASED
    assert Assignment.objects.get(pk=second.pk).state == State.ACTIVE


def test_an_answer_that_is_submitted_while_a_release_waits_for_it_stays(
    committed_pool: tuple[Study, User, Assignment],
) -> None:
    study, _, row = committed_pool
    calls: list[Callable[[], object]] = [
        partial(write_answer, row, "agree"),
        partial(release, study, row),
    ]
    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            Study.objects.select_for_update().get(pk=study.pk)
            waiting = []
            for count, call in enumerate(calls, start=1):
                waiting.append(threads.submit(run_and_close, call))
                wait_until_somebody_waits_for_a_lock(count)
        assert [one.result(timeout=30) for one in waiting][1] == 0
    row.refresh_from_db()
    assert row.state == State.ACTIVE


@pytest.fixture
def committed_pool(transactional_db: None) -> tuple[Study, User, Assignment]:
    study, (one,) = make_pool(1, questions=1, overlap=1)
    (row,) = lease(study, one)
    return study, one, row


def test_a_late_answer_takes_its_place_while_it_is_free(db: None) -> None:
    study, (one, _) = make_pool(2, questions=1, overlap=1)
    (assignment,) = lease(study, one)
    let_leases_expire(study)
    write_answer(assignment, "agree")
    assert states(study) == {State.ACTIVE: 1}


def test_a_late_answer_after_others_is_stored_and_not_counted(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    (late,) = lease(study, one)
    let_leases_expire(study)
    (taken,) = lease(study, other)
    write_answer(taken, "agree")
    write_answer(late, "agree")
    assert states(study) == {State.ACTIVE: 1, State.SURPLUS: 1}
    assert Revision.objects.filter(response__assignment=late).count() == 1
    assert Assignment.objects.counted().get(study=study) == taken


def test_a_skipped_question_returns_to_the_pool_and_can_be_answered_later(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    (skipped,) = lease(study, one)
    write_answer(skipped, "skip")
    assert states(study) == {State.RELEASED: 1}
    assert lease(study, one) == [], "a skipped question is not offered again"
    (taken,) = lease(study, other)
    write_answer(skipped, "agree")
    assert Assignment.objects.get(pk=skipped.pk).state == State.ACTIVE
    write_answer(taken, "agree")
    assert Assignment.objects.get(pk=taken.pk).state == State.SURPLUS


def test_a_revision_keeps_its_place(db: None) -> None:
    study, (one,) = make_pool(1, questions=1, overlap=1)
    (assignment,) = lease(study, one)
    for intent in ("agree", "not_sure", "agree"):
        write_answer(assignment, intent)
    assert states(study) == {State.ACTIVE: 1}


def test_a_draft_prolongs_the_lease(db: None) -> None:
    study, (one,) = make_pool(1, minutes=60)
    (assignment,) = lease(study, one)
    soon = timezone.now() + timedelta(minutes=10)
    Assignment.objects.filter(pk=assignment.pk).update(leased_until=soon)
    write_answer(assignment, "save")
    renewed = Assignment.objects.get(pk=assignment.pk).leased_until
    assert renewed is not None and renewed > soon


def test_strangers_take_nothing(cast: Cast) -> None:
    set_design(cast.study, Design(overlap=1))
    for person, error in ((cast.outsider, NotFound), (cast.coordinator, NotAllowed)):
        with pytest.raises(error):
            lease(cast.study, person)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_take_exactly_as_many_places_as_there_are() -> None:
    study, experts = make_pool(12, questions=6, overlap=3)
    calls: list[Callable[[], list[Assignment]]] = [partial(lease, study, one, 2) for one in experts]
    leased = [row for rows in run_parallel(calls) for row in rows]
    taken = Counter(row.question_id for row in leased)
    assert max(taken.values()) <= 3
    for one in experts:
        while rows := lease(study, one, 2):
            for row in rows:
                write_answer(row, "agree")
    assert {*answered(study).values()} == {3}


@pytest.mark.django_db(transaction=True)
def test_answers_that_come_late_all_at_once_fill_the_places_exactly() -> None:
    study, experts = make_pool(8, questions=2, overlap=3)
    rows: list[Assignment] = []
    for one in experts:
        rows += lease(study, one, 2)
        let_leases_expire(study)
    assert len(rows) == 16
    run_parallel([partial(write_answer, row, "agree") for row in rows])
    assert {*answered(study).values()} == {3}
    assert states(study) == {State.ACTIVE: 6, State.SURPLUS: 10}
    assert Response.objects.filter(submitted_number=1).count() == 16


def answered(study: Study) -> Counter[int]:
    rows = Assignment.objects.counted().filter(study=study, response__answer_ms__isnull=False)
    return Counter(rows.values_list("question__number", flat=True))


def test_the_export_states_what_was_drawn_and_what_counts(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    (late,) = lease(study, one)
    let_leases_expire(study)
    (taken,) = lease(study, other)
    write_answer(taken, "agree")
    write_answer(late, "agree")
    document = json.loads("".join(export_json(study)))
    (question,) = document["batches"][0]["questions"]
    assert sorted(row["state"] for row in question["assignments"]) == ["active", "surplus"]


def test_the_dashboard_counts_requested_answers_and_home_what_is_free(db: None) -> None:
    study, (one, other) = make_pool(2, questions=4, overlap=2)
    (assignment,) = lease(study, one)
    write_answer(assignment, "agree")
    coordinator = study.created_by
    assert coordinator is not None
    board = client_of(coordinator).get(f"/api/v1/studies/{study.id}/board").json()
    assert (board["totals"]["expected"], board["totals"]["answered"]) == (8, 1)
    for expert in (one, other):
        (batch,) = client_of(expert).get("/api/v1/batches").json()["results"]
        assert (batch["total"], len(batch["marks"])) == (4, int(expert == one))


def test_an_expert_takes_questions_through_the_api(db: None) -> None:
    study, (one,) = make_pool(1, questions=4, overlap=1)
    batch = study.batches.get()
    address = f"/api/v1/batches/{batch.id}/leases"
    shown = client_of(one).post(address, {"count": 3}, "application/json").json()
    assert (shown["total"], shown["available"], len(shown["assignments"])) == (3, 1, 3)
    again = client_of(one).post(address, {"count": 3}, "application/json").json()
    assert [row["id"] for row in again["assignments"]] == [
        row["id"] for row in shown["assignments"]
    ]


@pytest.mark.parametrize(("gold_share", "most"), [(0.0, 21), (1.0, 26)])
def test_a_lease_and_a_submission_in_a_pool_take_few_queries(
    db: None, gold_share: float, most: int
) -> None:
    """Where a place is drawn for gold, the gold questions are read too."""
    study, (one,) = make_pool(1, questions=4, overlap=3)
    StudyDesign.objects.filter(study=study).update(gold_share=gold_share)
    client, batch = client_of(one), study.batches.get()
    (first,) = lease(study, one)
    write_answer(first, "save")
    with CaptureQueriesContext(connection) as leasing:
        client.post(f"/api/v1/batches/{batch.id}/leases", {"count": 2}, "application/json")
    body = response_body(first, "agree", version=1)
    with CaptureQueriesContext(connection) as submitting:
        assert put_response(client, first, body).status_code == 200
    # Beside those outside pools: the lock of the question's places, and the answers that have one.
    # Two of them: whether the expert entered a board, or wrote rationales, that the study judges.
    for captured, bound in ((leasing, most), (submitting, 12)):
        statements = _reads_and_writes(captured)
        assert len(statements) <= bound, "\n".join(statements)


def _reads_and_writes(captured: CaptureQueriesContext) -> list[str]:
    """Their first words: enough to tell which one is new."""
    statements = [one["sql"] for one in captured]
    return [one[:90] for one in statements if not one.startswith(("SAVEPOINT", "RELEASE"))]
