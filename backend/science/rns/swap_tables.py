"""Input and output tables of the swap search."""

from typing import Final, NamedTuple

import numpy as np

from backend.runtime.jit import jit_vectorize
from backend.science.rns.candidates import Candidates, NoveltyForm
from backend.science.rns.jensen_shannon import next_power_of_two
from backend.science.rns.measures import Weights
from backend.science.rns.row_kernels import Floats, Longs

MIN_CANDIDATES_FOR_BOUND: Final = 16  # from this many candidates on, the upper bound pays


class SwapTables(NamedTuple):
    """n candidates; rows are zero-padded to a power of two.

    distances, information float64 [n, n]; marginal float64 [n]; rows float64 [n, w]; columns, their
    transpose, float64 [w, n]; weights alpha, beta and gamma.
    """

    distances: Floats
    information: Floats
    marginal: Floats
    rows: Floats
    columns: Floats
    weights: tuple[float, float, float]
    conditional: bool
    bounded: bool


class SwapTotals(NamedTuple):
    """RNS after each swap, float64 [b, n - b]: without S (base), its upper bound, and complete."""

    base: Floats
    bound: Floats
    total: Floats


def build_tables(candidates: Candidates, weights: Weights, novelty: NoveltyForm) -> SwapTables:
    count = candidates.count
    rows = np.zeros((count, next_power_of_two(count)))
    rows[:, :count] = candidates.restricted_rows
    return SwapTables(
        candidates.distances,
        candidates.information,
        candidates.marginal,
        rows,
        np.ascontiguousarray(rows.T),
        weights.values,
        novelty == "conditional",
        count >= MIN_CANDIDATES_FOR_BOUND,
    )


@jit_vectorize
def mean_row(tables: SwapTables, numbers: Longs) -> Floats:
    result = np.zeros(tables.rows.shape[1])
    for number in numbers:
        result += tables.rows[number]
    return result / len(numbers)
