"""What runs have cost, by task and model: tokens in and out of an item, calls, dollars."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from backend.accounts.models import User
from backend.common.cached_results import read_cached, store_cached
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.policies import own_runs, public_runs
from backend.evaluation.runs.run_costs import RunCost, read_costs
from backend.tracks.registry import load_model_tasks, load_tracks

MOST_RUNS = 500  # of the page; its files have all
SECONDS_IN_CACHE = 30 * 24 * 3_600


@dataclass
class CostRow:
    """run: one of those that are counted."""

    run: Run
    runs: int = 0
    total: RunCost = field(default_factory=RunCost)

    def payload(self, titles: Mapping[str, str]) -> dict[str, Any]:
        endpoint, total = self.run.endpoint, self.total
        items = max(total.items, 1)
        return {
            "release": {"slug": self.run.release.slug, "title": self.run.release.name},
            "task": {"name": self.run.task, "title": titles.get(self.run.task, self.run.task)},
            "model": endpoint.model,
            "parameters": endpoint.parameters,
            "runs": self.runs,
            "items": total.items,
            "calls": total.calls,
            "tokens_in": total.tokens_in,
            "tokens_out": total.tokens_out,
            "tokens_in_per_item": total.tokens_in / items,
            "tokens_out_per_item": total.tokens_out / items,
            "cost": format_money(total.cost),
            "cost_per_item": format_money(total.cost / items),
        }


def list_costs(
    actor: User | None, *, release: str, is_own: bool, most: int | None = None
) -> Sequence[dict[str, Any]]:
    """Of public runs, or of all the actor's own; most: the latest ones alone. Three queries, and
    one where all have ended and were read before."""
    runs = own_runs(actor) if is_own and actor is not None else public_runs(actor)
    if release:
        runs = runs.filter(release__slug=release)
    titles = {
        name: task.title
        for track in load_tracks().values()
        for name, task in load_model_tasks(track).items()
    }
    return [row.payload(titles) for row in group_costs(runs.order_by("-created_at")[:most])]


def group_costs(runs: Iterable[Run]) -> list[CostRow]:
    listed = [*runs]
    costs = read_once(listed)
    rows: dict[tuple[str, str, str], CostRow] = {}
    for run in listed:
        key = (run.release.slug, run.task, run.endpoint.model)
        row = rows.setdefault(key, CostRow(run))
        row.runs += 1
        row.total.add(costs[run.pk])
    return [rows[key] for key in sorted(rows)]


def read_once(runs: Sequence[Run]) -> Mapping[uuid.UUID, RunCost]:
    """What a run that has ended cost changes with the price of its endpoint alone, at which cached
    answers count. A run has as many calls as items, which everybody's reading would sum up."""
    keys = {run.pk: cost_key(run) for run in runs if run.state == RunState.ENDED}
    known: dict[uuid.UUID, RunCost] = read_cached(keys, form=RunCost)
    if missing := [run for run in runs if run.pk not in known]:
        read = read_costs(missing)
        new = {keys[pk]: read[pk] for pk in keys.keys() & read.keys()}
        store_cached(new, form=RunCost, timeout_s=SECONDS_IN_CACHE)
        known.update(read)
    return known


def cost_key(run: Run) -> str:
    endpoint = run.endpoint
    return f"run-cost:{run.pk}:{run.version}:{endpoint.price_in}:{endpoint.price_out}"
