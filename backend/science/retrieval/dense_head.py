"""A trained head on frozen vectors of queries, for search among frozen vectors of texts.

With a query's vector q [d] of length 1, and the vectors x of the pieces of an entity's text:

    u = q + q A B,   v = u / ‖u‖,   s = max over the pieces of  v · x

A [d, r] and B [r, d] are trained; B starts at 0, so that an untrained head is the search by q.
Vectors of texts stay as they are: one set serves every head. Scores of a training are s / τ, those
of a query's true answers beside its hard negatives and others that are drawn at each step. The
slope of s is that of the most similar piece; of equal ones the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.science.retrieval.query_training import (
    Floats,
    QueryLoss,
    Weights,
    list_loss,
)
from backend.science.retrieval.text_pieces import Longs, TextPieces, Vectors


@dataclass(frozen=True, slots=True)
class HeadSettings:
    """rank: r. temperature: τ. drawn: negatives of a query that are drawn at each step."""

    rank: int = 32
    temperature: float = 0.05
    drawn: int = 32

    def __post_init__(self) -> None:
        if self.rank < 1 or self.temperature <= 0 or self.drawn < 0:
            raise ValueError("a head has a rank and a temperature above 0")


@dataclass(frozen=True)
class TrainingQuery:
    """vector [d]; true and hard: numbers of entities, of which none is in both."""

    vector: Vectors
    true: Longs
    hard: Longs


@dataclass(frozen=True)
class DenseHead:
    """A `QueryModel` of queries that have a true answer each."""

    queries: Sequence[TrainingQuery]
    pieces: TextPieces
    settings: HeadSettings

    @property
    def query_count(self) -> int:
        return len(self.queries)

    def initial(self, rng: np.random.Generator) -> Weights:
        width, rank = self.pieces.vectors.shape[1], self.settings.rank
        down = rng.normal(size=(width, rank)) / width**0.5
        return {"down": down, "up": np.zeros((rank, width))}

    def loss(self, weights: Weights, query: int, rng: np.random.Generator) -> QueryLoss:
        one = self.queries[query]
        drawn = rng.integers(0, self.pieces.entity_count, self.settings.drawn)
        others = np.concatenate([one.hard, drawn[~np.isin(drawn, one.true)]])
        vector = one.vector.astype(np.float64)
        inner = vector @ weights["down"]
        moved = vector + inner @ weights["up"]
        length = float(np.linalg.norm(moved))
        unit = moved / length
        best = self.pieces.best_rows(np.concatenate([one.true, others]), unit)
        loss = list_loss(best.scores / self.settings.temperature, len(one.true))
        pulls = loss.slopes / self.settings.temperature
        by_unit = pulls @ self.pieces.vectors[best.rows].astype(np.float64)
        by_moved = (by_unit - unit * (unit @ by_unit)) / length
        by_inner = weights["up"] @ by_moved
        slopes = {"down": np.outer(vector, by_inner), "up": np.outer(inner, by_moved)}
        return QueryLoss(loss.value, slopes)


def apply_head(weights: Weights, queries: Vectors) -> Floats:
    """[n, d] of length 1, from those of queries [n, d]."""
    vectors = queries.astype(np.float64)
    moved = vectors + vectors @ weights["down"] @ weights["up"]
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    result: Floats = moved / np.where(lengths > 0, lengths, 1)
    return result
