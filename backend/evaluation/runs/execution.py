"""The job of a run: its estimate from a few items, or all its items and their submission."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.common.errors import Conflict, DomainError
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.estimates import make_estimate, sample_allowance
from backend.evaluation.runs.explorations import clear_checkpoints
from backend.evaluation.runs.guided_pass import GuidedPass
from backend.evaluation.runs.item_pass import ItemAnswer, ItemPass, PassEnd
from backend.evaluation.runs.pair_papers import count_left_out
from backend.evaluation.runs.release_tasks import get_task_or_raise
from backend.evaluation.runs.run_items import SelectedItems, select_items
from backend.evaluation.runs.run_limits import require_dollars
from backend.evaluation.runs.run_results import submit_run
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.transitions import move_run
from backend.evaluation.services import lock_submitter
from backend.jobs.context import JobContext
from backend.jobs.faults import error_payload
from backend.jobs.models import UNSUCCESSFUL_STATES, Job, JobState
from backend.llm.budgets import change_amount, open_budget, read_standing
from backend.llm.call_keys import call_key, lasting_key
from backend.llm.calls import TEMPORARY, ModelRequest
from backend.llm.models import Budget, Endpoint
from backend.llm.session import RetryRules
from backend.tracks.model_tasks import AnyModelTask, AnyTrackTask, StepwiseTask
from backend.tracks.serenqa_exploration.model_tasks import most_requests
from backend.tracks.serenqa_roots import RootItem

Result = Mapping[str, Any]
SAMPLE_ROOTS = 2  # each takes many requests
RELATED = ("release", "endpoint", "model", "owner")


class RunCancelled(Exception):
    """The run was cancelled: calls in flight are not waited for."""


def work_on_run(context: JobContext) -> Result | Callable[[], Result]:
    """Inputs: `rules`, how often calls are repeated after faults."""
    run = Run.objects.select_related(*RELATED).get(pk=context.job.parameters["run"])
    if run.job_id != context.job.pk:
        return describe(run)
    task = get_task_or_raise(run.release, run.task)
    if task.prompt_version != run.prompt_version:
        message = "The prompt of this task has changed since. Start a new run."
        raise Conflict(message, code="prompt_changed")
    selected = select_items(run.release, task, RunSettings.model_validate(run.settings))
    work = {RunState.ESTIMATING: estimate_run, RunState.RUNNING: answer_items}
    if run.state not in work:
        return describe(run)
    try:
        return work[RunState(run.state)](context, run, task, selected)
    except RunCancelled:
        return describe(run)


def describe(run: Run) -> Result:
    run.refresh_from_db(fields=["state"])
    return {"run": str(run.pk), "release": run.release.slug, "state": run.state}


def estimate_run(
    context: JobContext, run: Run, task: AnyTrackTask, selected: SelectedItems
) -> Callable[[], Result]:
    if isinstance(task, StepwiseTask):
        return estimate_guided(context, run, task, selected)
    sample = selected.sample
    context.report_progress("answering sample items", 0.05, is_forced=True)
    budget = open_budget(subject=run.subject, amount=Decimal(0), owner=run.owner)
    one_pass = make_pass(context, run, task, budget, len(sample))
    requests = [one for _, one in one_pass.requests(sample)]
    allow_sample(run, budget, requests, one_pass.rules or RetryRules())
    one_pass.request_all(sample)
    if one_pass.fault is not None:
        raise one_pass.fault
    return store_estimate(run, selected, [*one_pass.answers.values()], requests)


def estimate_guided(
    context: JobContext, run: Run, task: StepwiseTask[RootItem], selected: SelectedItems
) -> Callable[[], Result]:
    """The budget grows with each phase: what it requests depends on the answers before. An earlier
    attempt was interrupted: its requests count too, so its roots begin again."""
    clear_checkpoints(run)
    context.report_progress("exploring from sample roots", 0.05, is_forced=True)
    budget = open_budget(subject=run.subject, amount=Decimal(0), owner=run.owner)
    sample = selected.sample[:SAMPLE_ROOTS]
    one_pass = make_guided_pass(context, run, task, budget, len(sample))
    rules = one_pass.rules or RetryRules()
    one_pass.allow = lambda requests: allow_sample(run, budget, requests, rules)
    one_pass.request_all(sample)
    if one_pass.fault is not None:
        raise one_pass.fault
    most = most_requests(one_pass.settings.guided)
    answers = [*one_pass.answers.values()]
    return store_estimate(run, selected, answers, one_pass.requests, most)


def store_estimate(
    run: Run,
    selected: SelectedItems,
    answers: Sequence[ItemAnswer],
    requests: Sequence[ModelRequest],
    most: int = 1,
) -> Callable[[], Result]:
    """most: requests of an item. Raises DomainError where none of the sample was answered."""
    if all(one.may_pass for one in answers):
        raise endpoint_fails(answers)
    count = len(selected.items)
    estimate = make_estimate(
        endpoint=run.endpoint, requests=requests, answers=answers, items=count, most_requests=most
    )

    settings = RunSettings.model_validate(run.settings)
    if settings.papers:
        estimate["papers"] = count_left_out(ContextRequest(run.release, settings))

    def store() -> Result:
        if has_changed(run):
            return describe(run)
        move_run(run, RunState.ESTIMATED, estimate=estimate, items=count, error=None)
        return describe(run)

    return store


@transaction.atomic
def allow_sample(
    run: Run, budget: Budget, requests: Sequence[ModelRequest], rules: RetryRules
) -> None:
    """Beside what an earlier attempt has spent, whose faults are charged at their worst case.
    Raises Conflict where the person's runs would have too much with it."""
    left = without_ended(run.endpoint, budget, requests)
    standing = read_standing(budget)
    needed = standing.spent + standing.reserved + sample_allowance(run.endpoint, left, rules)
    if needed <= standing.amount:
        return
    if run.owner is not None:
        lock_submitter(run.owner)
        require_dollars(run.owner, needed, besides=run)
    change_amount(budget, needed)


def without_ended(
    endpoint: Endpoint, budget: Budget, requests: Sequence[ModelRequest]
) -> list[ModelRequest]:
    """Those that the ledger has no end of: an item may have ended with another model or context."""
    rows = budget.exchanges.filter(item_key__in=[one.item_key for one in requests])
    ended = {
        (item, key)
        for item, *keys in rows.values_list("item_key", "key", "lasting_key")
        for key in keys
    }
    return [
        one
        for one in requests
        if ended.isdisjoint(
            (one.item_key, key) for key in (call_key(endpoint, one), lasting_key(endpoint, one))
        )
    ]


def answer_items(
    context: JobContext, run: Run, task: AnyTrackTask, selected: SelectedItems
) -> Result | Callable[[], Result]:
    context.report_progress("answering items", 0.0, is_forced=True)
    budget = Budget.objects.get(subject=run.subject)
    one_pass = (
        make_guided_pass(context, run, task, budget, len(selected.items))
        if isinstance(task, StepwiseTask)
        else make_pass(context, run, task, budget, len(selected.items))
    )
    end = one_pass.request_all(selected.items)
    answers = one_pass.answers
    again = [
        one
        for one in selected.items
        if one.key in answers and answers[one.key].outcome in TEMPORARY
    ]
    if end == PassEnd.COMPLETE and again:  # once: what made them fail may have passed
        end = one_pass.request_all(again)
    failures = {
        key: {"outcome": str(one.outcome), "reason": one.reason}
        for key, one in answers.items()
        if one.may_pass
    }
    Run.objects.filter(pk=run.pk).update(failures=failures)
    if end == PassEnd.STOPPED:
        return describe(run)
    if end != PassEnd.COMPLETE:
        error: DomainError = one_pass.fault or endpoint_fails([*answers.values()])
        return lambda: pause_with_error(run, error)

    def store() -> Result:
        if has_changed(run):
            return describe(run)
        move_run(run, RunState.ENDED, ended_at=timezone.now(), error=None)
        submitted = submit_run(run, task, selected, answers, is_local=context.job.is_local)
        run.submissions.set([one for one, _ in submitted])
        return {**describe(run), "submissions": [str(one.pk) for one, _ in submitted]}

    return store


def make_pass(
    context: JobContext, run: Run, task: AnyModelTask, budget: Budget, items: int
) -> ItemPass:
    go_on = make_check(context, run, items)
    return ItemPass(run, task, budget, go_on, context.inputs.get("rules"))


def make_guided_pass(
    context: JobContext, run: Run, task: StepwiseTask[RootItem], budget: Budget, items: int
) -> GuidedPass:
    go_on = make_check(context, run, items)
    return GuidedPass(run, task, budget, go_on, context.inputs.get("rules"))


def make_check(context: JobContext, run: Run, items: int) -> Callable[[int], bool]:
    def should_go_on(done: int) -> bool:
        context.report_progress(f"{done:,} of {items:,} items", done / max(items, 1))
        state, job = Run.objects.values_list("state", "job").get(pk=run.pk)
        if state == RunState.CANCELLED:
            raise RunCancelled
        return state == run.state and job == run.job_id

    return should_go_on


def endpoint_fails(answers: Sequence[ItemAnswer]) -> DomainError:
    reason = next((one.reason for one in reversed(answers) if one.may_pass), "")
    message = f"The endpoint answers no more: {reason or 'no reason was given'}"
    return DomainError(message[:500], code="endpoint_fails")


def has_changed(run: Run) -> bool:
    """Paused or cancelled after the last answer; a resumed run finds all of them in the ledger."""
    locked = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    return locked.state != run.state


def pause_with_error(run: Run, error: DomainError) -> Result:
    if has_changed(run):
        return describe(run)
    move_run(run, RunState.PAUSED, error=error_payload(error))
    return describe(run)


def end_run_job(job: Job) -> None:
    """After a job without success: the run has failed, or is paused where the job was cancelled."""
    if job.state not in UNSUCCESSFUL_STATES:
        return
    run = Run.objects.filter(pk=job.parameters["run"], job=job).first()
    if run is None:
        return
    is_running = run.state == RunState.RUNNING
    if job.state == JobState.CANCELLED and is_running:
        move_run(run, RunState.PAUSED)
    elif is_running or run.state == RunState.ESTIMATING:
        move_run(run, RunState.FAILED, error=job.error)


def end_lost_runs() -> None:
    """Runs whose job has ended without the clean-up that follows."""
    active = Run.objects.filter(state__in=(RunState.ESTIMATING, RunState.RUNNING))
    for run in active.filter(job__state__in=UNSUCCESSFUL_STATES).select_related("job"):
        if run.job is not None:
            end_run_job(run.job)
