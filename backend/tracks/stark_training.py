"""What the trained searches of STaRK share: their questions, their folds, their store, their cards.

They are trained on the public answers of a release's dev split. What a card states of that split is
cross-fitted: each of its questions is answered by a model that was trained without it and those of
its fold. No answer of a test split is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import open_artifact, write_artifact
from backend.runtime.array_store.errors import InvalidArrayStore
from backend.runtime.checkpoint import Checkpoint
from backend.science.bm25.tokenizer import split_words
from backend.science.bm25.word_index import index_texts
from backend.science.bootstrap import percentile_interval
from backend.science.retrieval.query_training import (
    QueryModel,
    QueryTrainingSettings,
    Weights,
    train_queries,
)
from backend.tracks.baseline_tasks import BaselineTask, Card, TooFewQuestions
from backend.tracks.metrics import Floats
from backend.tracks.stark_baselines import best_first
from backend.tracks.stark_rows import QueryAnswer, QueryItem
from backend.tracks.stark_scoring import HIT_1, RECIPROCAL_PLACE, score_matrix, to_arrays

HARD = 20  # negatives of a question, as many as the paper has
FOLDS = 5
Task = BaselineTask[QueryItem, QueryAnswer]
Longs = NDArray[np.int64]
Part = TypeVar("Part")


@dataclass(frozen=True)
class DevQuestions:
    """Those of the dev split that have an answer in the graph.

    true: numbers of the entities that answer each. by_words: BM25's ranking of each. left_out: how
    many have none.
    """

    ids: Sequence[int]
    queries: Sequence[str]
    true: Sequence[Longs]
    by_words: Sequence[Longs]
    left_out: int

    def hard_negatives(self, at: int) -> Longs:
        """The first that the search by words lists and that are no answers."""
        listed = self.by_words[at]
        return listed[~np.isin(listed, self.true[at])][:HARD]

    def folds(self, seed: int) -> Longs:
        """The fold of each, from 0."""
        return np.random.default_rng([seed, len(self.ids)]).permutation(len(self.ids)) % FOLDS


def gather_questions(task: Task) -> DevQuestions:
    """Raises TooFewQuestions, and NoGraph."""
    graph = task.graph_or_raise()
    number_of = {key: number for number, key in enumerate(graph.keys) if key is not None}
    true = [
        np.unique([number_of[one] for one in answer.answer_ids if one in number_of]).astype(
            np.int64
        )
        for answer in task.dev_answers
    ]
    used = [at for at, numbers in enumerate(true) if len(numbers)]
    if len(used) < FOLDS:
        raise TooFewQuestions
    items = [task.dev_items[at] for at in used]
    queries = [item.query for item in items]
    index = index_texts(graph.texts())
    by_words = [best_first(index.score(words).astype(np.float64)) for words in split_words(queries)]
    ids = [item.query_id for item in items]
    return DevQuestions(ids, queries, [true[at] for at in used], by_words, len(true) - len(used))


@dataclass(frozen=True)
class FoldTrainer:
    """Trains a model for each fold and one for all, each with a checkpoint of its own."""

    task: Task
    kind: str
    source: str
    settings: QueryTrainingSettings
    parameters: Mapping[str, Any]

    def train(self, model: QueryModel, name: str) -> Weights:
        folder = self.task.checkpoint and self.task.checkpoint / f"{self.kind}-{name}"
        parameters = {**self.parameters, "part": name}
        kind = f"{self.kind}-checkpoint"
        steps = Checkpoint(folder, kind, self.source, parameters) if folder else None
        state = train_queries(model, self.settings, checkpoint=steps, stop=self.task.stop)
        return state.values


def split_folds(folds: Longs) -> Iterator[tuple[str, Longs, Longs]]:
    """Its name, and the places of the questions inside it and outside."""
    for fold in range(FOLDS):
        yield f"fold-{fold}", np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)


def select(parts: Sequence[Part], places: Longs) -> list[Part]:
    return [parts[at] for at in places.tolist()]


def open_or_train(
    task: Task,
    kind: str,
    source: str,
    parameters: Mapping[str, Any],
    train: Callable[[], tuple[Mapping[str, NDArray[Any]], Card]],
) -> tuple[Mapping[str, NDArray[Any]], Card]:
    """Arrays and card of the stored model of this input, or of a new one, which is stored.

    Models of other inputs stay beside it: their folder is named by what they depend on.
    """
    if task.models is None:
        return train()
    folder = task.models / f"{kind}-{source[:16]}-{task.seed}"
    try:
        stored = open_artifact(folder, kind=kind, source=source, parameters=parameters)
    except (InvalidArrayStore, OSError):
        task.models.mkdir(parents=True, exist_ok=True)
        stored = write_artifact(folder, kind, source, parameters, *train())
    return stored.arrays, stored.facts


def describe(
    questions: DevQuestions, rankings: Mapping[str, Sequence[Longs]], reference: str, seed: int
) -> Card:
    """The data of a training, and metrics of rankings of its questions, beside a reference."""
    texts: Mapping[str, int] = {}
    answers = to_arrays([numbers.tolist() for numbers in questions.true], texts)
    components = {
        name: score_matrix(answers, to_arrays([one.tolist() for one in ranked], texts).matrix())
        for name, ranked in rankings.items()
    }
    return {
        "split": "dev",
        "questions": len(questions.ids),
        "left_out": questions.left_out,
        "folds": FOLDS,
        "dev": {
            name: {
                "hit@1": interval_of(values[:, HIT_1], seed),
                "mrr": interval_of(values[:, RECIPROCAL_PLACE], seed),
                "mrr_difference": interval_of(
                    values[:, RECIPROCAL_PLACE] - components[reference][:, RECIPROCAL_PLACE], seed
                ),
            }
            for name, values in components.items()
        },
    }


def interval_of(values: Floats, seed: int) -> list[float]:
    """The mean, and its 95 % interval over questions."""
    low, high = percentile_interval(values.tolist(), seed=seed)
    return [float(values.mean()), low, high]
