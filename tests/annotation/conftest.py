from collections.abc import Callable
from typing import Any

import pytest

from backend.jobs.models import Job
from tests.annotation.personas import Cast, make_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def committed_cast(transactional_db: None) -> Cast:
    """For tests with several connections: what one commits, the others see."""
    return make_cast()


RunJobs = Callable[[Callable[[], Any]], Job]


@pytest.fixture
def run_jobs(run_queued_tasks: Any, django_capture_on_commit_callbacks: Any) -> RunJobs:
    """Send a request that is answered with a job, and run the job; it as it is afterwards."""

    def run(send: Callable[[], Any]) -> Job:
        with django_capture_on_commit_callbacks(execute=True):
            answer = send()
        assert answer.status_code == 202, answer.content
        with django_capture_on_commit_callbacks(execute=True):
            run_queued_tasks()
        job: Job = Job.objects.get(pk=answer.json()["id"])
        return job

    return run
