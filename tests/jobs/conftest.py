"""Jobs of the plugin's kind `test-sum`, and what tests put in the way of its steps."""

from collections.abc import Callable, Iterator

import pytest

from backend.jobs.models import Job
from backend.jobs.registry import load_kinds
from backend.jobs.services import request_job
from tests.personas import Person
from tests.plugins.job_kinds import running_sum
from tests.plugins.job_kinds.running_sum import sum_request


@pytest.fixture(autouse=True)
def hooks() -> Iterator[list[Callable[[int], None]]]:
    load_kinds()
    for calls in (running_sum.before_step, running_sum.discarded, running_sum.cleaned_up):
        calls.clear()
    yield running_sum.before_step
    running_sum.before_step.clear()


@pytest.fixture
def queued(outsider: Person) -> Job:
    return request_job(owner=outsider.user, request=sum_request(1, 2, 3)).job
