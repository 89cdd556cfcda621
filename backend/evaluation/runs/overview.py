"""How far runs are: budget, outcomes, tokens and cost."""

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from backend.evaluation.models import Exploration, Submission
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.answer_flags import AnswerFlags, read_answer_flags
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.explorations import STEP_MARK
from backend.evaluation.runs.run_costs import RunCost, read_costs
from backend.llm.calls import Outcome
from backend.llm.models import Budget, Exchange


@dataclass(frozen=True)
class RunOverview:
    """progress, outcomes, flags: of the items, each once. tokens (in and out), cost: of all calls,
    see RunCost; what was paid is in the budget."""

    budget: dict[str, Any] | None
    progress: dict[str, Any]
    outcomes: dict[str, int]
    tokens: dict[str, int]
    cost: str
    flags: AnswerFlags


@dataclass
class Outcomes:
    """Of the requests that have ended."""

    by_name: Counter[str]
    retried: int = 0
    cached: int = 0


def read_overview(run: Run) -> RunOverview:
    return read_overviews([run])[run.pk]


def read_overviews(runs: Iterable[Run]) -> Mapping[uuid.UUID, RunOverview]:
    """Seven queries, however many runs. Of an item that ended several times the last end counts,
    and its failure where the last attempt had no answer."""
    listed = [*runs]
    subjects = [run.subject for run in listed]
    budgets = {one.subject: one for one in Budget.objects.filter(subject__in=subjects)}
    outcomes, costs = _read_outcomes(listed), read_costs(listed)
    flags = read_answer_flags(subjects)
    return {
        run.pk: _overview(
            run,
            budgets.get(run.subject),
            outcomes.get(run.subject, Outcomes(Counter())),
            costs[run.pk],
            flags.get(run.subject, AnswerFlags()),
        )
        for run in listed
    }


def _read_outcomes(runs: list[Run]) -> Mapping[str, Outcomes]:
    """Without failures. Of a guided exploration, roots count and not their requests."""
    subjects = [run.subject for run in runs]
    rows = Exchange.objects.filter(budget__subject__in=subjects).order_by()
    rows = rows.exclude(item_key__contains=STEP_MARK).last_ends()
    for run in runs:
        if run.failures:
            rows = rows.exclude(budget__subject=run.subject, item_key__in=[*run.failures])
    counted = rows.values("budget__subject", "outcome").annotate(
        n=Count("pk"),
        retried=Count("pk", filter=Q(is_retried=True)),
        cached=Count("pk", filter=Q(is_cached=True)),
    )
    outcomes: dict[str, Outcomes] = {}
    for row in counted:
        one = outcomes.setdefault(row["budget__subject"], Outcomes(Counter()))
        one.by_name[row["outcome"]] += row["n"]
        one.retried += row["retried"]
        one.cached += row["cached"]
    for subject, ended, retried in _count_explorations(subjects):
        one = outcomes.setdefault(subject, Outcomes(Counter()))
        one.by_name[Outcome.ANSWERED] += ended
        one.retried += retried
    return outcomes


def _count_explorations(subjects: list[str]) -> Iterable[tuple[str, int, int]]:
    """Subject, roots that have ended, and those of them with a retry."""
    runs = [uuid.UUID(one.removeprefix("run:")) for one in subjects]
    rows = Exploration.objects.filter(run__in=runs, has_ended=True).order_by()
    counted = rows.values_list("run").annotate(
        n=Count("pk"), retried=Count("pk", filter=Q(is_retried=True))
    )
    return [(f"run:{run}", ended, retried) for run, ended, retried in counted]


def _overview(
    run: Run, budget: Budget | None, ended: Outcomes, cost: RunCost, flags: AnswerFlags
) -> RunOverview:
    outcomes = ended.by_name.copy()
    outcomes.update(one["outcome"] for one in run.failures.values())
    done, answered = outcomes.total(), outcomes[Outcome.ANSWERED]
    progress = {
        "items": run.items,
        "done": done,
        "answered": answered,
        "failed": done - answered,
        "retried": ended.retried,
        "cached": ended.cached,
        "left": max(run.items - done, 0),
        "seconds_left": seconds_left(run),
    }
    return RunOverview(
        budget_payload(budget, cost.typical) if budget else None,
        progress,
        dict(outcomes),
        {"in": cost.tokens_in, "out": cost.tokens_out},
        format_money(cost.cost),
        flags,
    )


def seconds_left(run: Run) -> float | None:
    end = run.job.estimated_end_at if run.job is not None else None
    if end is None or run.state != RunState.RUNNING:
        return None
    return max((end - timezone.now()).total_seconds(), 0.0)


def budget_payload(budget: Budget, typical: Decimal | None) -> dict[str, Any]:
    return {
        "amount": format_money(budget.amount),
        "spent": format_money(budget.spent),
        "reserved": format_money(budget.reserved),
        "typical": None if typical is None else format_money(typical),
    }


def main_submission(submissions: Iterable[Submission]) -> Submission | None:
    """Of the test split, else of the dev split."""
    return max(submissions, key=lambda one: one.split, default=None)
