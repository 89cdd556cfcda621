"""Surprise S: the Jensen-Shannon divergence (base 2) of the mean P_k rows of two sets.

For p and q with s = p + q, an entity contributes (s/4) (x log2 x + y log2 y), x = 2p/s, y = 2q/s:
never negative and at most s/2, so S is from 0 to 1. Rows may be float32 or float64; means and sums
are always float64, over fixed ranges of entities, so the result is bit-identical for any number of
threads.

The error of S has two parts. If every entry of the rows has a relative error of at most e, S has an
error of at most 1.06 e, since the sum of |dS / d log p| is at most 1.05. The arithmetic adds at
most 18 half-ulps of float32: with u = 2^-24, x and y have the error 3u and add 15u to x log2 x + y
log2 y, the logarithms (5u each) 11u, products and sums 7u, and the sum of s/4 is 1/2; 17u, and 1u
for rounding the means to float32. In float64 the same terms and the sums stay below 1e-13.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.runtime.parallel import run_in_threads
from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange
from backend.science.rns.row_kernels import Floats, Longs, RowArray, add_range

RowBlock = tuple[Longs, RowArray]  # the candidates' entities, which are ignored, and their rows

CHUNK_ENTITIES: Final = 1024  # entities per chunk: all buffers fit into the L1 cache
RANGE_ENTITIES: Final = 128 * CHUNK_ENTITIES  # entities summed together
ERROR_SENSITIVITY: Final = 1.06
ARITHMETIC_ERROR: Final = {"float32": 18 * 2.0**-24 + 1e-13, "float64": 1e-13}
ENTRY_ERROR: Final = {"float32": 2.0**-21, "float64": 2.0**-50}


@dataclass(frozen=True)
class SplitSurprises:
    """S of several splits, and a bound on the error of each.

    splits int64 [m, b], the serendipity sets; values float64 [m].
    """

    splits: Longs
    values: Floats
    error: float


def split_surprises(
    rows: RowArray,
    splits: Longs,
    *,
    columns: Longs | None = None,
    entry_error: float | None = None,
    stop: CancellationToken | None = None,
) -> SplitSurprises:
    """S of several splits of n candidates, from all their rows in one pass.

    rows [V, c]: the candidates are the columns `columns` [n], by default all. `entry_error` bounds
    the relative error of each entry (as transition's `row_error_bound` does); by default eight
    half-ulps. Raises Cancelled.
    """
    chosen = np.arange(rows.shape[1], dtype=np.int64) if columns is None else columns
    check_splits(splits, len(chosen))
    _check_numbers("columns", chosen, rows.shape[1])
    values = _sum_ranges(rows, chosen, canonical_splits(splits, len(chosen)), len(chosen), stop)
    return SplitSurprises(splits, values, error_bound(rows, entry_error))


def canonical_splits(splits: Longs, count: int) -> Longs:
    """S is equal for a set and its complement. If both have the same size, the one with candidate 0
    represents both, so that rounding cannot distinguish them either.
    """
    if 2 * splits.shape[1] != count:
        return splits
    chosen = np.zeros((len(splits), count), np.bool_)
    chosen[np.arange(len(splits))[:, None], splits] = True
    chosen ^= ~chosen[:, :1]
    # Contiguous, else kernels are compiled for one more layout.
    return np.ascontiguousarray(np.nonzero(chosen)[1]).reshape(splits.shape)


def next_power_of_two(least: int) -> int:
    """The smallest power of two that is at least `least`."""
    return 1 << max(0, least - 1).bit_length()


def error_bound(rows: RowArray, entry_error: float | None) -> float:
    """Bound on the error of S of such rows."""
    name = rows.dtype.name
    if name not in ARITHMETIC_ERROR:
        raise InvalidNumbers("rows", "They must be float32 or float64.")
    return ARITHMETIC_ERROR[name] + ERROR_SENSITIVITY * (
        ENTRY_ERROR[name] if entry_error is None else entry_error
    )


def check_splits(splits: Longs, count: int) -> None:
    """Compiled code reads the columns with these indices without bounds checks."""
    if splits.ndim != 2 or not 0 < splits.shape[1] < count:
        raise SizeOutOfRange("splits", f"From 1 to {count - 1} of {count} candidates are chosen.")
    _check_numbers("splits", splits, count)


def _check_numbers(name: str, numbers: Longs, count: int) -> None:
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
        raise InvalidNumbers(name, f"They are numbered from 0 to {count - 1}.")


def _sum_ranges(
    rows: RowArray,
    columns: Longs,
    splits: Longs,
    count: int,
    stop: CancellationToken | None,
) -> Floats:
    """Each range of entities is summed separately, then the ranges in order."""
    narrow, lanes = rows.dtype == np.float32, min(CHUNK_ENTITIES, next_power_of_two(len(rows)))

    def work(first: int, last: int) -> Floats:
        result = np.zeros(len(splits))
        add_range(rows[first:last], columns, splits, count, narrow, lanes, result)
        return result

    starts = range(0, len(rows), RANGE_ENTITIES)
    parts = [(first, min(first + RANGE_ENTITIES, len(rows))) for first in starts]
    result: Floats = np.sum(run_in_threads(work, parts, stop), axis=0) / 4
    if not np.isfinite(result).all():
        raise InvalidNumbers("rows", "An entry is not a number.")
    return np.clip(result, 0.0, 1.0)
