"""Celery tasks: one that runs a job of any kind, and the sweeper."""

import uuid

from celery import shared_task

from backend.jobs import runner, services


@shared_task(name="jobs.run")
def run(job: str) -> None:
    runner.run_job(uuid.UUID(job), is_limited=True)


@shared_task(name="jobs.sweep")
def sweep() -> int:
    return services.sweep_jobs()
