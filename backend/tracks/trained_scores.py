"""Scores of pairs by models that are trained on the triples of a graph, for baselines.

A pair has no relation: its score is the highest over the relations that join its two types in the
training, in either direction. A pair of types that none joins, or of an entity without an edge, is
scored below all others. No model is trained on an edge between the entities of a hidden pair.
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


def score_by_training(model: TripleModel) -> PairScore:
    def score(graph: BaselineGraph, pairs: Numbers, hidden: Numbers, seed: int) -> Floats:
        triples = visible_triples(graph, hidden)
        if len(triples.heads) == 0:
            return np.zeros(len(pairs))
        types = np.asarray(graph.types, dtype=np.int64)
        count, settings = int(triples.relations.max()) + 1, TripleSettings(seed=seed)
        vectors = train_triples(model, triples, graph.types, count, settings)
        scores = best_scores(vectors, pairs, edge_kinds(triples, types), types)
        is_linked = np.bincount(
            np.concatenate([triples.heads, triples.tails]), minlength=len(types)
        )
        scores[(is_linked[pairs] == 0).any(axis=1)] = -np.inf
        return place_unknown(scores)

    return score


def place_unknown(scores: Floats) -> Floats:
    """Those of -inf one below the lowest other."""
    known = np.isfinite(scores)
    lowest = scores[known].min() if known.any() else 0.0
    return np.where(known, scores, lowest - 1)


TRAINED_SCORES: Mapping[str, PairScore] = {
    name: score_by_training(model) for name, model in TRIPLE_MODELS.items()
}
