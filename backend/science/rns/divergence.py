"""Surprise S: the Jensen-Shannon divergence (base 2) of the mean P_k rows of two sets.

For p and q with s = p + q, an entity adds (s/4) (x log2 x + y log2 y), x = 2p/s, y = 2q/s: never
negative and at most s/2, so S is from 0 to 1. Rows may be float32 or float64; means and sums are
always float64, over fixed ranges of entities, so that the same rows give the same bytes whatever
the number of threads.

The error of S has two parts. Where every entry of the rows is right up to a factor 1 +- e, S is
right to 1.06 e, since the sum of |dS / d log p| is at most 1.05. The arithmetic adds at most 18
half-steps of float32: with u = 2^-24, x and y are right to 3u and add 15u to x log2 x + y log2 y,
the logarithms (5u each) 11u, products and sums 7u, and the sum of s/4 is 1/2; 17u, and 1u for
taking the means to float32. In float64 the same and the sums stay below 1e-13.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange
from backend.science.rns.row_kernels import Floats, Longs, Rows, add_range
from backend.science.stopping import Stop
from backend.science.threads import in_threads

Block = tuple[Longs, Rows]  # the candidates' entities, which are not looked at, and their rows
Blocks = Callable[[], Iterable[Block]]

LANES: Final = 1024  # entities looked at together: all buffers stay in the first cache
RANGE: Final = 128 * LANES  # entities summed up together
SENSITIVITY: Final = 1.06
ARITHMETIC: Final = {"float32": 18 * 2.0**-24 + 1e-13, "float64": 1e-13}
ENTRY_ERROR: Final = {"float32": 2.0**-21, "float64": 2.0**-50}
NO_TOTALS: Final = np.empty(0)
NOT_ALL: Final = "They do not hold a row of every candidate."


@dataclass(frozen=True)
class Surprises:
    """S of some splits, and how far each may be from the exact number.

    splits int64 [m, b], the serendipity sets; values float64 [m].
    """

    splits: Longs
    values: Floats
    error: float


def surprise(serendipity: Floats, existing: Floats) -> float:
    """S of two mean rows, float64 [V] each; symmetric, 0 for equal rows, 1 for disjoint ones."""
    if serendipity.shape != existing.shape or serendipity.ndim != 1:
        raise InvalidNumbers("rows", "Two flat rows of equal length are compared.")
    rows = np.stack([serendipity, existing], axis=1).astype(np.float64)
    return float(split_surprises(rows, np.zeros((1, 1), np.int64)).values[0])


def split_surprises(
    rows: Rows,
    splits: Longs,
    *,
    columns: Longs | None = None,
    entry_error: float | None = None,
    stop: Stop | None = None,
) -> Surprises:
    """S of some splits of n candidates, from all their rows in one pass.

    rows [V, c]: the candidates' are `columns` [n] of them, or all. `entry_error` bounds the
    relative error of each entry (as transition's `row_error` does); by default eight half-steps.
    Raises Stopped when told to.
    """
    chosen = np.arange(rows.shape[1], dtype=np.int64) if columns is None else columns
    check_splits(splits, len(chosen))
    _check_numbers("columns", chosen, rows.shape[1])
    values = _sums(rows, NO_TOTALS, chosen, halves(splits, len(chosen)), len(chosen), stop)
    return Surprises(splits, values, error_bound(rows, entry_error))


def halves(splits: Longs, count: int) -> Longs:
    """S is the same for a set and for all others. Where both are of one size, the one with
    candidate 0 stands for both, so that rounding cannot tell them apart either."""
    if 2 * splits.shape[1] != count:
        return splits
    chosen = np.zeros((len(splits), count), np.bool_)
    chosen[np.arange(len(splits))[:, None], splits] = True
    chosen ^= ~chosen[:, :1]
    return np.nonzero(chosen)[1].reshape(splits.shape)


def single_surprises(
    blocks: Blocks, count: int, *, entry_error: float | None = None, stop: Stop | None = None
) -> Surprises:
    """S of every split that has one candidate in its serendipity set.

    `blocks` gives the rows in the candidates' order. One pass over them when the first block has
    all; else two, of which the first only adds the rows up: `blocks` is called again, and no block
    is kept.
    """
    singles = np.arange(count, dtype=np.int64)[:, None]
    parts, totals = iter(blocks()), NO_TOTALS
    _, first = next(parts)
    if first.shape[1] == count:
        return split_surprises(first, singles, entry_error=entry_error, stop=stop)
    totals = total_row(chain([first], (rows for _, rows in parts)))
    found, error = list[Floats](), 0.0
    for _, rows in blocks():
        own = np.arange(rows.shape[1], dtype=np.int64)
        found.append(_sums(rows, totals, own, own[:, None], count, stop))
        error = max(error, error_bound(rows, entry_error))
    if sum(map(len, found)) != count:
        raise InvalidNumbers("blocks", NOT_ALL)
    return Surprises(singles, np.concatenate(found), error)


def split_surprise(blocks: Iterable[Block], serendipity: Sequence[int], count: int) -> float:
    """S of one split of any size, from the means of rows that come in the candidates' order."""
    chosen = np.zeros(count, bool)
    chosen[list(serendipity)] = True
    size, seen = int(chosen.sum()), 0
    if not 0 < size < count:
        raise SizeOutOfRange("serendipity", "Both parts must have a candidate.")
    sums = np.zeros((2, 0))
    for _, rows in blocks:
        sums = sums if seen else np.zeros((2, len(rows)))
        for column in range(rows.shape[1]):
            sums[int(chosen[seen])] += rows[:, column]
            seen += 1
    if seen != count:
        raise InvalidNumbers("blocks", NOT_ALL)
    return surprise(sums[1] / size, sums[0] / (count - size))


def total_row(blocks: Iterable[Rows]) -> Floats:
    """The sum of all rows, float64 [V]."""
    totals = NO_TOTALS
    for rows in blocks:
        totals = totals if len(totals) else np.zeros(len(rows))
        for column in range(rows.shape[1]):
            totals += rows[:, column]
    return totals


def gathered(blocks: Iterable[Block], count: int) -> Rows:
    """All rows in one array [V, n]; it takes V * n * 4 or 8 bytes."""
    held: Rows = np.zeros((0, count))
    seen = 0
    for _, rows in blocks:
        held = held if seen else np.zeros((len(rows), count), rows.dtype)
        held[:, seen : seen + rows.shape[1]] = rows
        seen += rows.shape[1]
    if seen != count:
        raise InvalidNumbers("blocks", NOT_ALL)
    return held


def power_of_two(least: int) -> int:
    """The smallest that is not below."""
    return 1 << max(0, least - 1).bit_length()


def error_bound(rows: Rows, entry_error: float | None) -> float:
    """How far S of such rows may be from the exact number."""
    name = rows.dtype.name
    if name not in ARITHMETIC:
        raise InvalidNumbers("rows", "They must be float32 or float64.")
    return ARITHMETIC[name] + SENSITIVITY * (
        ENTRY_ERROR[name] if entry_error is None else entry_error
    )


def check_splits(splits: Longs, count: int) -> None:
    """Compiled code reads the columns that these name."""
    if splits.ndim != 2 or not 0 < splits.shape[1] < count:
        raise SizeOutOfRange("splits", f"From 1 to {count - 1} of {count} candidates are chosen.")
    _check_numbers("splits", splits, count)


def _check_numbers(name: str, numbers: Longs, count: int) -> None:
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
        raise InvalidNumbers(name, f"They are numbered from 0 to {count - 1}.")


def _sums(
    rows: Rows, totals: Floats, columns: Longs, splits: Longs, count: int, stop: Stop | None
) -> Floats:
    """Each range of entities is summed up alone, and the ranges in their order."""
    narrow, lanes = rows.dtype == np.float32, min(LANES, power_of_two(len(rows)))

    def work(first: int, last: int) -> Floats:
        found = np.zeros(len(splits))
        part, whole = rows[first:last], totals[first:last]
        add_range(part, whole, columns, splits, count, narrow, lanes, found)
        return found

    starts = range(0, len(rows), RANGE)
    parts = [(first, min(first + RANGE, len(rows))) for first in starts]
    found: Floats = np.sum(in_threads(work, parts, stop), axis=0) / 4
    if not np.isfinite(found).all():
        raise InvalidNumbers("rows", "An entry is not a number.")
    return np.clip(found, 0.0, 1.0)
