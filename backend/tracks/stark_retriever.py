"""STaRK's dense retriever: a head that is trained on the frozen vectors of the sentence encoder.

The paper (section 4.1) fine-tunes two encoders; here both stay as they are, and a low-rank head of
the query is trained (`dense_head`). Entities are searched by the most similar piece of their text.
Hard negatives are the first that BM25 lists and that are no answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from backend.science.embeddings.training_source import digest_arrays
from backend.science.retrieval.dense_head import (
    DenseHead,
    HeadSettings,
    TrainingQuery,
    apply_head,
)
from backend.science.retrieval.query_training import QueryTrainingSettings, Weights
from backend.science.retrieval.text_pieces import TextPieces
from backend.tracks.baseline_tasks import Card, Vectors
from backend.tracks.metrics import Floats
from backend.tracks.stark_baselines import Ranking, best_first
from backend.tracks.stark_training import (
    DevQuestions,
    FoldTrainer,
    Longs,
    Task,
    describe,
    gather_questions,
    open_or_train,
    split_folds,
)

KIND = "stark-retriever"
HEAD = HeadSettings()
TRAINING = QueryTrainingSettings(epochs=20, batch=8, rate=0.001, decay=0.1)


@dataclass(frozen=True)
class Retriever:
    """A trained search. fitted: vectors of the dev questions by heads that did not see them."""

    questions: DevQuestions
    pieces: TextPieces
    weights: Weights
    fitted: dict[int, Floats]
    card: Card
    source: str

    def vectors(self, task: Task) -> Iterator[Floats]:
        """Of the items' queries, those of dev questions cross-fitted."""
        frozen = task.graph_or_raise().meaning_vectors([item.query for item in task.items])
        for item, vector in zip(task.items, apply_head(self.weights, frozen), strict=True):
            yield self.fitted.get(item.query_id, vector)

    def scores(self, vector: Floats) -> Floats:
        """[V]."""
        return self.pieces.best_products(vector)


@dataclass(frozen=True)
class HeadTraining:
    """The training on one release. vectors: the frozen ones of the questions."""

    task: Task
    questions: DevQuestions
    pieces: TextPieces
    vectors: Vectors

    @classmethod
    def of_task(cls, task: Task) -> HeadTraining:
        questions, graph = gather_questions(task), task.graph_or_raise()
        pieces = graph.meaning_pieces(is_chunked=True)
        return cls(task, questions, pieces, graph.meaning_vectors(questions.queries))

    @property
    def settings(self) -> QueryTrainingSettings:
        return replace(TRAINING, seed=self.task.seed)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"head": asdict(HEAD), "training": asdict(self.settings), "unit": "chunk"}

    @cached_property
    def source(self) -> str:
        hard = [self.questions.hard_negatives(at) for at in range(len(self.vectors))]
        lists = [np.concatenate([[len(one)], one]) for one in (*self.questions.true, *hard)]
        return digest_arrays(
            self.vectors, self.pieces.vectors, self.pieces.starts, np.concatenate(lists)
        )

    def train(self) -> tuple[dict[str, Floats], Card]:
        trainer = FoldTrainer(self.task, KIND, self.source, self.settings, self.parameters)
        fitted = np.zeros(self.vectors.shape)
        for name, inside, outside in split_folds(self.questions.folds(self.task.seed)):
            weights = trainer.train(self.head(outside), name)
            fitted[inside] = apply_head(weights, self.vectors[inside])
        everything = np.arange(len(self.vectors))
        arrays = {**trainer.train(self.head(everything), "all"), "fitted": fitted}
        return arrays, self.describe(fitted)

    def head(self, places: Longs) -> DenseHead:
        queries = [
            TrainingQuery(
                self.vectors[at], self.questions.true[at], self.questions.hard_negatives(at)
            )
            for at in places.tolist()
        ]
        return DenseHead(queries, self.pieces, HEAD)

    def describe(self, fitted: Floats) -> Card:
        frozen = [best_first(self.pieces.best_products(one)) for one in self.vectors]
        trained = [best_first(self.pieces.best_products(one)) for one in fitted]
        rankings = {"retriever": trained, "multi-vss": frozen, "bm25": self.questions.by_words}
        card = describe(self.questions, rankings, "multi-vss", self.task.seed)
        return {**card, "settings": self.parameters}


def open_retriever(task: Task) -> Retriever:
    """The stored one, or a new one. Raises NoGraph, TooFewQuestions and Cancelled."""
    training = HeadTraining.of_task(task)
    questions, source = training.questions, training.source
    arrays, card = open_or_train(task, KIND, source, training.parameters, training.train)
    weights = {name: np.asarray(arrays[name]) for name in ("down", "up")}
    fitted = dict(zip(questions.ids, np.asarray(arrays["fitted"]), strict=True))
    return Retriever(questions, training.pieces, weights, fitted, card, source)


def rank_by_retriever(task: Task) -> Iterator[Ranking]:
    retriever = open_retriever(task)
    for vector in retriever.vectors(task):
        yield best_first(retriever.scores(vector))


def train_retriever(task: Task) -> Card:
    return open_retriever(task).card
