"""Writes to runs: made, started, paused, resumed, cancelled."""

import uuid
from dataclasses import dataclass, field, replace
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.policies import lock_release_or_raise
from backend.common.errors import Conflict, DomainError
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.release_tasks import get_task_or_raise, require_available
from backend.evaluation.runs.run_items import select_items
from backend.evaluation.runs.run_limits import (
    require_dollars,
    require_run_allowed,
    require_run_limits,
)
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.task_settings import complete_settings, without_unused
from backend.evaluation.runs.transitions import move_run
from backend.evaluation.services import require_access
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job
from backend.llm.budgets import change_amount, read_standing
from backend.llm.endpoints import require_price
from backend.llm.models import Budget, Endpoint
from backend.llm.policies import get_usable_endpoint_or_raise
from backend.validation.faults import Fault

LEAST_DOLLARS = Decimal("0.000001")  # for the sample
RUN_MODEL = "run_model"  # kind of job


@dataclass(frozen=True)
class NewRun:
    release: Release
    endpoint: Endpoint
    task: str
    model: Model
    settings: RunSettings = field(default_factory=RunSettings)


@transaction.atomic
def create_run(*, actor: User | None, new: NewRun, is_local: bool = False) -> Run:
    """A run whose estimate is queued. actor: None for a command, which may use any endpoint.

    Raises NotFound for an unknown task or a deleted draft, PriceUnknown, NotAllowed, or Conflict
    where the release takes no predictions or lacks what the task needs.
    """
    require_access(actor, new.release, new.model)
    require_price(new.endpoint)
    task = get_task_or_raise(new.release, new.task)
    require_available(new.release, task, new.settings)
    settings = complete_settings(new.release, task, new.settings)
    selected = select_items(new.release, task, settings)
    if not selected.items:
        raise Conflict("The release has no items for these settings.", code="no_items")
    if actor is not None:
        has_test = bool(selected.of(ReleaseSplit.TEST))
        require_run_allowed(actor, new.release, has_test=has_test)
        if new.endpoint.cost(1, 1):  # not free of charge
            require_dollars(actor, LEAST_DOLLARS)
    lock_release_or_raise(new.release.pk, no_key=True)  # a draft may have been deleted meanwhile
    run = Run.objects.create(
        release=new.release,
        endpoint=new.endpoint,
        task=task.name,
        prompt_version=task.prompt_version,
        model=new.model,
        owner=actor,
        settings=settings.model_dump(exclude_defaults=True),
        items=len(selected.items),
    )
    return queue_work(run, is_local=is_local)


@transaction.atomic
def create_samples(*, actor: User, new: NewRun, count: int) -> list[Run]:
    """A run for each of so many answers to the same items: all of them, or none.

    Raises as create_run does.
    """
    of_test = new.release.items.filter(split=ReleaseSplit.TEST)
    has_test = new.settings.split != "dev" and of_test.exists()
    require_run_limits(actor, new.release, count=count, has_test=has_test)
    return [
        create_run(
            actor=actor,
            new=replace(new, settings=new.settings.model_copy(update={"sample": number})),
        )
        for number in range(1, count + 1)
    ]


def queue_work(run: Run, *, is_local: bool) -> Run:
    subjects = [run.subject, run.release.subject, f"endpoint:{run.endpoint_id}"]
    request = JobRequest(RUN_MODEL, {"run": str(run.pk)}, subjects=subjects, id=uuid.uuid4())
    job = request_job(owner=run.owner, request=request, is_local=is_local).job
    run.job = job
    Run.objects.filter(pk=run.pk).update(job=job)
    return run


@transaction.atomic
def start_run(*, run: Run, budget: Decimal, is_local: bool = False) -> Run:
    """Answer all items, for no more than this. Raises Conflict, DomainError."""
    locked = _lock(run)
    if locked.state != RunState.ESTIMATED:
        raise Conflict("Only a run that is estimated can be started.", code="run_state")
    require_usable(locked, budget)
    set_budget(locked, budget)
    move_run(locked, RunState.RUNNING, started_at=timezone.now(), error=None, failures={})
    return queue_work(locked, is_local=is_local)


@transaction.atomic
def resume_run(*, run: Run, budget: Decimal | None = None, is_local: bool = False) -> Run:
    """Go on where the run was paused or has failed. No call that was answered is repeated.

    Its failures are cleared: the items are requested again. Raises as start_run does.
    """
    locked = _lock(run)
    if locked.state not in (RunState.PAUSED, RunState.FAILED):
        raise Conflict("Only a run that is paused or has failed can be resumed.", code="run_state")
    is_estimated = locked.estimate is not None
    new_amount = budget if is_estimated else None
    require_usable(locked, new_amount)
    if new_amount is not None:
        set_budget(locked, new_amount)
    to = RunState.RUNNING if is_estimated else RunState.ESTIMATING
    move_run(locked, to, error=None, failures={})
    return queue_work(locked, is_local=is_local)


def require_usable(run: Run, amount: Decimal | None) -> None:
    """What held when the run was made may have ended: before money is spent, not after.

    amount: of its budget, where that changes.
    """
    require_access(run.owner, run.release, run.model)
    require_price(run.endpoint)
    task = get_task_or_raise(run.release, run.task)
    settings = without_unused(task, RunSettings.model_validate(run.settings))
    require_available(run.release, task, settings)
    complete_settings(run.release, task, settings)
    if run.owner is None:
        return
    get_usable_endpoint_or_raise(run.owner, run.endpoint_id)
    selected = select_items(run.release, task, settings)
    has_test = bool(selected.of(ReleaseSplit.TEST))
    require_run_allowed(run.owner, run.release, has_test=has_test, besides=run)
    if amount is None:
        budget = Budget.objects.filter(subject=run.subject).first()
        amount = Decimal(0) if budget is None else budget.amount
    require_dollars(run.owner, amount, besides=run)


@transaction.atomic
def pause_run(*, run: Run) -> Run:
    """Make no new calls; those in flight end. Pausing twice changes nothing."""
    locked = _lock(run)
    if locked.state == RunState.PAUSED:
        return locked
    return move_run(locked, RunState.PAUSED)


@transaction.atomic
def cancel_run(*, run: Run) -> Run:
    """End the run without a submission. Its answers stay in the ledger. Safe to repeat."""
    locked = _lock(run)
    if locked.state == RunState.CANCELLED:
        return locked
    return move_run(locked, RunState.CANCELLED, ended_at=timezone.now())


def set_budget(run: Run, amount: Decimal) -> None:
    """Raises DomainError where less than the sample has cost already."""
    budget = Budget.objects.get(subject=run.subject)
    used = read_standing(budget)
    least = used.spent + used.reserved
    if amount < least:
        message = f"${least:.6f} is spent already. Choose a larger budget."
        raise DomainError(message, faults=[Fault("budget", message, "budget_too_small")])
    change_amount(budget, amount)


def _lock(run: Run) -> Run:
    rows = Run.objects.select_for_update(of=("self",))
    return rows.select_related("release", "endpoint", "model", "owner").get(pk=run.pk)


def allowed_actions(run: Run) -> list[str]:
    can_cancel = run.state not in (RunState.ENDED, RunState.CANCELLED)
    actions = {
        "start": run.state == RunState.ESTIMATED,
        "pause": run.state == RunState.RUNNING,
        "resume": run.state in (RunState.PAUSED, RunState.FAILED),
        "cancel": can_cancel,
    }
    return [name for name, is_allowed in actions.items() if is_allowed]
