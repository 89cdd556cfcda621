"""A reasoner of QA-GNN's class on STaRK's retriever, whose first results it puts in order.

The graph of a question has the retriever's first twenty entities, the neighbours of each that are
most similar to the query, and the links between an entity and these, in both directions. It is
trained on the dev questions that have an answer among the twenty. Each of these is ranked by a
retriever that was trained without its fold; those retrievers did see the answers of other folds,
also of the fold that a reasoner leaves out, so that a little of these may reach its metrics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.science.embeddings.training_source import digest_arrays
from backend.science.retrieval.graph_reasoner import (
    GraphReasoner,
    QueryGraph,
    ReasonerSettings,
    run_graph,
)
from backend.science.retrieval.query_training import QueryTrainingSettings, Weights
from backend.tracks.baseline_tasks import BaselineGraph, Card, Vectors
from backend.tracks.metrics import Floats
from backend.tracks.stark_baselines import Ranking, best_first
from backend.tracks.stark_retriever import Retriever, open_retriever
from backend.tracks.stark_training import (
    DevQuestions,
    FoldTrainer,
    Longs,
    Task,
    describe,
    open_or_train,
    select,
    split_folds,
)

KIND = "stark-reasoner"
REORDERED = 20  # as many as a language model orders
REASONER = ReasonerSettings()
TRAINING = QueryTrainingSettings(epochs=20, batch=8, rate=0.003, decay=0.1)
NOTHING = np.empty(0, np.int64)


@dataclass(frozen=True)
class Neighbourhoods:
    """Reads the graphs of questions. The code of a link is 2 · relation + its direction."""

    graph: BaselineGraph
    retriever: Retriever

    @cached_property
    def types(self) -> Longs:
        return np.asarray(self.graph.types, np.int64)

    def around(self, entity: int, relevances: Floats) -> tuple[Longs, Longs]:
        """The most relevant neighbours, and the codes of the links from these to the entity."""
        steps = self.graph.steps
        sides = (
            (steps.out_offsets, steps.out_neighbours, steps.out_relations, 1),
            (steps.in_offsets, steps.in_neighbours, steps.in_relations, 0),
        )
        others, codes = [], []
        for offsets, neighbours, relations, direction in sides:
            row = slice(int(offsets[entity]), int(offsets[entity + 1]))
            others.append(neighbours[row].astype(np.int64))
            codes.append(2 * relations[row].astype(np.int64) + direction)
        near, links = np.concatenate(others), np.concatenate(codes)
        best = np.argsort(-relevances[near], kind="stable")[: REASONER.neighbours]
        return near[best], links[best]

    def read(self, query: Vectors, scores: Floats, ranking: Ranking, true: Longs) -> QueryGraph:
        """query: its frozen vector. scores [V]: the retriever's."""
        candidates = ranking[:REORDERED]
        near = [self.around(entity, scores) for entity in candidates.tolist()]
        counts = [len(others) for others, _ in near]
        others = np.concatenate([*(one for one, _ in near), NOTHING])
        codes = np.concatenate([*(links for _, links in near), NOTHING])
        further = np.setdiff1d(others, candidates)
        nodes = np.concatenate([candidates, further])
        order = np.argsort(nodes)
        places = order[np.searchsorted(nodes, others, sorter=order)]
        owners = np.repeat(np.arange(len(candidates)), counts)
        return QueryGraph(
            query,
            self.retriever.pieces.first_vectors(nodes),
            scores[nodes],
            self.types[nodes],
            scores[candidates],
            np.concatenate([places, owners]),
            np.concatenate([owners, places]),
            np.concatenate([codes, codes ^ 1]),
            np.flatnonzero(np.isin(candidates, true)),
        )


@dataclass(frozen=True)
class ReasonerTraining:
    task: Task
    retriever: Retriever

    @property
    def questions(self) -> DevQuestions:
        return self.retriever.questions

    @property
    def settings(self) -> QueryTrainingSettings:
        return replace(TRAINING, seed=self.task.seed)

    @property
    def parameters(self) -> dict[str, Any]:
        sizes = {"reordered": REORDERED, "reasoner": asdict(REASONER)}
        return {**sizes, "training": asdict(self.settings)}

    @cached_property
    def source(self) -> str:
        graph = self.task.graph_or_raise()
        steps = graph.steps
        arrays = (steps.out_offsets, steps.out_neighbours, steps.out_relations)
        return digest_arrays(
            np.frombuffer(self.retriever.source.encode(), np.uint8), graph.types, *arrays
        )

    def train(self) -> tuple[dict[str, NDArray[Any]], Card]:
        graphs, rankings = self.read_graphs()
        trainer = FoldTrainer(self.task, KIND, self.source, self.settings, self.parameters)
        orders = [NOTHING] * len(graphs)
        for name, inside, outside in split_folds(self.questions.folds(self.task.seed)):
            weights = trainer.train(self.reasoner(select(graphs, outside)), name)
            for at in inside.tolist():
                orders[at] = reorder(weights, graphs[at], rankings[at])
        weights = trainer.train(self.reasoner(graphs), "all")
        listed = {"reasoner": orders, "retriever": rankings, "bm25": self.questions.by_words}
        card = describe(self.questions, listed, "retriever", self.task.seed)
        fitted = np.full((len(orders), REORDERED), -1, np.int64)
        for row, order in zip(fitted, orders, strict=True):
            row[: len(order[:REORDERED])] = order[:REORDERED]
        trained = sum(len(one.true) > 0 for one in graphs)
        card = {**card, "trained_on": trained, "settings": self.parameters}
        return {**weights, "fitted": fitted}, card

    def read_graphs(self) -> tuple[list[QueryGraph], list[Ranking]]:
        graph = self.task.graph_or_raise()
        near = Neighbourhoods(graph, self.retriever)
        frozen = graph.meaning_vectors(self.questions.queries)
        graphs, rankings = [], []
        for at, id_ in enumerate(self.questions.ids):
            scores = self.retriever.scores(self.retriever.fitted[id_])
            rankings.append(best_first(scores))
            graphs.append(near.read(frozen[at], scores, rankings[at], self.questions.true[at]))
        return graphs, rankings

    def reasoner(self, graphs: list[QueryGraph]) -> GraphReasoner:
        """Of the graphs whose candidates have a true answer and another entity."""
        graph = self.task.graph_or_raise()
        used = [one for one in graphs if 0 < len(one.true) < len(one.scores)]
        return GraphReasoner(
            used,
            self.retriever.pieces.vectors.shape[1],
            int(np.asarray(graph.types).max()) + 1,
            2 * len(graph.relation_names),
            REASONER,
        )


def reorder(weights: Weights, graph: QueryGraph, ranking: Ranking) -> Ranking:
    """What is beyond the graph's candidates stays behind them."""
    if not len(graph.scores):
        return ranking
    order = np.argsort(-run_graph(weights, graph).scores, kind="stable")
    return np.concatenate([ranking[: len(order)][order], ranking[len(order) :]])


def open_reasoner(task: Task) -> tuple[ReasonerTraining, Weights, dict[int, Longs], Card]:
    training = ReasonerTraining(task, open_retriever(task))
    arrays, card = open_or_train(task, KIND, training.source, training.parameters, training.train)
    weights = {name: np.asarray(one) for name, one in arrays.items() if name != "fitted"}
    fitted = dict(zip(training.questions.ids, np.asarray(arrays["fitted"]), strict=True))
    return training, weights, fitted, card


def rank_by_reasoner(task: Task) -> Iterator[Ranking]:
    training, weights, fitted, _ = open_reasoner(task)
    graph, retriever = task.graph_or_raise(), training.retriever
    near = Neighbourhoods(graph, retriever)
    frozen = graph.meaning_vectors([item.query for item in task.items])
    moved = retriever.vectors(task)
    for item, query, vector in zip(task.items, frozen, moved, strict=True):
        scores = retriever.scores(vector)
        ranking = best_first(scores)
        if item.query_id in fitted:
            order = fitted[item.query_id]
            first = order[order >= 0]
            yield np.concatenate([first, ranking[len(first) :]])
        else:
            yield reorder(weights, near.read(query, scores, ranking, NOTHING), ranking)


def train_reasoner(task: Task) -> Card:
    return open_reasoner(task)[-1]
