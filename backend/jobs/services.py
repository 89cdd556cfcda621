"""Requests, ends, cancellations and recovery of jobs."""

import logging
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.advisory_locks import AdvisoryLock, lock_in_transaction
from backend.common.errors import Conflict, DomainError, NotAllowed
from backend.common.queue import enqueue
from backend.jobs.context import checkpoint_path
from backend.jobs.faults import LeaseLost, PlatformFault, error_payload
from backend.jobs.models import LEASE_DURATION, UNSUCCESSFUL_STATES, Job, JobQuerySet, JobState
from backend.jobs.policies import may_cancel_job
from backend.jobs.registry import JobKind, JobRequest, get_kind, get_kind_or_raise, load_kinds
from backend.jobs.transitions import notify_on_commit, transition

logger = logging.getLogger(__name__)

RUN_TASK = "jobs.run"
REQUEST_ATTEMPTS = 3
RETRY_DELAY_S = 10.0
# The process is killed this long after the cooperative time limit.
KILL_GRACE_S = 300


@dataclass(frozen=True)
class RequestedJob:
    """is_new: false where the same work was requested before."""

    job: Job
    is_new: bool


def request_job(
    *, owner: User | None, request: JobRequest, is_local: bool = False, is_queued: bool = True
) -> RequestedJob:
    """Create and queue a job, unless one with the same digest is active or has succeeded.

    is_local: the calling command runs it by itself, from data that no worker has.
    is_queued: false where the caller runs it at once, though a worker could take over.
    """
    kind = get_kind_or_raise(request.kind)
    if request.digest:
        _expire_lost_result(kind, request.digest)
    for _ in range(REQUEST_ATTEMPTS):
        if job := _create(owner, request, is_local=is_local):
            if is_queued and not is_local:
                transaction.on_commit(lambda: enqueue_job(job))
            return RequestedJob(job, is_new=True)
        same = Job.objects.filter(digest=request.digest).exclude(state__in=UNSUCCESSFUL_STATES)
        if existing := same.first():
            return RequestedJob(existing, is_new=False)
    raise Conflict("The same job started and ended several times just now. Try again.")


def _create(owner: User | None, request: JobRequest, *, is_local: bool) -> Job | None:
    """None when there is a job with this digest."""
    try:
        with transaction.atomic():
            job: Job = Job.objects.create(
                id=request.id,
                kind=request.kind,
                parameters=dict(request.parameters),
                digest=request.digest,
                subjects=list(request.subjects),
                owner=owner,
                is_local=is_local,
            )
            notify_on_commit(job)
    except IntegrityError:
        if not request.digest:
            raise
        return None
    return job


def _expire_lost_result(kind: JobKind, digest: str) -> None:
    """Fail a job whose result files were removed or altered, so that it can run again."""
    job = Job.objects.filter(digest=digest, state=JobState.SUCCEEDED).first()
    if job is None or kind.is_result_intact(job):
        return
    lost = PlatformFault("result_lost", "The result files were removed or altered. Start again.")
    with suppress(LeaseLost):
        transition(job, JobState.FAILED, error=error_payload(lost))


def enqueue_job(job: Job, *, after_s: float = 0, expires_s: float | None = None) -> bool:
    kind = get_kind_or_raise(job.kind)
    limit = kind.time_limit_of(job).total_seconds() + KILL_GRACE_S
    queue = kind.queue_of(job)
    return enqueue(
        RUN_TASK,
        after_s=after_s,
        queue=queue,
        time_limit_s=limit,
        expires_s=expires_s,
        job=str(job.pk),
    )


def is_group_full(kind: JobKind) -> bool:
    """Whether the kind's group has no place for another job until the transaction ends."""
    limit = settings.JOB_GROUP_LIMITS.get(kind.group)
    if limit is None:
        return False
    lock_in_transaction(AdvisoryLock.JOB_GROUPS)
    running = _jobs_of_group(kind).filter(state=JobState.RUNNING, is_local=False)
    return bool(running.count() >= limit)


def _jobs_of_group(kind: JobKind) -> JobQuerySet:
    names = [one.name for one in load_kinds().values() if kind.group and one.group == kind.group]
    jobs: JobQuerySet = Job.objects.filter(kind__in=names)
    return jobs


def end_job(job: Job, to: JobState, **fields: Any) -> None:
    """Move a job to an ended state, and clean up once that is committed. Raises LeaseLost."""
    kind = get_kind(job.kind)
    ended = {"phase": "", "estimated_end_at": None, "lease": None, "ended_at": timezone.now()}
    with transaction.atomic():
        transition(job, to, **{**ended, **fields})

        def clean_up() -> None:
            shutil.rmtree(checkpoint_path(job.pk), ignore_errors=True)
            kind.clean_up(job)
            if waiting := _jobs_of_group(kind).waiting().order_by("created_at").first():
                enqueue_job(waiting)

        transaction.on_commit(clean_up)


def fail_job(job: Job, error: DomainError | PlatformFault, **fields: Any) -> None:
    """End a job with its error, after discarding what its attempt left. Raises LeaseLost."""
    end_job(job, JobState.FAILED, error=error_payload(error), **fields)
    get_kind(job.kind).discard_attempt(job)


def requeue_job(job: Job, *, after_s: float = 0) -> None:
    """Give a job back to the queue, where it has not started. Raises LeaseLost."""
    kind = get_kind_or_raise(job.kind)
    progress = {} if kind.resumes else {"percent": 0}
    fields = {
        "lease": None,
        "heartbeat_at": None,
        "started_at": None,
        "phase": "",
        "estimated_end_at": None,
    }
    transition(job, JobState.QUEUED, **{**fields, **progress})
    kind.discard_attempt(job)
    transaction.on_commit(lambda: enqueue_job(job, after_s=after_s))


def recover_job(job: Job) -> None:
    """Requeue a job whose worker died, unless it keeps killing its workers. Raises LeaseLost."""
    kind = get_kind_or_raise(job.kind)
    if job.is_local:
        stopped = "The command that ran this job was stopped. Run it again."
        fail_job(job, PlatformFault("stopped", stopped))
    elif job.attempts >= kind.max_attempts:
        lost = f"The server stopped {job.attempts} times during this job. Start it again."
        fail_job(job, PlatformFault("worker_lost", lost))
    else:
        requeue_job(job)


@transaction.atomic
def cancel_job(*, actor: User, job: Job) -> Job:
    """End a job; its worker stops at its next check. Cancelling twice changes nothing.

    Raises NotAllowed, or Conflict when the job has ended otherwise.
    """
    if not may_cancel_job(actor, job):
        raise NotAllowed("Only the owner of this job, or an administrator, can cancel it.")
    locked: Job = Job.objects.select_for_update(of=("self",)).get(id=job.pk)
    if locked.state == JobState.CANCELLED:
        return locked
    if locked.has_ended:
        raise Conflict("The job ended before it could be cancelled.", code="has_ended")
    end_job(locked, JobState.CANCELLED, error=_cancelled_by(actor, locked))
    return locked


def _cancelled_by(actor: User, job: Job) -> dict[str, Any]:
    """The owner's own doing, or something that happened to them."""
    by = DomainError(f"Cancelled by {actor.name or actor.email}.", code="cancelled")
    is_own = actor.pk == job.owner_id
    return error_payload(by) if is_own else {**error_payload(by), "code": "PLATFORM_CANCELLED"}


def sweep_jobs() -> int:
    """Recover jobs whose worker died, and queue again what the broker lost; how many died.

    A job or kind that fails here, such as a job whose kind is not installed, delays no other.
    """
    abandoned = list(Job.objects.abandoned())
    for job in abandoned:
        _isolate(f"job {job.pk}", recover_job, job)
    late = timezone.now() - LEASE_DURATION
    for job in Job.objects.waiting().filter(created_at__lt=late):
        # The next sweep queues it again: where the queue is long, no more than one waits there.
        _isolate(f"job {job.pk}", partial(enqueue_job, expires_s=settings.SWEEP_SECONDS), job)
    _remove_stale_checkpoints()
    for kind in load_kinds().values():
        if kind.sweep is not None:
            _isolate(f"kind {kind.name}", kind.sweep)
    return len(abandoned)


def _isolate(subject: str, act: Callable[..., object], *arguments: Job) -> None:
    try:
        act(*arguments)
    except LeaseLost:
        pass
    except DomainError as error:
        logger.warning("The sweep left out %s: %s", subject, error.detail)
    except Exception:
        logger.exception("The sweep of %s failed.", subject)


def expire_all_leases() -> None:
    """Let every running job be claimed at once. Only where no worker runs."""
    Job.objects.filter(state=JobState.RUNNING, is_local=False).update(heartbeat_at=None)


def _remove_stale_checkpoints() -> None:
    """Remove folders of jobs that have ended, which a worker killed while cleaning up has left.

    Not young ones: a request stores its input there before its job is committed.
    """
    folder = Path(settings.JOB_CHECKPOINTS)
    stale = [path for path in folder.iterdir() if _is_stale(path)] if folder.is_dir() else []
    if stale:
        active = {str(pk) for pk in Job.objects.active().values_list("pk", flat=True)}
        for path in stale:
            if path.name not in active:
                shutil.rmtree(path, ignore_errors=True)


def _is_stale(folder: Path) -> bool:
    try:
        return folder.stat().st_mtime < time.time() - LEASE_DURATION.total_seconds()
    except FileNotFoundError:
        return False
