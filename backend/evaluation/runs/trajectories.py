"""Guided explorations as they are read: what each level offered, what was chosen, and its cost.

Of dev items for everybody who may see the run, of test items for who steers it alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import Item
from backend.common.errors import NotFound
from backend.evaluation.models.explorations import Exploration
from backend.evaluation.models.runs import Run
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.exploration_paths import find_public_hits, rank_paths, strength_of
from backend.evaluation.runs.explorations import step_key
from backend.evaluation.runs.policies import visible_splits
from backend.evaluation.runs.run_items import find_items
from backend.llm.models import Call
from backend.tracks.serenqa_exploration.guided_state import (
    GraphNode,
    GuidedEdge,
    LevelRecord,
    NodePath,
    read_state,
)

Payload = dict[str, Any]
Nodes = Mapping[int, GraphNode]
EXPLORATIONS_AT_ONCE = 20


@dataclass(frozen=True)
class ExplorationPage:
    explorations: Sequence[Payload]
    total: int


def list_explorations(actor: User | None, run: Run, *, first: int, limit: int) -> ExplorationPage:
    """In the order of their first checkpoints."""
    rows = visible_explorations(actor, run).defer("state")
    page = [*rows[first : first + limit]]
    items = find_items(run, [row.item_key for row in page])
    return ExplorationPage([summarize(row, items[row.item_key]) for row in page], rows.count())


def visible_explorations(actor: User | None, run: Run) -> QuerySet[Exploration]:
    is_visible = Q()
    for split in visible_splits(actor, run):
        is_visible |= Q(item_key__startswith=f"{split}:")
    return Exploration.objects.filter(is_visible, run=run).order_by("pk")


def summarize(row: Exploration, item: Item) -> Payload:
    split, _, place = row.item_key.partition(":")
    return {
        "split": split,
        "position": int(place),
        "qid": item.content["qid"],
        "partition": item.content["partition"],
        "root": item.content["root"],
        "root_name": item.content.get("root_name", ""),
        "question": item.content["question"],
        "level": row.level,
        "has_ended": row.has_ended,
        "ending": row.ending,
        "leaves": row.leaves,
        "requests": row.requests,
        "calls": row.calls,
        "tokens_in": row.tokens_in,
        "tokens_out": row.tokens_out,
        "cost": format_money(row.cost),
    }


def read_trajectory(actor: User | None, run: Run, split: str, position: int) -> Payload:
    """Raises NotFound, also where the split is hidden from the actor."""
    item_key = f"{split}:{position}"
    row = None
    if split in visible_splits(actor, run):
        row = Exploration.objects.filter(run=run, item_key=item_key).first()
    if row is None:
        raise NotFound("This run has no exploration of this item, or you may not see it.")
    state, costs = read_state(row.state), cost_by_level(run, item_key)
    nodes = {one.number: one for one in state.nodes}
    item = find_items(run, [item_key])[item_key]
    hits = find_public_hits(item, [nodes[one.node].id for one in state.paths])
    return {
        **summarize(row, item),
        "digest": row.digest,
        "phase": state.phase,
        "levels": [
            describe_level(nodes, at, record, costs.get(at, Decimal(0)))
            for at, record in enumerate(state.levels, start=1)
        ],
        "paths": [describe_path(nodes, one, hits) for one in rank_paths(state.paths)],
        "summaries": [
            {"level": one.level, "text": one.text, "fault": one.fault} for one in state.summaries
        ],
    }


def summary_lines(actor: User | None, run: Run) -> Iterator[Payload]:
    """The summary of each level that was reached, as `manage.py judge` reads texts; `material` has
    the paths that it sums up. Raises NotFound where no exploration has ended."""
    rows = visible_explorations(actor, run).filter(has_ended=True).only("item_key", "state")
    if not rows.exists():
        raise NotFound("This run has no summaries yet, or you may not see them.")
    return _summary_lines(run, rows)


def _summary_lines(run: Run, rows: QuerySet[Exploration]) -> Iterator[Payload]:
    for row in rows.iterator(chunk_size=EXPLORATIONS_AT_ONCE):
        item, state = find_items(run, [row.item_key])[row.item_key], read_state(row.state)
        nodes = {one.number: one for one in state.nodes}
        for one in state.summaries:
            if one.text:
                paths = [path for path in state.paths if len(path.edges) == one.level]
                yield {
                    "id": f"{row.item_key}:{one.level}",
                    "text": one.text,
                    "question": item.content["question"],
                    "material": [write_path(nodes, path) for path in paths],
                }


def write_path(nodes: Nodes, path: NodePath) -> str:
    """`name (identifier), phrase, name (identifier), …`, from the root on."""

    def named(number: int) -> str:
        return f"{nodes[number].name} ({nodes[number].id})".lstrip()

    steps = [named(path.edges[0].source)]
    for edge in path.edges:
        steps += [edge.phrase, named(edge.target)]
    return ", ".join(steps)


def cost_by_level(run: Run, item_key: str) -> Mapping[int, Decimal]:
    """Of all its calls, with those that failed and the level's summary."""
    prefix = step_key(item_key, "")
    rows = Call.objects.filter(budget__subject=run.subject, item_key__startswith=prefix)
    costs = dict[int, Decimal]()
    for key, cost in rows.values_list("item_key", "cost"):
        level = int(key.removeprefix(prefix).partition(".")[0])
        costs[level] = costs.get(level, Decimal(0)) + cost
    return costs


def describe_level(nodes: Nodes, level: int, record: LevelRecord, cost: Decimal) -> Payload:
    return {
        "level": level,
        "frontier": [describe_node(nodes[one]) for one in record.frontier],
        "relations": [
            {
                "node": describe_node(nodes[step.node]),
                "offered": [
                    {"name": one.name, "phrases": one.phrases, "edges": one.edges}
                    for one in step.offered
                ],
                "chosen": step.chosen,
                "reason": step.reason,
                "fault": step.fault,
            }
            for step in record.relations
        ],
        "edges": [
            {**describe_edge(nodes, edge), "is_chosen": edge.target in record.chosen}
            for edge in record.edges
        ],
        "chosen": [describe_node(nodes[one]) for one in record.chosen],
        "reason": record.reason,
        "description": record.description,
        "goes_on": record.goes_on,
        "decision_reason": record.decision_reason,
        "faults": record.faults,
        "cost": format_money(cost),
    }


def describe_node(node: GraphNode) -> Payload:
    return {"id": node.id, "name": node.name, "type": node.type}


def describe_edge(nodes: Nodes, edge: GuidedEdge) -> Payload:
    return {
        "source": describe_node(nodes[edge.source]),
        "relation": edge.relation,
        "phrase": edge.phrase,
        "target": describe_node(nodes[edge.target]),
        "weight": edge.weight,
        "prognosis": edge.prognosis,
    }


def describe_path(nodes: Nodes, path: NodePath, hits: frozenset[str] | None) -> Payload:
    return {
        "leaf": describe_node(nodes[path.node]),
        "depth": len(path.edges),
        "strength": strength_of(path),
        "is_hit": None if hits is None else nodes[path.node].id in hits,
        "edges": [describe_edge(nodes, edge) for edge in path.edges],
    }
