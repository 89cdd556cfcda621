"""Predictions of simulated entries about a graph: queries, leaves and names.

They are noisy copies of the answers, as those of `simulated_entries` are: right where the margin
of an item is positive, the worse the more it lacks.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from backend.benchmarks.demo import DEMO_QUESTIONS_FILE
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.release_graph_lookup import walked_version
from backend.benchmarks.split_rows import load_answers
from backend.evaluation.baseline_graph import SnapshotGraph
from backend.evaluation.release_items import load_items
from backend.evaluation.simulated_entries import SimulatedModel, draw_margins
from backend.science.breadth_first import find_surroundings
from backend.tracks.baseline_tasks import BaselineTask
from backend.tracks.serenqa_exploration.track import SetAnswer
from backend.tracks.serenqa_roots import LEVELS, RootItem
from backend.tracks.serenqa_walks import RootTask

NEARLY = -0.7  # a margin from which on a prediction is partly right
LEAVES = 8
# How much harder a question is than one of mean difficulty.
SHAPE_LEVELS = {"one-hop": 0.2, "two-hop": 0.5, "multi-hop": 0.8, "intersection": 1.0}
HOP_LEVEL = 0.5  # a second hop, than the first
FIRST_CHOICE, NEVER = 2.0, -1.0  # beside scores from 0 to 1
Rows = Iterator[Mapping[str, Any]]


def simulate_queries(model: SimulatedModel, release: Release, split: ReleaseSplit) -> Rows:
    """The question's own query; one that lacks its last condition; or one that does not run."""
    items = load_items(release, split).table.items
    questions = json.loads(DEMO_QUESTIONS_FILE.read_text(encoding="utf-8"))
    queries = {str(one["qid"]): one["cypher"] for one in questions}
    margins = draw_margins(model, len(items), release.seed).tolist()
    for number, (item, drawn) in enumerate(zip(items, margins, strict=True)):
        query, margin = queries[item.question_id], drawn - SHAPE_LEVELS.get(item.shape, 0.0)
        if margin <= NEARLY:
            query = break_query(query, number)
        elif margin <= 0:
            query = loosen_query(query)
        yield {"question_id": item.question_id, "cypher": query}


def loosen_query(query: str) -> str:
    """Without its last condition, so that it returns too much; of a single one, turned round."""
    lines = query.split("\n")
    edges = [at for at, line in enumerate(lines) if "-[" in line]
    if len(edges) > 1:
        return "\n".join(line for at, line in enumerate(lines) if at != edges[-1])
    left, _, right = lines[edges[0]].removeprefix("MATCH ").partition("-[")
    relation, _, end = right.partition("]->")
    lines[edges[0]] = f"MATCH {end}-[{relation}]->{left}"
    return "\n".join(lines)


def break_query(query: str, number: int) -> str:
    """A query as language models break it: an unknown relation, or an end that is missing."""
    if number % 2:
        return query.replace("-[:", "-[:is_related_by_", 1)
    return query.rpartition(")")[0]


def simulate_leaves(model: SimulatedModel, release: Release, split: ReleaseSplit) -> Rows:
    """Entities around the root that have its type, with members of the set if the margin allows."""
    items: Sequence[RootItem] = load_items(release, split).table.items
    answers: Sequence[SetAnswer] = load_answers(release, split)
    version = walked_version(release)
    if version is None:
        raise TypeError("the demo's release has a graph")
    graph = SnapshotGraph(version)
    roots = RootTask(BaselineTask[RootItem, SetAnswer](items, items, [], [], graph, release.seed))
    rng = np.random.default_rng([release.seed, ord(model.suffix), 3])
    margins = draw_margins(model, len(items), release.seed).tolist()
    for item, answer, margin in zip(items, answers, margins, strict=True):
        row = {"qid": item.qid, "partition": item.partition, "root": item.root}
        members = [graph.find_number(spellings[0]) for spellings in answer.entities]
        scores = rng.random(len(graph.types))
        scores[members] = FIRST_CHOICE if margin > 0 else NEVER
        around = find_surroundings(graph.steps, roots.find(item), LEVELS)
        leaves = roots.leaves(item, around, scores)[:LEAVES] if margin > NEARLY else []
        yield row | {
            "leaves": [{"id": one.id, "type": one.type, "path": one.path} for one in leaves]
        }


def simulate_names(model: SimulatedModel, release: Release, split: ReleaseSplit) -> Rows:
    """A true name where the margin is positive, else one that answers a question of its kind."""
    items = load_items(release, split).table.items
    answers = load_answers(release, split)
    true = [[one.name for one in answer.answers] for answer in answers]
    kinds: dict[str, list[str]] = {}
    for item, names in zip(items, true, strict=True):
        kinds.setdefault(item.relation_type.rpartition(":")[2], []).extend(names)
    rng = np.random.default_rng([release.seed, ord(model.suffix), 4])
    margins = draw_margins(model, len(items), release.seed).tolist()
    for item, names, margin in zip(items, true, margins, strict=True):
        is_right = margin > HOP_LEVEL * (item.hops - 1)
        others = kinds[item.relation_type.rpartition(":")[2]]
        pool = names if is_right else [name for name in others if name not in names] or ["unknown"]
        yield {
            "question_id": item.question_id,
            "answers": [pool[int(rng.integers(len(pool)))]],
        }
