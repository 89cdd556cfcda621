"""Evaluations and standings whose worker is killed, stopped, out of disk or without a database."""

import io
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.db.models import F
from django.utils import timezone

from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Evaluation, Score, Submission, SubmissionState
from backend.evaluation.prediction_files import store_prediction_file
from backend.evaluation.queries import count_queries
from backend.evaluation.services import NewSubmission, get_job, submit_predictions
from backend.jobs.models import LEASE_DURATION, Job, JobState
from backend.jobs.registry import get_kind
from backend.jobs.runner import run_job
from backend.jobs.services import sweep_jobs
from backend.leaderboard.models import Standing, StandingRow
from tests.evaluation.truthhypo_files import prediction_lines
from tests.jobs.fault_injection import Moments, job_folders, passing
from tests.jobs.forked_worker import begin, die, end_all, nothing, stop
from tests.personas import Person
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)
MAX_ATTEMPTS = 3  # the default of kinds of jobs


@pytest.fixture(autouse=True)
def no_worker_is_left() -> Iterator[None]:
    yield
    end_all()


@pytest.fixture
def model(researcher: Person, release: Release) -> Model:
    Release.objects.update(queries=1_000, queries_per_day=1_000)
    release.refresh_from_db()
    return register_model(actor=researcher.user, name="My model")


Submit = Callable[[], tuple[Submission, Job]]


@pytest.fixture
def submit(researcher: Person, release: Release, model: Model) -> Submit:
    """The same predictions again, after everything of the last time was removed."""

    def forget_and_submit() -> tuple[Submission, Job]:
        for rows in (StandingRow, Standing, Submission, Score, Evaluation, Job):
            rows.objects.all().delete()
        for path in Path(settings.EVALUATIONS).glob("*"):
            path.unlink()
        content = io.BytesIO(prediction_lines(range(54), wrong=range(6)).encode())
        file = store_prediction_file(content, "predictions.jsonl")
        new = NewSubmission(release=release, model=model)
        return submit_predictions(actor=researcher.user, new=new, file=file)

    return forget_and_submit


def count_moments(job: Job) -> int:
    moments = Moments(job_folders(), -1, nothing)
    with passing(moments):
        assert run_job(job.pk, on_progress=moments.count_progress) is not None
    return moments.count


def recover() -> None:
    """What the sweeper does once the lease has run out, then all jobs to their end."""
    let_leases_run_out()
    sweep_jobs()
    run_all()


def let_leases_run_out() -> None:
    """As time does: a second less, and the sweeper lets the worker go on."""
    running = Job.objects.filter(state=JobState.RUNNING)
    before = set(running.values_list("pk", flat=True))
    running.update(heartbeat_at=timezone.now() - LEASE_DURATION + timedelta(seconds=1))
    sweep_jobs()
    assert set(running.values_list("pk", flat=True)) == before
    running.update(heartbeat_at=F("heartbeat_at") - timedelta(seconds=2))


def run_all() -> None:
    while job := Job.objects.filter(state=JobState.QUEUED).order_by("created_at").first():
        run_job(job.pk)


def results() -> dict[str, Any]:
    submission = Submission.objects.get()
    assert submission.evaluation is not None
    fields = ("metric", "slice", "value", "low", "high", "n", "coverage")
    return {
        "state": (submission.state, submission.is_standing, submission.is_improvement),
        "keys": list(Evaluation.objects.values_list("key", flat=True)),
        "scores": list(Score.objects.order_by("metric", "slice").values_list(*fields)),
        "components": load_components(submission.evaluation.key).tolist(),
        "boards": [one.entries for one in Standing.objects.all()],
        "jobs": {one.state for one in Job.objects.all()},
        "files": len([*Path(settings.EVALUATIONS).iterdir()]),
    }


def test_a_worker_killed_at_any_moment_leaves_one_result(
    researcher: Person, release: Release, submit: Submit
) -> None:
    _, job = submit()
    moments = count_moments(job)
    run_all()
    expected = results()
    assert moments > 10
    assert (expected["state"], expected["boards"]) == ((SubmissionState.SCORED, True, True), [1])
    for at in range(1, moments + 1):
        _, job = submit()
        assert begin(job, die, at).end() == -signal.SIGKILL
        assert count_queries(researcher.user, release).used == 1
        recover()
        left = results()
        # A killed write may leave its unfinished file.
        assert left.pop("files") <= expected["files"] + 1
        assert left == {name: value for name, value in expected.items() if name != "files"}, at
        assert count_queries(researcher.user, release).used == 1


def lose_database() -> None:
    """The server ends this process's connection, as when it restarts."""
    mine = connection.connection.info.backend_pid
    with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [mine])


@pytest.mark.parametrize("fault", [die, pytest.param(lose_database, marks=thorough)])
def test_a_ranking_disturbed_at_any_moment_leaves_one_standing(
    submit: Submit, fault: Callable[[], None]
) -> None:
    _, job = submit()
    run_job(job.pk)
    moments = count_moments(Job.objects.get(kind="standing"))
    expected = StandingRow.objects.values_list("content", flat=True).get()
    for at in range(1, moments + 1):
        submission, job = submit()
        run_job(job.pk)
        standing = Job.objects.get(kind="standing")
        status = begin(standing, fault, at).end()
        assert status == -signal.SIGKILL or fault is lose_database
        recover()
        assert {one.state for one in Job.objects.all()} == {JobState.SUCCEEDED}, at
        row = StandingRow.objects.get()
        assert row.submission_id == submission.pk
        assert row.content["scores"] == expected["scores"]
        assert Standing.objects.count() == 1


def test_two_workers_that_get_the_same_job_store_one_result(submit: Submit) -> None:
    submission, job = submit()
    first = begin(job, stop, 4)
    assert first.stopped()
    assert run_job(job.pk) is None  # the first one still has the lease
    let_leases_run_out()
    sweep_jobs()
    run_all()
    first.wake()
    first.end()
    left = results()
    assert left["state"][0] == SubmissionState.SCORED
    assert (len(left["keys"]), left["boards"]) == (1, [1])
    assert run_job(get_job(submission).pk) is None
    assert results() == left


def test_a_full_disk_is_no_fault_of_the_submitter(
    researcher: Person, release: Release, submit: Submit
) -> None:
    submission, job = submit()
    for _ in range(MAX_ATTEMPTS):
        begin(job, largest_file=64).end()
    submission.refresh_from_db()
    assert submission.state == SubmissionState.FAILED
    assert submission.error is not None
    assert submission.error["code"] == "PLATFORM_DISK_FULL"
    assert submission.error["job"] == str(job.pk)
    shown = researcher.browser.get(f"/api/v1/submissions/{submission.pk}").json()
    assert shown["error"] == submission.error
    assert count_queries(researcher.user, release).used == 0
    assert [*Path(settings.EVALUATIONS).iterdir()] == []
    run_all()
    assert not Evaluation.objects.exists()


def test_a_cancel_during_scoring_costs_its_query_once_and_leaves_no_result(
    researcher: Person, release: Release, submit: Submit
) -> None:
    for at in count(1):
        submission, job = submit()
        worker = begin(job, stop, at, outside_transactions=True)
        if not worker.stopped():
            break
        assert researcher.browser.post(f"/api/v1/jobs/{job.pk}/cancel").status_code == 200
        assert count_queries(researcher.user, release).used == 1
        worker.wake()
        worker.end()
        assert run_job(job.pk) is None  # delivered again
        recover()
        submission.refresh_from_db()
        assert submission.error is not None
        assert (submission.state, submission.error["code"]) == ("failed", "USER_CANCELLED"), at
        assert submission.query_refunded_at is None
        assert count_queries(researcher.user, release).used == 1
        assert not Evaluation.objects.exists() and not Standing.objects.exists()
    assert at > 2  # as scoring begins, and before its result is stored


@pytest.mark.parametrize("is_killed", [True, False])
def test_a_clean_up_that_is_lost_is_made_up_for_by_the_sweep(
    researcher: Person,
    release: Release,
    submit: Submit,
    monkeypatch: pytest.MonkeyPatch,
    is_killed: bool,
) -> None:
    def fall_over(job: Job) -> None:
        if is_killed:
            die()
        raise OperationalError("server closed the connection")

    submission, job = submit()
    with monkeypatch.context() as broken:
        broken.setattr(get_kind("evaluation"), "clean_up", fall_over)
        Job.objects.filter(pk=job.pk).update(attempts=MAX_ATTEMPTS - 1)
        begin(job, largest_file=64).end()
    job.refresh_from_db()
    submission.refresh_from_db()
    assert (job.state, submission.state) == (JobState.FAILED, SubmissionState.QUEUED)
    sweep_jobs()
    submission.refresh_from_db()
    assert submission.state == SubmissionState.FAILED
    assert count_queries(researcher.user, release).used == 0
    again, _ = submit()
    assert again.pk != submission.pk


def test_a_submission_without_a_job_ends_and_one_that_waits_for_rescoring_does_not(
    researcher: Person, release: Release, submit: Submit
) -> None:
    submission, job = submit()
    Job.objects.filter(pk=job.pk).update(state=JobState.SUCCEEDED)
    sweep_jobs()
    submission.refresh_from_db()
    assert submission.state == SubmissionState.QUEUED
    Job.objects.all().delete()
    sweep_jobs()
    submission.refresh_from_db()
    assert submission.error is not None
    assert (submission.state, submission.error["code"]) == ("failed", "PLATFORM_JOB_LOST")
    shown = researcher.browser.get(f"/api/v1/submissions/{submission.pk}").json()
    assert shown["error"]["job"] is None
    assert count_queries(researcher.user, release).used == 0


def test_a_database_that_goes_away_at_any_moment_delays_a_result(
    researcher: Person, release: Release, submit: Submit
) -> None:
    _, job = submit()
    moments = count_moments(job)
    for at in range(1, moments + 1):
        _, job = submit()
        begin(job, lose_database, at).end()
        recover()
        left = results()
        assert left["state"] == (SubmissionState.SCORED, True, True), at
        assert np.shape(left["components"]) == (60, 6)
        assert (left["jobs"], left["boards"]) == ({JobState.SUCCEEDED}, [1])
        assert count_queries(researcher.user, release).used == 1
