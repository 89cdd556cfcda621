"""The random boosting attack on a leaderboard (Blum and Hardt 2015, section 5)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from backend.science.evaluation.ladder import ladder_step
from backend.science.evaluation.metrics import FloatArray
from tests.science.evaluation.worlds import MEAN, mean_sums

ITEMS, QUERIES = 2_000, 1_000
STEP = (0.5 / ITEMS) ** 0.5  # paired standard error of two random guesses
Bits = npt.NDArray[np.bool_]


def random_queries(seed: list[int]) -> Bits:
    """Which items each query of random ±1 labels has right. The labels may all be +1."""
    packed = np.random.default_rng(seed).integers(0, 256, (QUERIES, ITEMS // 8), dtype=np.uint8)
    return np.unpackbits(packed, axis=1).astype(np.bool_)


def naive_gain(seed: list[int]) -> float:
    """Beyond chance, on a board that shows each score: vote of the queries above chance."""
    queries = random_queries(seed)
    helpful = queries[queries.mean(axis=1) > 0.5]
    return float((helpful.mean(axis=0) > 0.5).mean() - 0.5)


def ladder_gain(seed: list[int]) -> float:
    """Beyond chance, on the Ladder: vote of the queries that became the standing one."""
    queries = random_queries(seed)
    values = queries.mean(axis=1)
    accepted = [0]
    for number in range(1, QUERIES):
        # The step is never negative, so a lower value needs no comparison.
        if values[number] > values[accepted[-1]] and is_better(
            queries[accepted[-1]], queries[number]
        ):
            accepted.append(number)
    standing = queries[accepted[-1]]
    vote = queries[accepted].mean(axis=0) > 0.5
    return float(max(values[accepted[-1]], vote.mean() if is_better(standing, vote) else 0.0) - 0.5)


def is_better(standing: Bits, new: Bits) -> bool:
    return ladder_step(sums_of(standing), sums_of(new), MEAN).better


def sums_of(right: Bits) -> FloatArray:
    return mean_sums(right.astype(np.float64))
