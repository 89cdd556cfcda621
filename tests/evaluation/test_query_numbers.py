"""Whose query a submission costs when its evaluation fails, and which query a board calls it."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import TestCase
from django.utils import timezone

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.common.errors import DomainError
from backend.evaluation import job_kinds, services
from backend.evaluation.models import Submission
from backend.evaluation.queries import count_queries
from backend.evaluation.services import MANY_TEXTS
from backend.evaluation.validation import read_valid_predictions
from backend.jobs.models import Job, JobState
from backend.jobs.runner import claim_job
from backend.jobs.services import requeue_job
from backend.leaderboard.job_kinds import request_missing_standings
from backend.tracks.prediction_check import CheckedPredictions
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


@pytest.mark.parametrize(
    ("queries", "texts", "used"), [(1, 0, 1), (0, MANY_TEXTS + 1, 0), (0, 0, 0)]
)
def test_the_time_limit_costs_a_query_only_where_the_submitters_queries_took_it(
    researcher: Person,
    release: Release,
    monkeypatch: pytest.MonkeyPatch,
    queries: int,
    texts: int,
    used: int,
) -> None:
    def read(*given: Any, **options: Any) -> CheckedPredictions:
        return replace(read_valid_predictions(*given, **options), queries=queries, texts=texts)

    monkeypatch.setattr(services, "read_valid_predictions", read)
    send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60))))
    job = Job.objects.get(kind="evaluation")
    assert job.parameters["is_long"] is (queries + texts > 0)
    job.state, job.started_at = JobState.FAILED, timezone.now()
    job.error = {"code": "USER_TIME_LIMIT", "detail": "Too long.", "errors": []}
    job.save()
    job_kinds.end_submission(job)
    assert count_queries(researcher.user, release).used == used


def test_a_withdrawal_between_two_attempts_gives_the_query_back(
    researcher: Person, release: Release
) -> None:
    submission = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60)))).json()
    job = claim_job(Job.objects.get(kind="evaluation").pk)
    assert job is not None and job.started_at is not None
    requeue_job(job)
    address = f"{SUBMISSIONS}/{submission['id']}/withdraw"
    assert researcher.browser.post(address, {}, format="json").status_code == 200
    assert count_queries(researcher.user, release).used == 0


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
