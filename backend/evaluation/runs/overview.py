"""How far a run is: budget, outcomes, tokens, scores of first and later attempts."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils import timezone

from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.estimates import format_money
from backend.llm.budgets import BudgetStanding, read_standing
from backend.llm.calls import Outcome
from backend.llm.models import Budget, Exchange


@dataclass(frozen=True)
class RunOverview:
    """tokens: in and out, of the answers that count."""

    budget: dict[str, Any] | None
    progress: dict[str, Any]
    outcomes: dict[str, int]
    tokens: dict[str, int]


def read_overview(run: Run) -> RunOverview:
    budget = Budget.objects.filter(subject=run.subject).first()
    rows = Exchange.objects.filter(budget=budget) if budget else Exchange.objects.none()
    outcomes = Counter(
        {row["outcome"]: row["n"] for row in rows.values("outcome").annotate(n=Count("pk"))}
    )
    outcomes.update(one["outcome"] for one in run.failures.values())
    figures = rows.aggregate(
        retried=Count("pk", filter=Q(is_retried=True)),
        cached=Count("pk", filter=Q(is_cached=True)),
        tokens_in=Sum("tokens_in"),
        tokens_out=Sum("tokens_out"),
    )
    done, answered = outcomes.total(), outcomes[Outcome.ANSWERED]
    progress = {
        "items": run.items,
        "done": done,
        "answered": answered,
        "failed": done - answered,
        "retried": figures["retried"],
        "cached": figures["cached"],
        "left": max(run.items - done, 0),
        "seconds_left": seconds_left(run),
    }
    tokens = {"in": figures["tokens_in"] or 0, "out": figures["tokens_out"] or 0}
    standing = budget_payload(read_standing(budget)) if budget else None
    return RunOverview(standing, progress, dict(outcomes), tokens)


def seconds_left(run: Run) -> float | None:
    end = run.job.estimated_end_at if run.job is not None else None
    if end is None or run.state != RunState.RUNNING:
        return None
    return max((end - timezone.now()).total_seconds(), 0.0)


def budget_payload(standing: BudgetStanding) -> dict[str, Any]:
    def text(value: Decimal | None) -> str | None:
        return None if value is None else format_money(value)

    return {
        "amount": format_money(standing.amount),
        "spent": format_money(standing.spent),
        "reserved": format_money(standing.reserved),
        "typical": text(standing.typical),
    }


def main_submission(run: Run) -> Submission | None:
    """Of the test split, else of the dev split."""
    return run.submissions.order_by("-split").first()
