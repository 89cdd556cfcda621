"""Scores of pairs by models that are trained on the triples of a graph, for baselines.

A pair has no relation. Models of triples score it highest over the relations that join its two
types in the training, in either direction; models with a vector for each entity by the cosine. A
pair of types that none joins, or of an entity without an edge, is scored below all others. Without
types all entities count as of one. No model is trained on an edge between the entities of a hidden
pair.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from backend.science.embeddings.triple_models import (
    TRIPLE_MODELS,
    TripleModel,
    Triples,
    TripleSettings,
    TripleVectors,
)
from backend.science.embeddings.triple_training import train_triples
from backend.science.embeddings.undirected_graph import UndirectedGraph
from backend.science.embeddings.vector_models import VECTOR_MODELS, VectorModel
from backend.tracks.baseline_tasks import BaselineGraph, Numbers
from backend.tracks.metrics import Floats
from backend.tracks.pair_scores import PAIRS_AT_ONCE, PairScore, ScoreRun

Scorer = Callable[[Numbers], Floats]  # of pairs [n, 2], -inf for those of types that none joins
Training = Callable[[Triples, Numbers, ScoreRun], Scorer]  # of triples and types [V]


def visible_triples(graph: BaselineGraph, hidden: Numbers) -> Triples:
    """Of all edges, without loops and those that join a hidden pair in either direction."""
    steps = graph.steps
    count = len(steps.out_offsets) - 1
    heads = np.repeat(np.arange(count), np.diff(steps.out_offsets).astype(np.int64))
    tails = steps.out_neighbours.astype(np.int64)
    keys = np.concatenate([hidden @ [count, 1], hidden @ [1, count]])
    places = np.flatnonzero((heads != tails) & ~np.isin(heads * count + tails, keys))
    return Triples(heads, steps.out_relations.astype(np.int64), tails).at(places)


def edge_kinds(triples: Triples, types: Numbers) -> Numbers:
    """Each (type of the head, relation, type of the tail) of the triples once: [kinds, 3]."""
    kinds = np.stack([types[triples.heads], triples.relations, types[triples.tails]], axis=1)
    return np.unique(kinds.astype(np.int64), axis=0)


def best_scores(vectors: TripleVectors, pairs: Numbers, kinds: Numbers, types: Numbers) -> Floats:
    """-inf for a pair of types that no kind joins."""
    best = np.full(len(pairs), -np.inf)
    for head_type, relation, tail_type in kinds.tolist():
        for heads, tails in (pairs.T, pairs.T[::-1]):
            places = np.flatnonzero((types[heads] == head_type) & (types[tails] == tail_type))
            for start in range(0, len(places), PAIRS_AT_ONCE):
                at = places[start : start + PAIRS_AT_ONCE]
                triples = Triples(heads[at], np.full(len(at), relation), tails[at])
                best[at] = np.maximum(best[at], vectors.scores(triples))
    return best


def triple_training(model: TripleModel) -> Training:
    def train(triples: Triples, types: Numbers, run: ScoreRun) -> Scorer:
        count, settings = int(triples.relations.max()) + 1, TripleSettings(seed=run.seed)
        vectors = train_triples(
            model,
            triples,
            types,
            count,
            settings,
            checkpoint=run.checkpoint,
            stop=run.stop,
        )
        kinds = edge_kinds(triples, types)
        return lambda pairs: best_scores(vectors, pairs, kinds, types)

    return train


def vector_training(model: VectorModel) -> Training:
    def train(triples: Triples, types: Numbers, run: ScoreRun) -> Scorer:
        graph = linked_graph(triples, len(types))
        vectors = model(graph, types, run.seed, run.stop, run.checkpoint).astype(np.float64)
        kinds = edge_kinds(triples, types)

        def score(pairs: Numbers) -> Floats:
            cosines = (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(axis=1)
            return np.where(are_joined(types[pairs], kinds), cosines, -np.inf)

        return score

    return train


def linked_graph(triples: Triples, count: int) -> UndirectedGraph:
    """Each triple as a link between its ends."""
    sources = np.concatenate([triples.heads, triples.tails])
    targets = np.concatenate([triples.tails, triples.heads])
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=count), out=offsets[1:])
    order = np.lexsort((targets, sources))
    return UndirectedGraph(offsets, targets[order].astype(np.int32))


def are_joined(types: Numbers, kinds: Numbers) -> NDArray[np.bool_]:
    """[n], of pairs of types [n, 2]: whether a kind joins them in either direction."""
    count = int(max(types.max(initial=0), kinds.max(initial=0))) + 1
    joined = np.concatenate([kinds[:, [0, 2]], kinds[:, [2, 0]]]) @ [count, 1]
    return np.isin(types @ [count, 1], joined)


def score_by_training(train: Training, *, uses_types: bool = True) -> PairScore:
    def score(graph: BaselineGraph, pairs: Numbers, hidden: Numbers, run: ScoreRun) -> Floats:
        triples = visible_triples(graph, hidden)
        if len(triples.heads) == 0:
            return np.zeros(len(pairs))
        types = np.asarray(graph.types, dtype=np.int64) * uses_types
        scores = train(triples, types, run)(pairs)
        ends = np.concatenate([triples.heads, triples.tails])
        is_linked = np.bincount(ends, minlength=len(types)) > 0
        return place_unknown(np.where(is_linked[pairs].all(axis=1), scores, -np.inf))

    return score


def place_unknown(scores: Floats) -> Floats:
    """Those of -inf one below the lowest other."""
    known = np.isfinite(scores)
    lowest = scores[known].min() if known.any() else 0.0
    return np.where(known, scores, lowest - 1)


TRAININGS: Mapping[str, Training] = {
    **{name: triple_training(model) for name, model in TRIPLE_MODELS.items()},
    "node2vec": vector_training(VECTOR_MODELS["node2vec"]),
    "gcn": vector_training(VECTOR_MODELS["gcn"]),
}
TRAINED_SCORES: Mapping[str, PairScore] = {
    name: score_by_training(train) for name, train in TRAININGS.items()
}
UNTYPED_SCORES: Mapping[str, PairScore] = {
    f"{name}-untyped": score_by_training(train, uses_types=False)
    for name, train in TRAININGS.items()
}
