"""Scores of pairs by models that are trained on the triples of a graph, for baselines.

A pair has no relation: its score is the highest over all relations that the training has, in either
direction. No model is trained on an edge between the entities of a hidden pair.
"""

from collections.abc import Mapping

import numpy as np

from backend.science.embeddings.triple_models import (
    TRIPLE_MODELS,
    TripleModel,
    Triples,
    TripleSettings,
    TripleVectors,
    train_triples,
)
from backend.tracks.baseline_tasks import BaselineGraph, Numbers
from backend.tracks.metrics import Floats
from backend.tracks.pair_scores import PAIRS_AT_ONCE, PairScore


def visible_triples(graph: BaselineGraph, hidden: Numbers) -> Triples:
    """Of all edges, without loops and those that join a hidden pair in either direction."""
    steps = graph.steps
    count = len(steps.out_offsets) - 1
    heads = np.repeat(np.arange(count), np.diff(steps.out_offsets).astype(np.int64))
    tails = steps.out_neighbours.astype(np.int64)
    keys = np.concatenate([hidden @ [count, 1], hidden @ [1, count]])
    places = np.flatnonzero((heads != tails) & ~np.isin(heads * count + tails, keys))
    return Triples(heads, steps.out_relations.astype(np.int64), tails).at(places)


def best_scores(vectors: TripleVectors, pairs: Numbers, relations: Numbers) -> Floats:
    best = np.full(len(pairs), -np.inf)
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        one, other = pairs[start : start + PAIRS_AT_ONCE].T
        for relation in relations.tolist():
            for heads, tails in ((one, other), (other, one)):
                scores = vectors.scores(Triples(heads, np.full(len(heads), relation), tails))
                part = best[start : start + PAIRS_AT_ONCE]
                np.maximum(part, scores, out=part)
    return best


def score_by_training(model: TripleModel) -> PairScore:
    def score(graph: BaselineGraph, pairs: Numbers, hidden: Numbers, seed: int) -> Floats:
        triples = visible_triples(graph, hidden)
        relations = np.unique(triples.relations)
        if len(relations) == 0:
            return np.zeros(len(pairs))
        count, settings = int(relations[-1]) + 1, TripleSettings(seed=seed)
        vectors = train_triples(model, triples, graph.types, count, settings)
        return best_scores(vectors, pairs, relations)

    return score


TRAINED_SCORES: Mapping[str, PairScore] = {
    name: score_by_training(model) for name, model in TRIPLE_MODELS.items()
}
