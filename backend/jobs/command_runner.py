"""A job that a management command runs in its own process, with a progress bar."""

import sys
from collections.abc import Mapping
from typing import Any

from tqdm import tqdm

from backend.common.errors import Conflict
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.runner import run_job
from backend.jobs.services import request_job


def run_in_command(request: JobRequest) -> Job:
    """Request a job and run it here; a worker takes over if this command is stopped.

    Raises DomainError where the request is refused, Conflict while another process runs the job.
    """
    return run_with_progress_bar(request_job(owner=None, request=request, is_queued=False).job)


def run_with_progress_bar(job: Job, *, inputs: Mapping[str, Any] | None = None) -> Job:
    """Run a job in this process; return it ended, whether it succeeded or failed.

    Raises Conflict while another process runs it.
    """
    with tqdm(total=100, unit="%", file=sys.stderr, disable=None, leave=False) as bar:

        def on_progress(phase: str, share: float) -> None:
            bar.set_description(phase, refresh=False)
            bar.update(round(100 * share - bar.n, 1))

        run_job(job.pk, on_progress=on_progress, inputs=inputs)
    job.refresh_from_db()
    if not job.has_ended:
        raise Conflict("Another process runs this job. Wait until it has ended.")
    return job
