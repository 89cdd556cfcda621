"""One attempt at a job in this process, from its claim to its end or to its return to the queue."""

import logging
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.jobs.context import JobContext, ProgressCallback, checkpoint_path
from backend.jobs.faults import LeaseLost, PlatformFault, classify_error
from backend.jobs.models import Job, JobState
from backend.jobs.registry import JobKind, get_kind_or_raise
from backend.jobs.services import (
    RETRY_DELAY_S,
    end_job,
    fail_job,
    is_group_full,
    recover_job,
    requeue_job,
)
from backend.jobs.transitions import transition
from backend.runtime.cancellation import Cancelled

logger = logging.getLogger(__name__)


def run_job(
    job_id: uuid.UUID,
    *,
    on_progress: ProgressCallback | None = None,
    inputs: Mapping[str, Any] | None = None,
    is_limited: bool = False,
) -> Job | None:
    """Run a job to its end. None if it has ended, is run by another worker, or was given up here.

    is_limited: leave the job queued while its group has as many running jobs as it may.
    Safe to call twice for one job. Raises what the job's function raised unexpectedly.
    """
    job = claim_job(job_id, is_limited=is_limited)
    if job is None:
        return None
    kind = get_kind_or_raise(job.kind)
    context = JobContext(job, resumes=kind.resumes, on_progress=on_progress, inputs=inputs)
    deadline = _Deadline(kind.time_limit_of(job))
    with heartbeat(job, on_lost=context.cancellation.cancel, deadline=deadline):
        try:
            _attempt(kind, context)
        except (LeaseLost, Cancelled):
            if not deadline.is_exceeded:
                _abandon(kind, job)
                return None
            _fail(context, DomainError(_time_limit_sentence(kind, job), code="time_limit"))
        except KeyboardInterrupt as error:
            _fail(context, classify_error(error))
            raise
        except Exception as error:
            fault = classify_error(error)
            if not _fail(context, fault):
                return None
            if isinstance(fault, PlatformFault):
                logger.exception("Job %s (%s) failed.", job.pk, job.kind)
                if fault.code == "internal":
                    raise
    return job


def claim_job(job_id: uuid.UUID, *, is_limited: bool = False) -> Job | None:
    """Claim a job for this worker. None if it has ended, another worker runs it, or it must wait.

    Raises DomainError, without a claim, where the kind is not installed.
    """
    job: Job | None = Job.objects.select_related("owner").filter(id=job_id).first()
    if job is None:
        return None
    kind = get_kind_or_raise(job.kind)
    try:
        if Job.objects.abandoned().filter(id=job_id).exists():
            recover_job(job)
        if job.state != JobState.QUEUED:
            return None
        with transaction.atomic():
            if is_limited and is_group_full(kind):
                return None
            transition(
                job,
                JobState.RUNNING,
                lease=uuid.uuid4(),
                attempts=job.attempts + 1,
                started_at=timezone.now(),
                estimated_end_at=None,
            )
    except LeaseLost:
        return None
    return job


def _attempt(kind: JobKind, context: JobContext) -> None:
    """Run the function, then store its result and end the job in one transaction."""
    outcome = kind.function(context)
    with transaction.atomic():
        context.report_progress("storing the result", 1)
        result = outcome() if callable(outcome) else outcome
        merged = {**context.partial_result, **result}
        end_job(context.job, JobState.SUCCEEDED, result=merged, percent=100)


def _fail(context: JobContext, error: DomainError | PlatformFault) -> bool:
    """End the job, or requeue it where another attempt may help. False if the lease was lost."""
    job = context.job
    kind = get_kind_or_raise(job.kind)
    is_retried = isinstance(error, PlatformFault) and error.is_retried and not job.is_local
    try:
        if is_retried and (error.code == "stopped" or job.attempts < kind.max_attempts):
            requeue_job(job, after_s=RETRY_DELAY_S)
        else:
            fail_job(job, error, result=context.partial_result)
    except LeaseLost:
        _abandon(kind, job)
        return False
    except DatabaseError:
        # The lease runs out, and the sweeper takes care of the job.
        logger.exception("The end of job %s could not be written.", job.pk)
    return True


def _abandon(kind: JobKind, job: Job) -> None:
    """Stop work that another worker continues or has ended, or that was cancelled."""
    if not Job.objects.active().filter(id=job.pk).exists():
        shutil.rmtree(checkpoint_path(job.pk), ignore_errors=True)
    if Job.objects.filter(id=job.pk, state=JobState.CANCELLED).exists():
        kind.discard_attempt(job)
        kind.clean_up(job)


def _time_limit_sentence(kind: JobKind, job: Job) -> str:
    seconds = int(kind.time_limit_of(job).total_seconds())
    limit = (
        pluralize(seconds // 3600, "hour")
        if seconds >= 3600
        else pluralize(max(seconds // 60, 1), "minute")
    )
    return f"The job exceeded its time limit of {limit}. Use less data, then start it again."


class _Deadline:
    """The time limit of one attempt, checked by the heartbeat."""

    def __init__(self, limit: timedelta) -> None:
        self.at = timezone.now() + limit
        self.is_exceeded = False

    def check(self) -> bool:
        self.is_exceeded = timezone.now() >= self.at
        return self.is_exceeded


@contextmanager
def heartbeat(
    job: Job, *, on_lost: Callable[[], None], deadline: _Deadline | None = None
) -> Iterator[None]:
    """Renew the lease from a thread while the block runs.

    on_lost: called in that thread when the lease was lost or the deadline has passed.
    """
    ended = threading.Event()
    thread = threading.Thread(
        target=_renew_lease, args=(job, job.lease, ended, on_lost, deadline), daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _renew_lease(
    job: Job,
    lease: uuid.UUID | None,
    ended: threading.Event,
    on_lost: Callable[[], None],
    deadline: _Deadline | None,
) -> None:
    while not ended.wait(settings.JOB_HEARTBEAT_SECONDS):
        try:
            row = Job.objects.filter(pk=job.pk)
            if not row.filter(lease=lease).update(heartbeat_at=timezone.now()) and row.exists():
                on_lost()
        except DatabaseError:
            logger.warning("The heartbeat of job %s could not be written.", job.pk)
        finally:
            connection.close()
        if deadline is not None and deadline.check():
            on_lost()
