"""A kind of job: adds numbers one by one, with progress and a checkpoint after each."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.jobs.context import JobContext
from backend.jobs.registry import JobRequest, job_kind
from backend.validation.faults import Fault

# What tests put in the way of a step; called with the number of numbers that were added.
before_step: list[Callable[[int], None]] = []
discarded: list[str] = []
cleaned_up: list[str] = []


def create(user: User, parameters: Mapping[str, Any]) -> JobRequest:
    numbers = parameters.get("numbers")
    if not isinstance(numbers, list) or not all(isinstance(one, int) for one in numbers):
        fault = Fault("parameters.numbers", "This must be a list of whole numbers.")
        raise DomainError("The numbers cannot be added.", faults=[fault])
    digest = "sum-" + "-".join(map(str, numbers))
    return JobRequest("test-sum", {"numbers": numbers}, digest, [f"sum-of:{len(numbers)}"])


@job_kind(
    "test-sum",
    queue="long",
    time_limit=timedelta(hours=2),
    resumes=True,
    create=create,
    describe=lambda jobs: [{"count": len(job.parameters["numbers"])} for job in jobs],
    is_result_intact=lambda job: job.result != {"sum": "lost"},
    discard_attempt=lambda job: discarded.append(str(job.pk)),
    clean_up=lambda job: cleaned_up.append(str(job.pk)),
)
def add_numbers(context: JobContext) -> Mapping[str, Any] | Callable[[], Mapping[str, Any]]:
    numbers = context.job.parameters["numbers"]
    checkpoint = context.checkpoint_folder / "sum"
    done, total = map(int, checkpoint.read_text().split()) if checkpoint.exists() else (0, 0)
    for place in range(done, len(numbers)):
        for act in before_step:
            act(place)
        context.report_progress("adding", place / len(numbers), is_forced=True)
        total += numbers[place]
        checkpoint.write_text(f"{place + 1} {total}")
        context.partial_result["added"] = place + 1
    return lambda: {"sum": total}


def sum_request(*numbers: int, digest: str = "") -> JobRequest:
    return JobRequest("test-sum", {"numbers": list(numbers)}, digest)
