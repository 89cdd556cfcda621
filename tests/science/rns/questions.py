"""Seeded questions of any size for search and calibration."""

from __future__ import annotations

import numpy as np

from backend.science.rns.calibration import ExpertChoice
from backend.science.rns.candidates import Candidates
from backend.science.rns.measures import SplitScores, Weights
from backend.science.rns.splits import all_splits, serendipity_size


def question(count: int, seed: int, *, dense: float = 0.7) -> Candidates:
    """Rows with few large entries and many zeros, as those of P_3 between drugs."""
    rng = np.random.default_rng(seed)
    transition = rng.random((count, count)) ** 4 * (rng.random((count, count)) < dense)
    mass = np.maximum(transition.sum(axis=1, keepdims=True), 1e-9)
    transition *= rng.uniform(0.001, 0.1, (count, 1)) / mass
    return Candidates(
        transition,
        rng.uniform(1e-5, 1e-3, count),
        rng.normal(size=(count, 16)),
        rng.random(count) < 0.9,
    )


def weights_drawn(seed: int) -> Weights:
    alpha, beta, gamma = np.random.default_rng(seed).dirichlet([1, 1, 1]).tolist()
    return Weights(alpha, beta, gamma)


def studied(
    count: int, planted: Weights, seed: int, *, strict: float, novelty_spread: float = 0.3
) -> list[ExpertChoice]:
    """Questions whose experts follow planted weights; `strict` controls how closely."""
    rng = np.random.default_rng(seed)
    result = []
    for _ in range(count):
        size = int(rng.integers(3, 10))
        splits = all_splits(size, serendipity_size(size))
        relevance = -rng.uniform(0.3, 0.7, len(splits))
        information = novelty_spread * rng.uniform(0, 1, len(splits))
        surprise = rng.uniform(0, 0.3, len(splits))
        measured = SplitScores(size, splits, relevance, information, surprise, 0.0)
        liked = strict * measured.totals(planted) + rng.gumbel(size=len(splits))
        result.append(ExpertChoice(measured, tuple(splits[int(liked.argmax())].tolist())))
    return result
