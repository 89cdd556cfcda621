"""Tokens and dollars of runs, from the ledger: the entry, the page and the table have these."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, Func, Q, QuerySet, Sum, Value

from backend.evaluation.models.runs import Run
from backend.evaluation.runs.explorations import STEP_MARK
from backend.llm.calls import Outcome
from backend.llm.charges import charged_in, charged_out
from backend.llm.models import Call, Endpoint, Exchange


@dataclass
class RunCost:
    """As if nothing had been in the cache: a cached answer counts with its tokens, at the price of
    the endpoint.

    items: that have ended. calls: that were settled, with those without an answer, and those whose
    answer another one has replaced: they were paid for. One whose cost is unknown counts at its
    worst case and without tokens. Of cached answers the last one of an item counts. typical: mean
    of the answered calls.
    """

    items: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    typical: Decimal | None = None

    def add(self, other: "RunCost") -> None:
        self.items += other.items
        self.calls += other.calls
        self.tokens_in += other.tokens_in
        self.tokens_out += other.tokens_out
        self.cost += other.cost

    def add_cached(self, endpoint: Endpoint, tokens_in: int, tokens_out: int) -> None:
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        if endpoint.has_price:
            self.cost += endpoint.cost(tokens_in, tokens_out)


def read_cost(run: Run, split: str = "") -> RunCost:
    """split: of one split alone."""
    return read_costs([run], split)[run.pk]


def read_costs(runs: Iterable[Run], split: str = "") -> Mapping[uuid.UUID, RunCost]:
    """Two queries, however many runs."""
    by_subject = {run.subject: run for run in runs}
    costs = {run.pk: RunCost() for run in by_subject.values()}
    for row in _sum_calls(_of(Call.objects.all(), by_subject, split)):
        cost = costs[by_subject[row["budget__subject"]].pk]
        cost.calls, cost.typical = row["n"], row["typical"]
        cost.tokens_in, cost.tokens_out = row["sum_in"], row["sum_out"]
        cost.cost = row["sum_cost"]
    for row in _sum_exchanges(_of(Exchange.objects.last_ends(), by_subject, split)):
        run = by_subject[row["budget__subject"]]
        costs[run.pk].items = row["n"]
        costs[run.pk].add_cached(run.endpoint, row["cached_in"] or 0, row["cached_out"] or 0)
    return costs


def _of(rows: QuerySet[Any], subjects: Iterable[str], split: str) -> QuerySet[Any]:
    chosen = rows.filter(budget__subject__in=[*subjects])
    return chosen.filter(item_key__startswith=f"{split}:") if split else chosen


def _sum_calls(rows: QuerySet[Any]) -> Iterable[dict[str, Any]]:
    """Tokens as they were charged."""
    settled = rows.filter(state=Call.State.SETTLED).order_by()
    summed: Iterable[dict[str, Any]] = settled.values("budget__subject").annotate(
        n=Count("pk"),
        sum_in=Sum(charged_in()),
        sum_out=Sum(charged_out()),
        sum_cost=Sum("cost"),
        typical=Avg("cost", filter=Q(outcome=Outcome.ANSWERED)),
    )
    return summed


def item_of_key() -> Func:
    """The key without the step, of an item with several requests."""
    return Func("item_key", Value(STEP_MARK), Value(1), function="split_part")


def _sum_exchanges(rows: QuerySet[Any]) -> Iterable[dict[str, Any]]:
    """A cached answer that another one has replaced was neither paid for nor used."""
    is_cached = Q(is_cached=True)
    summed: Iterable[dict[str, Any]] = (
        rows.order_by()
        .values("budget__subject")
        .annotate(
            n=Count(item_of_key(), distinct=True),
            cached_in=Sum("tokens_in", filter=is_cached),
            cached_out=Sum("tokens_out", filter=is_cached),
        )
    )
    return summed
