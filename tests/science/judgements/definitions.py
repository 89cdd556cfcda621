"""The coefficients as loops over pairs of judgements, from their definitions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np

from backend.science.judgements.tables import FloatArray

Similarity = Callable[[float, float], float]


def judgements_of(values: FloatArray) -> list[dict[int, float]]:
    """The value of each rater, for each item."""
    return [
        {rater: value for rater, value in enumerate(column) if not np.isnan(value)}
        for column in values.T.tolist()
    ]


def similarity_of(name: str, categories: list[float]) -> Similarity:
    spread = max(categories) - min(categories)
    power = {"linear": 1, "quadratic": 2}.get(name)
    if power is None:
        return lambda one, other: float(one == other)
    return lambda one, other: 1 - (abs(one - other) / spread) ** power


def observed(values: FloatArray, similarity: Similarity) -> float:
    means = []
    for item in judgements_of(values):
        pairs = [similarity(one, other) for one, other in permutations(item.values(), 2)]
        if pairs:
            means.append(sum(pairs) / len(pairs))
    return sum(means) / len(means)


def mean_shares(values: FloatArray, categories: list[float]) -> list[float]:
    items = [list(item.values()) for item in judgements_of(values) if item]
    return [sum(item.count(k) / len(item) for item in items) / len(items) for k in categories]


def fleiss(values: FloatArray, categories: list[float], similarity: Similarity) -> float:
    shares = dict(zip(categories, mean_shares(values, categories), strict=True))
    chance = sum(similarity(k, m) * shares[k] * shares[m] for k in categories for m in categories)
    return (observed(values, similarity) - chance) / (1 - chance)


def gwet(values: FloatArray, categories: list[float], similarity: Similarity) -> float:
    shares, count = mean_shares(values, categories), len(categories)
    total = sum(similarity(k, m) for k in categories for m in categories)
    chance = total / (count * (count - 1)) * sum(share * (1 - share) for share in shares)
    return (observed(values, similarity) - chance) / (1 - chance)


def conger(values: FloatArray, categories: list[float], similarity: Similarity) -> float:
    rows = [row[~np.isnan(row)].tolist() for row in values]
    pairs = [
        sum(similarity(a, b) for a in one for b in other) / (len(one) * len(other))
        for one, other in permutations([row for row in rows if row], 2)
    ]
    chance = sum(pairs) / len(pairs)
    return (observed(values, similarity) - chance) / (1 - chance)
