"""The coordinator's board: live counts, computed statistics, and who is at work."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from annotation import live
from annotation.agreement import recompute_agreement
from annotation.models import Action, Assignment, BatchAgreement, Study
from tests.annotation.personas import (
    Cast,
    answer,
    client_of,
    join,
    make_study,
    make_user,
    prior_of,
)
from tests.cache import empty_cache


def board(cast: Cast) -> Any:
    answer = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board")
    assert answer.status_code == 200
    return answer.json()


def test_an_empty_board_knows_nothing_and_says_so(cast: Cast) -> None:
    told = board(cast)
    assert told["totals"] == {
        "answered": 0,
        "expected": 10,
        "median_active_ms": None,
        "changed_share": None,
        "not_sure_share": None,
        "experts": 2,
        "active": [],
        "finish_at": None,
    }
    assert [row["agreement"] for row in told["batches"]] == [None, None]
    assert (told["recent"], told["computed_at"]) == ([], None)


def test_counts_are_questions_times_experts_and_move_with_every_answer(cast: Cast) -> None:
    answer(cast.assignment(number=1), Action.AGREE, active_ms=10_000)
    answer(cast.assignment(number=2), Action.SUBMIT, active_ms=30_000, confidence=5)
    answer(cast.assignment(number=3), Action.SKIP, active_ms=7)
    answer(cast.assignment(cast.colleague), Action.NOT_SURE, active_ms=20_000)
    told = board(cast)
    row = told["batches"][0]
    assert (row["questions"], row["experts"], row["expected"], row["answered"]) == (3, 2, 6, 3)
    assert (row["confirmed"], row["changed"], row["not_sure"], row["skipped"]) == (1, 1, 1, 1)
    assert (row["changed_share"], row["median_active_ms"]) == (0.5, 20_000)
    assert (told["totals"]["answered"], told["totals"]["expected"]) == (3, 10)
    assert told["totals"]["not_sure_share"] == pytest.approx(1 / 3)
    eve = next(row for row in told["experts"] if row["id"] == str(cast.expert.id))
    assert (eve["answered"], eve["total"], eve["median_active_ms"]) == (2, 5, 20_000)
    assert [(b["number"], b["answered"], b["total"]) for b in eve["batches"]] == [
        (1, 2, 3),
        (2, 0, 2),
    ]
    assert [(r["state"], r["question_number"]) for r in told["recent"]] == [
        ("not_sure", 1),
        ("skipped", 3),
        ("changed", 2),
        ("confirmed", 1),
    ]
    assert told["recent"][2]["confidence"] == 5


def test_the_first_answer_times_a_question_however_often_it_is_revised(cast: Cast) -> None:
    answer(cast.assignment(), Action.AGREE, active_ms=10_000)
    answer(cast.assignment(), Action.SUBMIT, active_ms=90_000)
    row = board(cast)["batches"][0]
    assert (row["median_active_ms"], row["answered"], row["changed"]) == (10_000, 1, 1)


def test_agreement_is_over_the_last_submission_of_every_expert(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        answer(cast.assignment(expert, 1), Action.AGREE)
        answer(cast.assignment(expert, 2), Action.SUBMIT)
    answer(cast.assignment(cast.expert, 1), Action.SUBMIT)
    answer(cast.assignment(cast.expert, 3), Action.NOT_SURE)
    answer(cast.assignment(cast.colleague, 3), Action.SKIP)
    recompute_agreement(batch_id=cast.batch.id)
    found = board(cast)["batches"][0]["agreement"]
    # Question 1: one order and its reverse, tau -1, W 0. Question 2: the same order twice.
    assert (found["tau_b"]["value"], found["tau_b"]["n"]) == (0.0, 2)
    assert found["kendall_w"]["value"] == 0.5
    assert found["top1"]["value"] == 0.5
    assert (found["top1"]["low"], found["top1"]["interval_reason"]) == (None, "too_few_questions")
    assert found["questions"] == 2
    assert (found["not_sure_left_out"], found["skipped_left_out"]) == (1, 1)
    assert found["stale"] is False


def test_one_expert_alone_has_no_agreement_and_the_board_says_why(cast: Cast) -> None:
    answer(cast.assignment(), Action.AGREE)
    recompute_agreement(batch_id=cast.batch.id)
    found = board(cast)["batches"][0]["agreement"]
    assert found["kendall_w"] == {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "reason": "too_few_questions",
        "interval_reason": "too_few_questions",
    }


def test_a_reopened_answer_counts_as_submitted_until_the_next(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        answer(cast.assignment(expert), Action.AGREE)
    order = prior_of(cast.assignment())[::-1]
    answer(cast.assignment(), Action.SAVE, ranking=order)
    recompute_agreement(batch_id=cast.batch.id)
    row = board(cast)["batches"][0]
    assert (row["confirmed"], row["agreement"]["tau_b"]["value"]) == (2, 1.0)


def test_submissions_recompute_the_agreement_of_their_batch_once_for_all_that_wait(
    cast: Cast,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    work_off: Callable[[], list[str]],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answer(cast.assignment(number=1), Action.AGREE)
        answer(cast.assignment(number=2), Action.AGREE)
    assert work_off() == ["annotation.recompute_agreement"]
    row = BatchAgreement.objects.get()
    assert (row.batch, row.revisions, row.version) == (cast.batch, 2, 1)


def test_statistics_asked_for_while_new_ones_are_still_warm_come_a_moment_later(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def enqueue(task: str, *, after_s: float, batch: str) -> bool:
        waits.append(after_s)
        return True

    monkeypatch.setattr(live, "enqueue", enqueue)
    live.ask_for_agreement(cast.batch.id)
    recompute_agreement(batch_id=cast.batch.id)
    live.ask_for_agreement(cast.batch.id)
    live.ask_for_agreement(cast.batches[1].id)
    assert waits == [0, live.REST_S, 0]


def test_statistics_lost_on_the_way_are_seen_to_be_stale_and_asked_for_again(
    cast: Cast,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    work_off: Callable[[], list[str]],
) -> None:
    answer(cast.assignment(cast.colleague), Action.AGREE)
    recompute_agreement(batch_id=cast.batch.id)
    answer(cast.assignment(), Action.AGREE)  # its message never arrives: nothing is committed
    with django_capture_on_commit_callbacks(execute=True):
        assert board(cast)["batches"][0]["agreement"]["stale"] is True
    work_off()
    found = board(cast)["batches"][0]["agreement"]
    assert (found["stale"], found["tau_b"]["value"]) == (False, 1.0)


def test_an_older_reading_never_replaces_a_newer_one(cast: Cast) -> None:
    answer(cast.assignment(), Action.AGREE)
    recompute_agreement(batch_id=cast.batch.id)
    BatchAgreement.objects.update(revisions=5)
    recompute_agreement(batch_id=cast.batch.id)
    assert BatchAgreement.objects.get().revisions == 5


def test_who_is_at_work_is_shown_and_forgotten_with_redis(cast: Cast) -> None:
    url = f"/api/v1/batches/{cast.batch.id}/active"
    for _ in range(2):
        assert client_of(cast.expert).post(url).status_code == 204
    told = board(cast)
    eve = {"id": str(cast.expert.id), "name": "Eve", "is_simulated": False}
    assert told["totals"]["active"] == told["batches"][0]["active"] == [eve]
    assert told["batches"][1]["active"] == []
    empty_cache()
    assert board(cast)["totals"]["active"] == []


def test_the_version_grows_with_what_happens_even_if_redis_forgets(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = board(cast)["version"]
    assert board(cast)["version"] == before
    with django_capture_on_commit_callbacks(execute=True):
        answer(cast.assignment(), Action.AGREE)
    after = board(cast)["version"]
    assert after > before
    empty_cache()
    assert board(cast)["version"] > after


def test_a_board_takes_as_many_queries_for_many_people_as_for_few(cast: Cast) -> None:
    def queries() -> int:
        for assignment in Assignment.objects.filter(study=cast.study, response=None):
            answer(assignment, Action.SUBMIT)
        for batch in cast.batches:
            recompute_agreement(batch_id=batch.id)
        client = client_of(cast.coordinator)
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/api/v1/studies/{cast.study.id}/board")
        return len(captured)

    few = queries()
    for number in range(5):
        join(cast.study, cast.batches, make_user(f"More{number}"))
    assert queries() == few <= 15


def test_only_its_coordinators_see_a_board(cast: Cast) -> None:
    url = f"/api/v1/studies/{cast.study.id}/board"
    for person, status in (
        (None, 401),
        (cast.outsider, 404),
        (cast.other_coordinator, 404),
        (cast.other_expert, 404),
        (cast.expert, 403),
    ):
        assert client_of(person).get(url).status_code == status


def test_studies_are_listed_to_their_coordinators_only(cast: Cast) -> None:
    answer(cast.assignment(), Action.AGREE)
    [mine] = client_of(cast.coordinator).get("/api/v1/studies").json()["results"]
    assert (mine["id"], mine["roles"]) == (str(cast.study.id), ["coordinator"])
    counts = (
        mine["batches"],
        mine["questions"],
        mine["experts"],
        mine["answered"],
        mine["expected"],
    )
    assert counts == (2, 5, 2, 1, 10)
    for person in (cast.expert, cast.outsider):
        assert client_of(person).get("/api/v1/studies").json() == {"results": []}


def test_a_coordinator_closes_and_opens_her_study(cast: Cast) -> None:
    url = f"/api/v1/studies/{cast.study.id}"
    for status in ("closed", "open"):
        told = client_of(cast.coordinator).patch(url, {"status": status}, "application/json").json()
        assert told["status"] == status
        assert [batch["questions"] for batch in told["batches"]] == [3, 2]
    refused = client_of(cast.coordinator).patch(url, {"status": "gone"}, "application/json")
    assert refused.status_code == 422
    for person, code in ((cast.expert, 403), (cast.other_coordinator, 404), (cast.outsider, 404)):
        assert (
            client_of(person).patch(url, {"status": "closed"}, "application/json").status_code
            == code
        )
    assert Study.objects.get(id=cast.study.id).status == "open"


def test_a_study_without_experts_has_a_board(db: None) -> None:
    ada = make_user("Ada")
    study, _ = make_study("Lonely", ada)
    told = client_of(ada).get(f"/api/v1/studies/{study.id}/board").json()
    assert (told["experts"], told["totals"]["expected"]) == ([], 0)
