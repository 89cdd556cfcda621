"""Seeded questions of any size: what search and calibration are tried on."""

from __future__ import annotations

import numpy as np

from backend.science.rns.calibration import ExpertChoice
from backend.science.rns.candidates import Candidates
from backend.science.rns.measures import Measured, Weights
from backend.science.rns.splits import all_splits, serendipity_size


def question(count: int, seed: int, *, dense: float = 0.7) -> Candidates:
    """Rows with few large entries and many zeros, as those of P_3 between drugs."""
    chance = np.random.default_rng(seed)
    transition = chance.random((count, count)) ** 4 * (chance.random((count, count)) < dense)
    mass = np.maximum(transition.sum(axis=1, keepdims=True), 1e-9)
    transition *= chance.uniform(0.001, 0.1, (count, 1)) / mass
    return Candidates(
        transition,
        chance.uniform(1e-5, 1e-3, count),
        chance.normal(size=(count, 16)),
        chance.random(count) < 0.9,
    )


def weights_drawn(seed: int) -> Weights:
    alpha, beta, gamma = np.random.default_rng(seed).dirichlet([1, 1, 1]).tolist()
    return Weights(alpha, beta, gamma)


def studied(
    count: int, planted: Weights, seed: int, *, strict: float, novelty_spread: float = 0.3
) -> list[ExpertChoice]:
    """Questions whose experts follow planted weights, the more strictly the less by chance."""
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        size = int(chance.integers(3, 10))
        splits = all_splits(size, serendipity_size(size))
        relevance = -chance.uniform(0.3, 0.7, len(splits))
        information = novelty_spread * chance.uniform(0, 1, len(splits))
        surprise = chance.uniform(0, 0.3, len(splits))
        measured = Measured(size, splits, relevance, information, surprise, 0.0)
        liked = strict * measured.totals(planted) + chance.gumbel(size=len(splits))
        found.append(ExpertChoice(measured, tuple(splits[int(liked.argmax())].tolist())))
    return found
