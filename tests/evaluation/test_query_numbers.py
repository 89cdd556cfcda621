"""Whose query a submission costs when its evaluation fails, and which query a board calls it."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import TestCase
from django.utils import timezone

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.common.errors import DomainError
from backend.evaluation import job_kinds
from backend.evaluation.models import Submission
from backend.evaluation.queries import count_queries
from backend.jobs.models import Job, JobState
from backend.leaderboard.job_kinds import request_missing_standings
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
SubmitAndScore = Callable[..., Any]


@pytest.fixture(autouse=True)
def model(researcher: Person) -> None:
    register_model(actor=researcher.user, name="My model")


def test_what_the_submitter_cannot_change_costs_no_query(
    researcher: Person,
    release: Release,
    submit_and_score: SubmitAndScore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise DomainError("The graph of this release is missing.", code="no_graph")

    monkeypatch.setattr(job_kinds, "compute_evaluation", fail)
    failed = submit_and_score(researcher.browser, form(prediction_lines(range(60))))
    assert (failed["state"], failed["error"]["code"]) == ("failed", "PLATFORM_NO_GRAPH")
    assert failed["error"]["detail"] == "The graph of this release is missing."
    assert failed["query_refunded_at"] is not None
    assert count_queries(researcher.user, release).used == 0


@pytest.mark.parametrize(
    ("who", "code", "used"),
    [("researcher", "USER_CANCELLED", 1), ("administrator", "PLATFORM_CANCELLED", 0)],
)
def test_a_cancellation_during_scoring_costs_the_query_of_who_cancels_it(
    researcher: Person, administrator: Person, release: Release, who: str, code: str, used: int
) -> None:
    send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60))))
    now, lease = timezone.now(), uuid.uuid4()
    job = Job.objects.get(kind="evaluation")
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, started_at=now, heartbeat_at=now, lease=lease
    )
    browser = {"researcher": researcher, "administrator": administrator}[who].browser
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert browser.post(f"/api/v1/jobs/{job.pk}/cancel").status_code == 200
    submission = Submission.objects.get()
    assert (submission.state, (submission.error or {})["code"]) == ("failed", code)
    assert count_queries(researcher.user, release).used == used


@pytest.mark.parametrize(("is_long", "used"), [(True, 1), (False, 0)])
def test_the_time_limit_costs_a_query_only_where_the_submitters_queries_took_it(
    researcher: Person, release: Release, is_long: bool, used: int
) -> None:
    send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60))))
    job = Job.objects.get(kind="evaluation")
    job.parameters["is_long"] = is_long
    job.state, job.started_at = JobState.FAILED, timezone.now()
    job.error = {"code": "USER_TIME_LIMIT", "detail": "Too long.", "errors": []}
    job.save()
    job_kinds.end_submission(job)
    assert count_queries(researcher.user, release).used == used


def test_a_board_numbers_queries_as_they_are_counted_after_one_was_given_back(
    researcher: Person,
    visitor: Any,
    release: Release,
    submit_and_score: SubmitAndScore,
    run_queued_tasks: Callable[[], object],
) -> None:
    register_model(actor=researcher.user, name="Other")
    send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60)), model="other"))
    Job.objects.all().delete()  # lost, and noticed only later
    submit_and_score(researcher.browser, form(prediction_lines(range(60), wrong=[1])))
    board = "/api/v1/boards/pairs"
    assert [row["query"] for row in visitor.get(board).json()["results"]] == [2]
    job_kinds.end_lost_submissions()
    assert count_queries(researcher.user, release).used == 1
    with TestCase.captureOnCommitCallbacks(execute=True):
        request_missing_standings()
    run_queued_tasks()
    assert [row["query"] for row in visitor.get(board).json()["results"]] == [1]
