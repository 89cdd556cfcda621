"""What runs have cost, by task and model: tokens in and out of an item, calls, dollars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Count, Sum

from backend.accounts.models import User
from backend.evaluation.models.runs import Run
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.policies import own_runs, public_runs
from backend.llm.models import Call, Exchange
from backend.tracks.registry import load_model_tasks, load_tracks

MOST_RUNS = 500


@dataclass
class CostRow:
    run: Run
    runs: int = 0
    items: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = field(default_factory=Decimal)

    def add(self, run: Run) -> None:
        """What the cache answered counts at the endpoint's price: equal runs cost the same."""
        rows = Exchange.objects.filter(budget__subject=run.subject)
        sums = {
            is_cached: rows.filter(is_cached=is_cached).aggregate(
                n=Count("pk"), cost=Sum("cost"), tokens_in=Sum("tokens_in"), out=Sum("tokens_out")
            )
            for is_cached in (False, True)
        }
        self.runs += 1
        self.calls += Call.objects.filter(budget__subject=run.subject).count()
        for is_cached, one in sums.items():
            tokens = one["tokens_in"] or 0, one["out"] or 0
            self.items += one["n"]
            self.tokens_in += tokens[0]
            self.tokens_out += tokens[1]
            has_price = is_cached and run.endpoint.has_price
            self.cost += run.endpoint.cost(*tokens) if has_price else one["cost"] or 0

    def payload(self) -> dict[str, Any]:
        endpoint, items = self.run.endpoint, max(self.items, 1)
        titles = {
            name: task.title
            for track in load_tracks().values()
            for name, task in load_model_tasks(track).items()
        }
        return {
            "release": {"slug": self.run.release.slug, "title": self.run.release.name},
            "task": {"name": self.run.task, "title": titles.get(self.run.task, self.run.task)},
            "model": endpoint.model,
            "parameters": endpoint.parameters,
            "runs": self.runs,
            "items": self.items,
            "calls": self.calls,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "tokens_in_per_item": self.tokens_in / items,
            "tokens_out_per_item": self.tokens_out / items,
            "cost": format_money(self.cost),
            "cost_per_item": format_money(self.cost / items),
        }


def list_costs(actor: User | None, *, release: str, is_own: bool) -> Sequence[dict[str, Any]]:
    """Of public runs, or of all the actor's own; the latest of them."""
    runs = own_runs(actor) if is_own and actor is not None else public_runs(actor)
    if release:
        runs = runs.filter(release__slug=release)
    return [row.payload() for row in group_costs(runs.order_by("-created_at")[:MOST_RUNS])]


def group_costs(runs: Iterable[Run]) -> list[CostRow]:
    rows: dict[tuple[Any, ...], CostRow] = {}
    for run in runs:
        key = (run.release.slug, run.task, run.endpoint.model)
        rows.setdefault(key, CostRow(run)).add(run)
    return [rows[key] for key in sorted(rows)]
