"""States of jobs: one worker at a time, and no job is lost with its worker."""

import errno
import os
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.conf import settings as live_settings
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from annotation.job_requests import ARCHIVE_IMPORT, FREEZING
from backend.common.advisory_locks import AdvisoryLock
from backend.common.errors import Conflict, DomainError, NotAllowed
from backend.config.processes import LONG_CONCURRENCY, MODELS_CONCURRENCY, QUICK_CONCURRENCY
from backend.evaluation.services import RESCORING
from backend.jobs import registry, services
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.context import JobContext, checkpoint_path
from backend.jobs.faults import LeaseLost
from backend.jobs.models import (
    ALLOWED_TRANSITIONS,
    ENDED_STATES,
    LEASE_DURATION,
    Job,
    JobState,
)
from backend.jobs.registry import JobRequest, get_kind_or_raise, job_kind
from backend.jobs.runner import claim_job, heartbeat, run_job
from backend.jobs.services import (
    cancel_job,
    expire_all_leases,
    request_job,
    sweep_jobs,
)
from backend.jobs.tasks import sweep
from backend.jobs.transitions import transition, update_running
from tests.personas import Person
from tests.plugins.job_kinds import running_sum
from tests.plugins.job_kinds.running_sum import sum_request

pytestmark = pytest.mark.django_db
Hooks = list[Callable[[int], None]]


class Killed(BaseException):
    """No handler catches it, as none catches a kill."""


def expire_lease(job: Job) -> None:
    Job.objects.filter(id=job.pk).update(heartbeat_at=timezone.now() - 2 * LEASE_DURATION)


def reload_job(job: Job) -> Job:
    job.refresh_from_db()
    return job


def kill_at(place: int) -> Callable[[int], None]:
    def kill(step: int) -> None:
        if step == place:
            raise Killed

    return kill


def raising(error: Exception) -> Callable[[int], None]:
    def fail(step: int) -> None:
        if step == 1:
            raise error

    return fail


def test_every_state_leads_to_an_end_and_failures_lead_nowhere() -> None:
    assert set(ALLOWED_TRANSITIONS) == set(JobState)
    assert ALLOWED_TRANSITIONS[JobState.FAILED] == ALLOWED_TRANSITIONS[JobState.CANCELLED] == set()
    active = set(JobState) - set(ENDED_STATES)
    assert all(ALLOWED_TRANSITIONS[state] & set(ENDED_STATES) for state in active)


@pytest.mark.parametrize("state", list(JobState))
def test_only_transitions_of_the_table_are_made(queued: Job, state: JobState) -> None:
    for to in JobState:
        Job.objects.filter(id=queued.pk).update(state=state)
        if to in ALLOWED_TRANSITIONS[state]:
            transition(queued, to)
        else:
            with pytest.raises(LeaseLost):
                transition(queued, to)


def test_every_change_that_a_page_shows_grows_the_version(queued: Job) -> None:
    versions = [queued.version]
    claimed = claim_job(queued.pk)
    assert claimed is not None
    versions.append(reload_job(queued).version)
    update_running(claimed, phase="adding")
    versions.append(reload_job(queued).version)
    assert versions == sorted(set(versions)) and claimed.version == queued.version


def test_of_two_workers_one_gets_the_job(queued: Job) -> None:
    assert claim_job(queued.pk) is not None
    assert claim_job(queued.pk) is None
    assert claim_job(uuid.uuid4()) is None


def test_a_job_runs_once_and_stores_its_result(queued: Job) -> None:
    assert run_job(queued.pk) is not None
    assert reload_job(queued).state == JobState.SUCCEEDED
    assert (queued.result, queued.percent) == ({"sum": 6, "added": 3}, 100)
    assert run_job(queued.pk) is None


def test_a_worker_that_lost_its_lease_writes_nothing_more(queued: Job) -> None:
    first = claim_job(queued.pk)
    expire_lease(queued)
    second = claim_job(queued.pk)
    assert first and second and first.lease != second.lease
    with pytest.raises(LeaseLost):
        update_running(first, phase="adding")
    update_running(second, phase="adding")


def test_a_job_of_a_dead_worker_is_requeued_and_resumes_at_its_checkpoint(
    queued: Job, hooks: Hooks, run_queued_tasks: Callable[[], list[str]]
) -> None:
    hooks.append(kill_at(2))
    with pytest.raises(Killed):
        run_job(queued.pk)
    assert sweep_jobs() == 0
    expire_lease(queued)
    assert sweep_jobs() == 1
    assert reload_job(queued).state == JobState.QUEUED and queued.percent > 0
    steps: list[int] = []
    hooks[:] = [steps.append]
    run_job(queued.pk)
    assert steps == [2]
    assert reload_job(queued).result["sum"] == 6


def test_a_job_that_kills_its_workers_at_one_point_is_given_up(queued: Job, hooks: Hooks) -> None:
    for _ in range(get_kind_or_raise("test-sum").max_attempts):
        assert claim_job(queued.pk)
        expire_lease(queued)
    assert claim_job(queued.pk) is None
    assert reload_job(queued).state == JobState.FAILED
    assert queued.error is not None and queued.error["code"] == "PLATFORM_WORKER_LOST"


def test_an_attempt_that_gets_further_starts_the_count_of_attempts_again(
    queued: Job, hooks: Hooks
) -> None:
    for place in (1, 2, 3):
        hooks[:] = [kill_at(place)]
        if place < 3:
            with pytest.raises(Killed):
                run_job(queued.pk)
            expire_lease(queued)
            assert reload_job(queued).attempts == 1
    run_job(queued.pk)
    assert reload_job(queued).state == JobState.SUCCEEDED


def test_a_job_of_a_command_that_died_is_not_run_by_a_worker(
    run_queued_tasks: Callable[[], list[str]],
) -> None:
    job = request_job(owner=None, request=sum_request(1), is_local=True).job
    assert claim_job(job.pk)
    expire_all_leases()
    sweep_jobs()
    assert reload_job(job).state == JobState.RUNNING
    expire_lease(job)
    sweep_jobs()
    assert reload_job(job).state == JobState.FAILED
    assert run_queued_tasks() == []


def test_where_no_worker_runs_all_jobs_can_be_claimed_at_once(queued: Job) -> None:
    assert claim_job(queued.pk)
    expire_all_leases()
    assert claim_job(queued.pk) is not None


def test_a_task_that_the_broker_lost_is_queued_again(
    queued: Job, run_queued_tasks: Callable[[], list[str]]
) -> None:
    assert run_queued_tasks() == []
    Job.objects.update(created_at=timezone.now() - 2 * LEASE_DURATION)
    sweep_jobs()
    assert run_queued_tasks() == ["jobs.run"]
    assert reload_job(queued).state == JobState.SUCCEEDED


def test_the_same_work_is_done_once_until_it_fails_or_is_lost(outsider: Person) -> None:
    request = running_sum.create(outsider.user, {"numbers": [1, 2]})
    first = request_job(owner=outsider.user, request=request)
    again = request_job(owner=None, request=running_sum.create(outsider.user, {"numbers": [1, 2]}))
    assert first.is_new and not again.is_new and first.job.pk == again.job.pk
    run_job(first.job.pk)
    repeated = running_sum.create(outsider.user, {"numbers": [1, 2]})
    assert not request_job(owner=None, request=repeated).is_new
    Job.objects.update(result={"sum": "lost"})
    assert request_job(owner=None, request=repeated).is_new
    assert reload_job(first.job).state == JobState.FAILED
    assert first.job.error is not None and first.job.error["code"] == "PLATFORM_RESULT_LOST"


def test_a_job_that_ends_between_the_refusal_of_a_duplicate_and_its_read_is_done_again(
    outsider: Person,
) -> None:
    first = request_job(owner=outsider.user, request=sum_request(1, 2, digest="sum")).job
    refusals: list[str] = []

    def end_after_refusal(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if refusals and sql.startswith("SELECT"):
            refusals.clear()
            Job.objects.filter(pk=first.pk).update(state=JobState.CANCELLED)
        try:
            return execute(sql, params, many, context)
        except IntegrityError:
            refusals.append(sql)
            raise

    with connection.execute_wrapper(end_after_refusal):
        again = request_job(owner=outsider.user, request=sum_request(1, 2, digest="sum"))
    assert again.is_new and again.job.pk != first.pk
    assert reload_job(first).state == JobState.CANCELLED and refusals == []


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DomainError("The file has no header.", code="no_header"), "USER_NO_HEADER"),
        (OSError(errno.ENOSPC, "No space left"), "PLATFORM_DISK_FULL"),
    ],
)
def test_a_failure_names_its_cause_and_keeps_the_partial_result(
    queued: Job, hooks: Hooks, error: Exception, code: str
) -> None:
    hooks.append(raising(error))
    run_job(queued.pk)
    assert reload_job(queued).state == JobState.FAILED
    assert queued.error is not None and queued.error["code"] == code
    assert queued.result == {"added": 1}
    assert str(queued.pk) in running_sum.discarded


def test_an_unexpected_error_is_raised_and_told_without_its_text(queued: Job, hooks: Hooks) -> None:
    hooks.append(raising(ZeroDivisionError("secret detail")))
    with pytest.raises(ZeroDivisionError):
        run_job(queued.pk)
    assert reload_job(queued).error is not None
    error: dict[str, object] = queued.error or {}
    assert error["code"] == "PLATFORM_INTERNAL" and "secret" not in str(error)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OperationalError("the server closed the connection"), "PLATFORM_DATABASE_UNAVAILABLE"),
        (MemoryError(), "PLATFORM_OUT_OF_MEMORY"),
        (OSError(errno.EIO, "Input/output error"), "PLATFORM_UNAVAILABLE"),
    ],
)
def test_what_may_pass_is_retried_and_given_up_after_the_last_attempt(
    queued: Job, hooks: Hooks, error: Exception, code: str
) -> None:
    hooks.append(raising(error))
    attempts = get_kind_or_raise("test-sum").max_attempts
    states = []
    for _ in range(attempts):
        # Progress before the failure must not count as progress of the job.
        Job.objects.update(percent=100)
        run_job(queued.pk)
        states.append(reload_job(queued).state)
    assert states == [JobState.QUEUED] * (attempts - 1) + [JobState.FAILED]
    assert queued.error is not None and queued.error["code"] == code


WAIT_IN_THE_DATABASE_UNTIL_RENEWED = """
    DO $$ BEGIN
        WHILE EXISTS (SELECT FROM jobs_job WHERE heartbeat_at < now() - interval '1 second') LOOP
            IF clock_timestamp() > now() + interval '30 seconds' THEN
                RAISE 'The lease was not renewed.';
            END IF;
            PERFORM pg_sleep(0.01);
        END LOOP;
    END $$
"""
"""One statement, which ends once another connection has renewed the lease."""


@pytest.mark.django_db(transaction=True)
def test_a_long_step_does_not_cost_the_lease(queued: Job, settings: Settings) -> None:
    """The heartbeat comes from a thread of its own, with its own connection."""
    settings.JOB_HEARTBEAT_SECONDS = 0.05
    job = claim_job(queued.pk)
    assert job is not None
    expire_lease(queued)
    with heartbeat(job, on_lost=lambda: None), connection.cursor() as cursor:
        cursor.execute(WAIT_IN_THE_DATABASE_UNTIL_RENEWED)
    assert not Job.objects.abandoned().exists()


@pytest.mark.django_db(transaction=True)
def test_a_job_that_exceeds_its_time_limit_fails(settings: Settings, hooks: Hooks) -> None:
    settings.JOB_HEARTBEAT_SECONDS = 0.02
    name = "test-slow"

    @job_kind(name, time_limit=timedelta(seconds=0.1))
    def wait(context: JobContext) -> dict[str, int]:
        while True:
            context.check_cancelled()

    try:
        job = request_job(owner=None, request=JobRequest(name, {})).job
        run_job(job.pk)
        assert reload_job(job).state == JobState.FAILED
        assert job.error is not None and job.error["code"] == "USER_TIME_LIMIT"
    finally:
        registry._kinds.pop(name)


def test_a_cancelled_job_stops_at_its_next_report_and_leaves_nothing(
    queued: Job, hooks: Hooks, outsider: Person
) -> None:
    def cancel(step: int) -> None:
        if step == 1:
            cancel_job(actor=outsider.user, job=queued)

    hooks.append(cancel)
    assert run_job(queued.pk) is None
    assert reload_job(queued).state == JobState.CANCELLED
    assert str(queued.pk) in running_sum.discarded and str(queued.pk) in running_sum.cleaned_up
    assert cancel_job(actor=outsider.user, job=queued).state == JobState.CANCELLED


def test_a_cancelled_job_that_fails_over_its_removed_files_is_tidied_without_an_error(
    queued: Job, hooks: Hooks, outsider: Person, caplog: pytest.LogCaptureFixture
) -> None:
    def cancel(step: int) -> None:
        cancel_job(actor=outsider.user, job=queued)
        raise FileNotFoundError(errno.ENOENT, "No such file", "sum")

    hooks.append(cancel)
    assert run_job(queued.pk) is None
    assert reload_job(queued).state == JobState.CANCELLED
    assert str(queued.pk) in running_sum.discarded and str(queued.pk) in running_sum.cleaned_up
    assert not checkpoint_path(queued.pk).exists() and caplog.records == []


@pytest.mark.parametrize("is_local", [False, True])
def test_a_worker_continues_the_job_of_a_stopped_command_unless_it_has_no_data(
    hooks: Hooks, is_local: bool
) -> None:
    def stop(step: int) -> None:
        if step == 2:
            raise KeyboardInterrupt

    hooks.append(stop)
    job = request_job(
        owner=None, request=sum_request(1, 2, 3), is_local=is_local, is_queued=False
    ).job
    Job.objects.update(attempts=get_kind_or_raise("test-sum").max_attempts)
    with pytest.raises(KeyboardInterrupt):
        run_with_progress_bar(job)
    steps: list[int] = []
    hooks[:] = [steps.append]
    if is_local:
        assert reload_job(job).error == {
            "code": "PLATFORM_STOPPED",
            "detail": "The command was stopped. Run it again.",
            "errors": [],
        }
        assert run_job(job.pk) is None
    else:
        assert reload_job(job).state == JobState.QUEUED
        run_job(job.pk)
        assert steps == [2] and reload_job(job).result["sum"] == 6


def test_only_the_owner_and_administrators_cancel_and_only_before_the_end(
    queued: Job, researcher: Person, administrator: Person
) -> None:
    with pytest.raises(NotAllowed):
        cancel_job(actor=researcher.user, job=queued)
    run_job(queued.pk)
    with pytest.raises(Conflict, match="ended before"):
        cancel_job(actor=administrator.user, job=queued)


@pytest.mark.django_db(transaction=True)
def test_the_checkpoint_folder_goes_with_the_end_of_the_job(queued: Job) -> None:
    run_job(queued.pk)
    assert not checkpoint_path(queued.pk).exists()
    stale, recent = checkpoint_path(uuid.uuid4()), checkpoint_path(uuid.uuid4())
    for folder in (stale, recent):
        folder.mkdir(parents=True)
    os.utime(stale, (0, 0))
    sweep_jobs()
    assert (stale.exists(), recent.exists()) == (False, True)


def test_an_unknown_kind_names_those_that_are_known() -> None:
    with pytest.raises(DomainError, match="test-sum") as raised:
        request_job(owner=None, request=JobRequest("no-such-kind", {}))
    assert raised.value.code == "unknown_job_kind"


def test_two_kinds_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two kinds"):
        job_kind("test-sum")(running_sum.add_numbers)


def test_each_job_goes_to_the_queue_of_its_kind_with_its_time_limit(
    queued: Job, take_headers: Callable[[str], list[dict[str, Any]]]
) -> None:
    services.enqueue_job(queued)
    (headers,) = take_headers("long")
    assert headers["task"] == "jobs.run"
    assert headers["timelimit"][0] == 2 * 3600 + services.KILL_GRACE_S
    assert take_headers("quick") == []


def test_a_job_of_a_kind_that_is_not_installed_delays_no_other(
    queued: Job, outsider: Person, run_queued_tasks: Callable[[], list[str]]
) -> None:
    unknown = [request_job(owner=outsider.user, request=sum_request(one)).job for one in (1, 2)]
    Job.objects.filter(pk__in=[job.pk for job in unknown]).update(kind="removed-kind")
    Job.objects.filter(pk=unknown[0].pk).update(state=JobState.RUNNING)
    assert claim_job(queued.pk)
    expire_lease(queued)
    Job.objects.update(created_at=timezone.now() - 2 * LEASE_DURATION)
    assert sweep_jobs() == 2
    run_queued_tasks()
    assert reload_job(queued).state == JobState.SUCCEEDED
    for job in unknown:
        with pytest.raises(DomainError) as raised:
            run_job(job.pk)
        assert raised.value.code == "unknown_job_kind"
        assert reload_job(job).lease is None
        assert cancel_job(actor=outsider.user, job=job).state == JobState.CANCELLED


def test_a_sweep_that_fails_for_one_kind_goes_on(
    queued: Job, run_queued_tasks: Callable[[], list[str]]
) -> None:
    def fail() -> None:
        raise OSError(errno.EIO, "Input/output error")

    name = "test-failing-sweep"
    job_kind(name, sweep=fail)(running_sum.add_numbers)
    try:
        assert sweep_jobs() == 0
    finally:
        registry._kinds.pop(name)


def test_jobs_of_a_group_wait_for_each_other_and_delay_no_other(
    queued: Job,
    settings: Settings,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.JOB_GROUP_LIMITS = {"test-group": 1}
    name = "test-grouped"
    job_kind(name, queue="long", group="test-group")(lambda context: {})
    try:
        first, second = (
            request_job(owner=None, request=JobRequest(name, {}), is_queued=False).job
            for _ in range(2)
        )
        assert claim_job(first.pk, is_limited=True)
        for job in (second, queued):
            services.enqueue_job(job)
        run_queued_tasks()
        assert reload_job(second).state == JobState.QUEUED
        assert reload_job(queued).state == JobState.SUCCEEDED
        with django_capture_on_commit_callbacks(execute=True):
            services.end_job(reload_job(first), JobState.SUCCEEDED)
        run_queued_tasks()
        assert reload_job(second).state == JobState.SUCCEEDED
        assert claim_job(request_job(owner=None, request=JobRequest(name, {})).job.pk)
    finally:
        registry._kinds.pop(name)


def test_rns_jobs_leave_a_slot_of_the_long_worker() -> None:
    rns = {name for name, kind in registry.load_kinds().items() if kind.group == "rns"}
    computations = {"rns-transition", "rns-embedding", "rns-partition", "rns-scoring"}
    assert rns == {*computations, "metapath-test"}
    assert live_settings.JOB_GROUP_LIMITS["rns"] < LONG_CONCURRENCY


def test_jobs_that_coordinators_wait_for_have_a_worker_of_their_own() -> None:
    kinds = registry.load_kinds().values()
    assert {one.name for one in kinds if one.queue == "studies"} == {FREEZING, ARCHIVE_IMPORT}


def test_jobs_of_models_leave_a_slot_of_their_worker_to_checks_of_endpoints() -> None:
    kinds = registry.load_kinds().values()
    others = {one.name for one in kinds if one.queue == "models" and one.group != "models"}
    assert others == {"endpoint-probe"}
    assert 0 < live_settings.JOB_GROUP_LIMITS["models"] < MODELS_CONCURRENCY


def test_rescored_releases_leave_a_slot_to_new_submissions() -> None:
    assert get_kind_or_raise(RESCORING).group == "rescoring"
    assert 0 < live_settings.JOB_GROUP_LIMITS["rescoring"] < QUICK_CONCURRENCY


def test_of_two_sweeps_at_once_the_second_does_nothing() -> None:
    """The first is under way in another connection, as workers have one each."""
    claim_job(request_job(owner=None, request=sum_request(1)).job.pk)
    Job.objects.update(heartbeat_at=timezone.now() - 2 * LEASE_DURATION)
    with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s, hashtext('jobs'))", [AdvisoryLock.SWEEP.value])
        assert sweep() == 0
        # PostgreSQL notices a closed connection only later.
        other.execute("SELECT pg_advisory_unlock_all()")
        assert sweep() == 1


def test_two_workers_sweep_every_minute() -> None:
    """Nothing is stuck past its lease and 60 s, also where jobs hold every slot of a queue."""
    entries = [
        entry
        for entry in live_settings.CELERY_BEAT_SCHEDULE.values()
        if entry["task"] == "jobs.sweep"
    ]
    assert {entry["options"]["queue"] for entry in entries} == {"quick", "models"}
    assert all(entry["schedule"] <= 60 for entry in entries)
    assert all(entry["options"]["expires"] <= 60 for entry in entries)
