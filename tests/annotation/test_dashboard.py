"""The coordinator's board: live counts, computed statistics, and who is at work."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from annotation import work_requests
from annotation.adjudications import take_adjudication
from annotation.agreement import recompute_agreement
from annotation.models import Assignment, BatchAgreement
from annotation.question_decisions import QuestionAction, decide_on_questions
from backend.studies.models import Study
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_study,
    make_user,
    prior_of,
    write_answer,
)
from tests.cache import empty_cache


def read_board(cast: Cast) -> Any:
    answer = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board")
    assert answer.status_code == 200
    return answer.json()


def values(measures: list[dict[str, Any]]) -> dict[str, float | None]:
    return {one["name"]: one["value"] for one in measures}


def undefined(name: str, label: str) -> dict[str, Any]:
    nothing = dict.fromkeys(("value", "low", "high", "interval_reason"))
    return {"name": name, "label": label, **nothing, "n": 0, "reason": "too_few_questions"}


def test_an_empty_board_knows_nothing_and_says_so(cast: Cast) -> None:
    shown = read_board(cast)
    assert shown["totals"] == {
        "answered": 0,
        "expected": 10,
        "outcomes": {"answered": 0, "not_sure": 0, "skipped": 0},
        "shares": [undefined("not_sure_share", "Not sure")],
        "median_active_ms": None,
        "experts": 2,
        "active": [],
        "finish_at": None,
    }
    assert [row["agreement"] for row in shown["batches"]] == [None, None]
    assert (shown["recent"], shown["computed_at"]) == ([], None)


def test_counts_are_questions_times_experts_and_move_with_every_answer(cast: Cast) -> None:
    write_answer(cast.assignment(number=1), "agree", active_ms=10_000)
    write_answer(cast.assignment(number=2), "submit", active_ms=30_000, confidence=5)
    write_answer(cast.assignment(number=3), "skip", active_ms=7)
    write_answer(cast.assignment(cast.colleague), "not_sure", active_ms=20_000)
    shown = read_board(cast)
    row = shown["batches"][0]
    assert (row["questions"], row["experts"], row["expected"], row["answered"]) == (3, 2, 6, 3)
    assert row["outcomes"] == {"answered": 2, "not_sure": 1, "skipped": 1}
    assert row["median_active_ms"] == 20_000
    assert (shown["totals"]["answered"], shown["totals"]["expected"]) == (3, 10)
    assert values(shown["totals"]["shares"])["not_sure_share"] == pytest.approx(1 / 3)
    eve = next(row for row in shown["experts"] if row["id"] == str(cast.expert.id))
    assert (eve["answered"], eve["total"], eve["median_active_ms"]) == (2, 5, 20_000)
    assert [(b["number"], b["answered"], b["total"]) for b in eve["batches"]] == [
        (1, 2, 3),
        (2, 0, 2),
    ]
    assert [(r["outcome"], r["question_number"]) for r in shown["recent"]] == [
        ("not_sure", 1),
        ("skipped", 3),
        ("answered", 2),
        ("answered", 1),
    ]


def test_how_questions_were_answered_is_shown_once_none_waits_for_an_adjudication(
    cast: Cast,
) -> None:
    """Two questions answered alike: any figure of the answers would be that of each."""
    write_answer(cast.assignment(number=1), "agree")
    write_answer(cast.assignment(number=2), "agree")
    question = cast.assignment(number=1).question_id

    def decide(action: QuestionAction) -> None:
        decide_on_questions(
            actor=cast.coordinator, study_id=cast.study.id, action=action, question_ids=[question]
        )

    def shown() -> set[bool]:
        board = read_board(cast)
        rows = [board["totals"], *board["batches"], *board["experts"]]
        states = {"confirmed" in row["outcomes"] for row in rows}
        assert states == {"changed_share" in values(row["shares"]) for row in rows}
        assert board["shows_results"] in states
        return states

    assert shown() == {False}
    Study.objects.filter(pk=cast.study.pk).update(status=Study.Status.CLOSED)
    assert shown() == {True}
    assert read_board(cast)["totals"]["outcomes"]["confirmed"] == 2
    decide("adjudicate")
    assert shown() == {False}
    decide("leave")
    assert shown() == {True}
    row = take_adjudication(actor=cast.coordinator, study_id=cast.study.id, question_id=question)
    assert shown() == {False}
    write_answer(row, "agree")
    assert shown() == {True}


def test_the_first_answer_times_a_question_however_often_it_is_revised(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree", active_ms=10_000)
    write_answer(cast.assignment(), "submit", active_ms=90_000)
    Study.objects.filter(pk=cast.study.pk).update(status=Study.Status.CLOSED)
    row = read_board(cast)["batches"][0]
    assert (row["median_active_ms"], row["answered"], row["outcomes"]["changed"]) == (10_000, 1, 1)


def test_agreement_is_over_the_last_submission_of_every_expert(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        write_answer(cast.assignment(expert, 1), "agree")
        write_answer(cast.assignment(expert, 2), "submit")
    write_answer(cast.assignment(cast.expert, 1), "submit")
    write_answer(cast.assignment(cast.expert, 3), "not_sure")
    write_answer(cast.assignment(cast.colleague, 3), "skip")
    recompute_agreement(batch_id=cast.batch.id)
    result = read_board(cast)["batches"][0]["agreement"]
    # Question 1: one order and its reverse, tau -1, W 0. Question 2: the same order twice.
    kendall_w, tau_b, top1 = result["measures"]
    assert [one["name"] for one in result["measures"]] == ["kendall_w", "tau_b", "top1"]
    assert (tau_b["value"], tau_b["n"]) == (0.0, 2)
    assert kendall_w["value"] == 0.5
    assert top1["value"] == 0.5
    assert (top1["low"], top1["interval_reason"]) == (None, "too_few_questions")
    assert result["questions"] == 2
    assert result["left_out"] == {"not_sure": 1, "skipped": 1}
    assert result["stale"] is False


@pytest.mark.django_db
def test_agreement_has_intervals_once_the_study_is_closed_and_none_while_it_is_looked_at() -> None:
    coordinator = make_user("Ada")
    study, batches = make_study("Open", coordinator, questions=(6,), prior_ranks=(1, 2, 3))
    for name in ("Eve", "Cleo"):
        expert = join_as_expert(study, batches, make_user(name))
        for assignment in Assignment.objects.filter(study=study, expert=expert):
            is_other = name == "Eve" and assignment.question.number % 2
            write_answer(assignment, "submit" if is_other else "agree")
    recompute_agreement(batch_id=batches[0].id)
    for status, reason in (("open", "still_open"), ("paused", "still_open"), ("closed", None)):
        Study.objects.filter(pk=study.pk).update(status=status)
        shown = client_of(coordinator).get(f"/api/v1/studies/{study.id}/board")
        kendall_w = shown.json()["batches"][0]["agreement"]["measures"][0]
        assert (kendall_w["value"], kendall_w["interval_reason"]) == (0.5, reason)
        assert (kendall_w["low"] is None) == (status != "closed")


def test_one_expert_alone_has_no_agreement_and_the_board_says_why(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    recompute_agreement(batch_id=cast.batch.id)
    result = read_board(cast)["batches"][0]["agreement"]
    assert result["measures"][0] == {
        "name": "kendall_w",
        "label": "Kendall's W",
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "reason": "too_few_questions",
        "interval_reason": "too_few_questions",
    }


def test_a_reopened_answer_counts_as_submitted_until_the_next(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        write_answer(cast.assignment(expert), "agree")
    order = prior_of(cast.assignment())[::-1]
    write_answer(cast.assignment(), "save", ranking=order)
    recompute_agreement(batch_id=cast.batch.id)
    Study.objects.filter(pk=cast.study.pk).update(status=Study.Status.CLOSED)
    row = read_board(cast)["batches"][0]
    assert (row["outcomes"]["confirmed"], values(row["agreement"]["measures"])["tau_b"]) == (2, 1.0)


def test_submissions_recompute_the_agreement_of_their_batch_once_for_all_that_wait(
    cast: Cast,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    run_queued_tasks: Callable[[], list[str]],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        write_answer(cast.assignment(number=1), "agree")
        write_answer(cast.assignment(number=2), "agree")
    assert run_queued_tasks() == ["annotation.recompute_agreement"]
    row = BatchAgreement.objects.get()
    assert (row.batch, row.revision_count, row.version) == (cast.batch, 2, 1)


def test_statistics_asked_for_while_new_ones_are_still_warm_come_a_moment_later(
    cast: Cast, take_headers: Callable[[str], list[dict[str, Any]]]
) -> None:
    began = timezone.now()
    work_requests.request_agreement(cast.batch.id)
    recompute_agreement(batch_id=cast.batch.id)
    work_requests.request_agreement(cast.batch.id)
    work_requests.request_agreement(cast.batches[1].id)
    at_once, later, other = (headers["eta"] for headers in take_headers("quick"))
    assert (at_once, other) == (None, None)
    assert datetime.fromisoformat(later) >= began + timedelta(seconds=work_requests.MIN_INTERVAL_S)


def test_statistics_lost_on_the_way_are_seen_to_be_stale_and_asked_for_again(
    cast: Cast,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    run_queued_tasks: Callable[[], list[str]],
) -> None:
    write_answer(cast.assignment(cast.colleague), "agree")
    recompute_agreement(batch_id=cast.batch.id)
    write_answer(cast.assignment(), "agree")  # its message never arrives: nothing is committed
    with django_capture_on_commit_callbacks(execute=True):
        assert read_board(cast)["batches"][0]["agreement"]["stale"] is True
    run_queued_tasks()
    result = read_board(cast)["batches"][0]["agreement"]
    assert (result["stale"], values(result["measures"])["tau_b"]) == (False, 1.0)


def test_an_older_reading_never_replaces_a_newer_one(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    recompute_agreement(batch_id=cast.batch.id)
    BatchAgreement.objects.update(revision_count=5)
    recompute_agreement(batch_id=cast.batch.id)
    assert BatchAgreement.objects.get().revision_count == 5


def test_who_is_at_work_is_shown_and_forgotten_with_redis(cast: Cast) -> None:
    url = f"/api/v1/batches/{cast.batch.id}/presence"
    for _ in range(2):
        assert client_of(cast.expert).post(url).status_code == 204
    shown = read_board(cast)
    eve = {"id": str(cast.expert.id), "name": "Eve", "is_simulated": False}
    assert shown["totals"]["active"] == shown["batches"][0]["active"] == [eve]
    assert shown["batches"][1]["active"] == []
    empty_cache()
    assert read_board(cast)["totals"]["active"] == []


def test_the_version_grows_with_what_happens_even_if_redis_forgets(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = read_board(cast)["version"]
    assert read_board(cast)["version"] == before
    with django_capture_on_commit_callbacks(execute=True):
        write_answer(cast.assignment(), "agree")
    after = read_board(cast)["version"]
    assert after > before
    empty_cache()
    assert read_board(cast)["version"] > after


def test_a_board_takes_as_many_queries_for_many_people_as_for_few(cast: Cast) -> None:
    def queries() -> int:
        for assignment in Assignment.objects.filter(study=cast.study, response=None):
            write_answer(assignment, "submit")
        for batch in cast.batches:
            recompute_agreement(batch_id=batch.id)
        client = client_of(cast.coordinator)
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/api/v1/studies/{cast.study.id}/board")
        return len(captured)

    few = queries()
    for number in range(5):
        join_as_expert(cast.study, cast.batches, make_user(f"More{number}"))
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
    write_answer(cast.assignment(), "agree")
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


def test_a_coordinator_closes_and_opens_a_study(cast: Cast) -> None:
    url = f"/api/v1/studies/{cast.study.id}"
    for status in ("closed", "open"):
        shown = (
            client_of(cast.coordinator).patch(url, {"status": status}, "application/json").json()
        )
        assert shown["status"] == status
        assert [batch["questions"] for batch in shown["batches"]] == [3, 2]
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
    shown = client_of(ada).get(f"/api/v1/studies/{study.id}/board").json()
    assert (shown["experts"], shown["totals"]["expected"]) == ([], 0)
