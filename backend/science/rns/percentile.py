"""Percentile of given sets among random sets of the same sizes and types."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.science.rns.errors import InvalidNumbers
from backend.science.rns.greedy_swaps import TIE_TOLERANCE

TypeName = TypeVar("TypeName", bound=Hashable)
Longs = NDArray[np.int64]


def draw_set(
    places: Mapping[TypeName, list[int]],
    pools: Mapping[TypeName, Longs],
    count: int,
    rng: np.random.Generator,
) -> list[int]:
    """Random entities, `count` without repetition; those at places[kind] come from pools[kind]."""
    drawn = np.empty(count, np.int64)
    for kind, positions in places.items():
        pool = pools[kind]
        drawn[positions] = pool[rng.choice(len(pool), len(positions), replace=False)]
    return [int(entity) for entity in drawn]


def compute_percentile(own: float, scores: Sequence[float]) -> float:
    """The share in percent of random sets that score lower; ties (to 1e-12) count half.

    Raises InvalidNumbers if a score is not finite.
    """
    values = np.array(scores)
    if not np.isfinite(values).all() or not np.isfinite(own):
        raise InvalidNumbers("score", "A score is not finite.")
    below = (values < own - TIE_TOLERANCE).sum() + (np.abs(values - own) <= TIE_TOLERANCE).sum() / 2
    return 100 * float(below) / len(values)
