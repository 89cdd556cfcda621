"""Surprise S: the Jensen-Shannon divergence (base 2) of the mean P_k rows of two sets.

For p and q with s = p + q, an entity adds (s/4) (x log2 x + y log2 y), x = 2p/s, y = 2q/s: never
negative and at most s/2, so S is from 0 to 1. Rows may be float32 or float64; means and sums are
always float64, over fixed ranges of entities, so that the same rows give the same bytes whatever
the number of threads.

The error of S has two parts. Where every entry of the rows is right up to a factor 1 +- e, S is
right to 1.06 e, since the sum of |dS / d log p| is at most 1.05. The arithmetic adds at most 18
half-steps of float32, or 1e-13 in float64 (docs/rns.md has the sums).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import vectorised
from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange
from backend.science.rns.logarithms import log2_double, log2_single

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
Rows = NDArray[np.float64] | NDArray[np.float32]  # [V, c]: one column a candidate
Block = tuple[Longs, Rows]  # which candidates the columns are, counted from 0
Blocks = Callable[[], Iterable[Block]]

LANES: Final = 1024  # entities looked at together: all buffers stay in the first cache
RANGE: Final = 128 * LANES  # entities summed up together
SENSITIVITY: Final = 1.06
ARITHMETIC: Final = {"float32": 18 * 2.0**-24 + 1e-13, "float64": 1e-13}
ENTRY_ERROR: Final = {"float32": 2.0**-21, "float64": 2.0**-50}
NO_TOTALS: Final = np.empty(0)


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
    rows: Rows, splits: Longs, *, entry_error: float | None = None, threads: int = 1
) -> Surprises:
    """S of some splits of n candidates, from all their rows [V, n] in one pass.

    `entry_error` bounds the relative error of each entry; by default eight half-steps.
    """
    check_splits(splits, rows.shape[1])
    values = _sums(rows, NO_TOTALS, splits, rows.shape[1], threads)
    return Surprises(splits, values, error_bound(rows, entry_error))


def single_surprises(
    blocks: Blocks, count: int, *, entry_error: float | None = None, threads: int = 1
) -> Surprises:
    """S of every split that has one candidate in its serendipity set.

    One pass over the rows when the first block has all of them; else two, of which the first only
    adds the rows up: `blocks` is then called twice, and no block is kept.
    """
    if count < 2:
        raise SizeOutOfRange("count", "Two candidates or more can be split.")
    first = next(iter(blocks()))
    whole = len(first[0]) == count
    totals = NO_TOTALS if whole else total_row(blocks())
    found, error = np.full(count, np.nan), 0.0
    for columns, rows in [first] if whole else blocks():
        splits = np.arange(len(columns), dtype=np.int64)[:, None]
        found[columns] = _sums(rows, totals, splits, count, threads)
        error = max(error, error_bound(rows, entry_error))
    if np.isnan(found).any():
        raise InvalidNumbers("blocks", "They do not hold a row of every candidate.")
    return Surprises(np.arange(count, dtype=np.int64)[:, None], found, error)


def split_surprise(blocks: Iterable[Block], serendipity: Sequence[int], count: int) -> float:
    """S of one split of any size, from the means of rows that come in blocks."""
    chosen = np.zeros(count, bool)
    chosen[list(serendipity)] = True
    size = int(chosen.sum())
    if not 0 < size < count:
        raise SizeOutOfRange("serendipity", "Both parts must have a candidate.")
    sums: Floats | None = None
    for columns, rows in blocks:
        sums = np.zeros((2, len(rows))) if sums is None else sums
        for column, candidate in enumerate(columns.tolist()):
            sums[int(chosen[candidate])] += rows[:, column]
    if sums is None:
        raise InvalidNumbers("blocks", "They do not hold a row of every candidate.")
    return surprise(sums[1] / size, sums[0] / (count - size))


def total_row(blocks: Iterable[Block]) -> Floats:
    """The sum of all rows, float64 [V]."""
    totals = NO_TOTALS
    for columns, rows in blocks:
        if not len(totals):
            totals = np.zeros(len(rows))
        for column in range(len(columns)):
            totals += rows[:, column]
    return totals


def gathered(blocks: Iterable[Block], count: int) -> Rows:
    """All rows in one array [V, n]; it takes V * n * 4 or 8 bytes."""
    held: Rows | None = None
    for columns, rows in blocks:
        if held is None:
            held = np.zeros((len(rows), count), rows.dtype)
        held[:, columns] = rows
    if held is None:
        raise InvalidNumbers("blocks", "They do not hold a row of every candidate.")
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
    if splits.size and not 0 <= splits.min() <= splits.max() < count:
        raise InvalidNumbers("splits", f"Candidates are numbered from 0 to {count - 1}.")


def _sums(rows: Rows, totals: Floats, splits: Longs, count: int, threads: int) -> Floats:
    """Each range of entities is summed up alone, and the ranges in their order."""
    starts = range(0, len(rows), RANGE)
    sums = np.zeros((len(starts), len(splits)))
    narrow, lanes = rows.dtype == np.float32, min(LANES, power_of_two(len(rows)))

    def add(number: int) -> None:
        first = starts[number]
        part = slice(first, first + RANGE)
        add_range(rows[part], totals[part], splits, count, narrow, lanes, sums[number])

    if threads == 1 or len(starts) == 1:
        list(map(add, range(len(starts))))
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(add, range(len(starts))))
    found: Floats = sums.sum(axis=0) / 4
    if not np.isfinite(found).all():
        raise InvalidNumbers("rows", "An entry is not a number.")
    return np.clip(found, 0.0, 1.0)


@vectorised
def add_range(
    rows: Rows, totals: Floats, splits: Longs, count: int, narrow: bool, lanes: int, out: Floats
) -> None:
    """Add 4 S of these entities for each split. Entities behind the last count as zeros."""
    columns = np.zeros((rows.shape[1], lanes))
    # Each is an array of its own: over rows of one array the compiler makes no vectors.
    total, parts = np.zeros(lanes), np.zeros(lanes)
    serendipity, existing = np.zeros(lanes), np.zeros(lanes)
    p, q = np.zeros(lanes, np.float32), np.zeros(lanes, np.float32)
    for start in range(0, len(rows), lanes):
        size = min(lanes, len(rows) - start)
        columns[:, size:] = 0
        take_columns(rows[start : start + size], columns)
        if len(totals):
            total[size:] = 0
            total[:size] = totals[start : start + size]
        else:
            add_up(columns, total)
        for number in range(len(splits)):
            means(columns, total, splits[number], count, serendipity, existing)
            if narrow:
                p[:], q[:] = serendipity, existing
                parts_single(p, q, parts)
            else:
                parts_double(serendipity, existing, parts)
            out[number] += halved(parts)


@vectorised
def take_columns(rows: Rows, columns: Floats) -> None:
    for number in range(len(columns)):
        source, held = rows[:, number], columns[number]
        for place in range(len(source)):
            held[place] = source[place]


@vectorised
def add_up(columns: Floats, total: Floats) -> None:
    total[:] = 0
    for number in range(len(columns)):
        column = columns[number]
        for place in range(len(total)):
            total[place] += column[place]


@vectorised
def means(
    columns: Floats, total: Floats, chosen: Longs, count: int, serendipity: Floats, existing: Floats
) -> None:
    """The means of the chosen rows and of the others, which are what is left of the total."""
    serendipity[:] = 0
    for number in range(len(chosen)):
        column = columns[chosen[number]]
        for place in range(len(serendipity)):
            serendipity[place] += column[place]
    of_chosen, of_others = 1.0 / len(chosen), 1.0 / (count - len(chosen))
    for place in range(len(serendipity)):
        # Rounding may leave less than nothing.
        existing[place] = abs(total[place] - serendipity[place]) * of_others
        serendipity[place] *= of_chosen


@vectorised
def parts_single(p: Singles, q: Singles, parts: Floats) -> None:
    for place in range(len(parts)):
        both = p[place] + q[place]
        scale = np.float32(2) / (both + np.float32(1e-37))
        x, y = p[place] * scale, q[place] * scale
        parts[place] = both * (x * log2_single(x) + y * log2_single(y))


@vectorised
def parts_double(p: Floats, q: Floats, parts: Floats) -> None:
    for place in range(len(parts)):
        both = p[place] + q[place]
        scale = 2.0 / (both + 1e-300)
        x, y = p[place] * scale, q[place] * scale
        parts[place] = both * (x * log2_double(x) + y * log2_double(y))


@vectorised
def halved(values: Floats) -> float:
    """Their sum, by adding one half to the other; it overwrites them. A power of 2 in number."""
    width = len(values) // 2
    while width:
        low, high = values[:width], values[width : 2 * width]
        for place in range(width):
            low[place] += high[place]
        width //= 2
    return float(values[0])
