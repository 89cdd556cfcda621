"""Celery tasks: one that runs a job of any kind, and the sweeper."""

import uuid

from celery import shared_task

from backend.common.advisory_locks import AdvisoryLock, try_lock
from backend.jobs import runner, services


@shared_task(name="jobs.run")
def run(job: str) -> None:
    runner.run_job(uuid.UUID(job), is_limited=True)


@shared_task(name="jobs.sweep")
def sweep() -> int:
    """Two workers are sent it every minute; of two at once the second does nothing."""
    with try_lock(AdvisoryLock.SWEEP, "jobs") as is_free:
        return services.sweep_jobs() if is_free else 0
