"""Writes of requests that one job works off within one budget: queued, resumed, ended.

A request of a command is found by its digest, so that a command that was stopped goes on where it
was. What is stored, and what is in the ledger of calls, is not requested again.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError
from backend.evaluation.grounding.services import require_budget
from backend.evaluation.models.paid_requests import PaidRequest, RequestState
from backend.evaluation.runs.run_limits import require_dollars
from backend.evaluation.services import lock_submitter
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.faults import PlatformFault, error_payload
from backend.jobs.models import UNSUCCESSFUL_STATES, Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import recover_job, request_job
from backend.llm.budgets import change_amount, open_budget
from backend.llm.call_keys import json_text
from backend.llm.endpoints import require_price
from backend.llm.ledger import settle_dead_processes
from backend.llm.models import Endpoint

Request = TypeVar("Request", bound=PaidRequest)
ID = "request"  # parameter of the job
EARLIER_ID = "proposal"  # of jobs that an earlier version of this program has queued


def digest_of(value: object) -> str:
    """Of all that a command's result depends on."""
    return sha256(json_text(value).encode("utf-8", "surrogatepass")).hexdigest()


def require_payable(
    actor: User | None, endpoints: Iterable[Endpoint | None], budget: Decimal
) -> None:
    """Raises DomainError without a price or a budget, Conflict for too much money a day."""
    for endpoint in endpoints:
        if endpoint is not None:
            require_price(endpoint)
            require_budget(endpoint, budget)
    if actor is not None:
        lock_submitter(actor)
        require_dollars(actor, budget)


def queue_request(
    request: Request, kind: str, *, subjects: Sequence[str], is_local: bool
) -> Request:
    """Make its job. is_local: the process of a command runs it."""
    job_request = JobRequest(
        kind, {ID: str(request.pk)}, subjects=[request.subject, *subjects], id=uuid.uuid4()
    )
    request.job = request_job(owner=request.owner, request=job_request, is_local=is_local).job
    request.state, request.error = RequestState.QUEUED, None
    request.save(update_fields=["job", "state", "error"])
    return request


def request_id(job: Job) -> uuid.UUID:
    parameters = job.parameters
    return uuid.UUID(parameters[ID] if ID in parameters else parameters[EARLIER_ID])


def find_of_command(model: type[Request], digest: str) -> Request | None:
    return model._default_manager.filter(owner=None, digest=digest).select_related("job").first()


def resume_of_command(
    request: Request, budget: Decimal, queue: Callable[[Request], Request]
) -> Request:
    """One that has ended stays as it is.

    Raises Conflict while another process works on it, or for less money than is spent.
    """
    if request.state == RequestState.ENDED:
        return request
    release_dead_job(request.job)
    with transaction.atomic():
        stored = open_budget(subject=request.subject, amount=Decimal(0))
        settle_dead_processes(None, stored.pk)
        change_amount(stored, budget)
        return queue(request)


@transaction.atomic
def resume_request(
    request: Request,
    *,
    budget: Decimal,
    endpoints: Iterable[Endpoint | None],
    queue: Callable[[Request], Request],
) -> Request:
    """Work on what a failed request lacks, with another budget. No answered call is repeated.

    Raises Conflict unless it has failed, for less money than is spent, and for too much a day.
    """
    locked = type(request)._default_manager.select_for_update().get(pk=request.pk)
    if locked.state != RequestState.FAILED:
        message = "Only a failed request is resumed. Reload the page."
        raise Conflict(message, code="request_not_failed")
    require_payable(None, endpoints, budget)
    stored = open_budget(subject=locked.subject, amount=Decimal(0))
    settle_dead_processes(None, stored.pk)
    stored.refresh_from_db()
    if request.owner is not None:
        lock_submitter(request.owner)
        require_dollars(request.owner, max(budget - stored.spent, Decimal(0)))
    change_amount(stored, budget)
    return queue(locked)


def release_dead_job(job: Job | None) -> None:
    """Raises Conflict while another process works on it."""
    if job is None or job.has_ended:
        return
    if not Job.objects.abandoned().filter(pk=job.pk).exists():
        message = "Another command works on this, or worked on it a minute ago. Wait."
        raise Conflict(message, code="request_is_active")
    recover_job(job)


def run_in_command(request: PaidRequest) -> None:
    """Raises DomainError where it has not ended."""
    if request.state == RequestState.ENDED:
        return
    assert request.job is not None
    job = run_with_progress_bar(request.job)
    request.refresh_from_db()
    if request.state != RequestState.ENDED:
        detail = str((job.error or {}).get("detail", "The job failed."))
        raise DomainError(f"{detail} Run it again to go on.", code="job_failed")


def is_claimed_by(request: PaidRequest, job: Job) -> bool:
    return request.job_id == job.pk and request.state == RequestState.QUEUED


def end_request(
    request: PaidRequest, state: RequestState, error: Mapping[str, Any] | None = None
) -> None:
    """Only one that is queued."""
    rows = type(request)._default_manager.filter(pk=request.pk, state=RequestState.QUEUED)
    rows.update(state=state, error=error and dict(error), ended_at=timezone.now())


def end_after_job(model: type[PaidRequest], job: Job) -> None:
    """After a job without success."""
    if job.state not in UNSUCCESSFUL_STATES:
        return
    for row in model._default_manager.filter(pk=request_id(job), job=job):
        end_request(row, RequestState.FAILED, job.error or {})


def end_lost(model: type[PaidRequest]) -> None:
    """Those whose job has ended without the clean-up that follows, or is gone."""
    queued = model._default_manager.filter(state=RequestState.QUEUED)
    lost = PlatformFault("job_lost", "The job of this request was lost. Request it again.")
    for row in queued.filter(job__state__in=UNSUCCESSFUL_STATES).select_related("job"):
        end_request(row, RequestState.FAILED, (row.job.error if row.job else None) or {})
    for row in queued.filter(job=None):
        end_request(row, RequestState.FAILED, error_payload(lost))
