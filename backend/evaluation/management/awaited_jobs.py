"""Jobs that a command waits for."""

import time

from backend.common.errors import Conflict, DomainError
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.models import Job, JobState

POLL_SECONDS = 1.0


def run_or_await(job: Job) -> Job:
    """The job when it has ended, here or in a worker. Raises DomainError if it failed."""
    while True:
        try:
            job = run_with_progress_bar(job)
        except Conflict:
            time.sleep(POLL_SECONDS)
        else:
            break
    if job.state != JobState.SUCCEEDED:
        error = job.error or {}
        raise DomainError(error.get("detail", "The job failed."), code=error.get("code", "failed"))
    return job
