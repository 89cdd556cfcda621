"""What the swaps of one search read and fill in."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from backend.science.compiled import vectorised
from backend.science.rns.candidates import Candidates, Novelty
from backend.science.rns.divergence import power_of_two
from backend.science.rns.measures import Weights
from backend.science.rns.row_kernels import Floats, Longs

BOUNDED: Final = 16  # candidates from which on the upper bound pays


class Tables(NamedTuple):
    """What compiled code reads: n candidates, rows filled up with zeros to a power of two.

    distances, information float64 [n, n]; marginal float64 [n]; rows float64 [n, w]; columns, the
    same the other way round, float64 [w, n]; weights alpha, beta and gamma.
    """

    distances: Floats
    information: Floats
    marginal: Floats
    rows: Floats
    columns: Floats
    weights: tuple[float, float, float]
    conditional: bool
    bounded: bool


class Swaps(NamedTuple):
    """RNS after each swap, float64 [b, n - b]: `base` without S, then all of it."""

    base: Floats
    bound: Floats
    total: Floats


def tables_of(candidates: Candidates, weights: Weights, novelty: Novelty) -> Tables:
    count = candidates.count
    rows = np.zeros((count, power_of_two(count)))
    rows[:, :count] = candidates.rows_among
    return Tables(
        candidates.distances,
        candidates.information,
        candidates.marginal,
        rows,
        np.ascontiguousarray(rows.T),
        weights.values,
        novelty == "conditional",
        count >= BOUNDED,
    )


@vectorised
def mean_row(tables: Tables, numbers: Longs) -> Floats:
    found = np.zeros(tables.rows.shape[1])
    for number in numbers:
        found += tables.rows[number]
    return found / len(numbers)
