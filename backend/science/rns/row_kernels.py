"""Compiled passes over rows behind S: see `jensen_shannon` for the formula."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_vectorize
from backend.science.rns.fast_log2 import log2_float32, log2_float64

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
RowArray = NDArray[np.floating[Any]]  # float64 or float32 [V, c]: one column per candidate


@jit_vectorize
def add_range(
    rows: RowArray,
    numbers: Longs,
    splits: Longs,
    count: int,
    narrow: bool,
    lanes: int,
    out: Floats,
) -> None:
    """Add 4 S of these entities for each split. Padding entities count as zeros."""
    columns = np.zeros((len(numbers), lanes))
    # Separate arrays: the compiler does not vectorize over rows of one array.
    total, parts = np.zeros(lanes), np.zeros(lanes)
    serendipity, existing = np.zeros(lanes), np.zeros(lanes)
    p, q = np.zeros(lanes, np.float32), np.zeros(lanes, np.float32)
    for start in range(0, len(rows), lanes):
        size = min(lanes, len(rows) - start)
        columns[:, size:] = 0
        take_columns(rows[start : start + size], numbers, columns)
        sum_columns(columns, total)
        for number in range(len(splits)):
            mean_rows(columns, total, splits[number], count, serendipity, existing)
            if narrow:
                p[:], q[:] = serendipity, existing
                divergence_terms_float32(p, q, parts)
            else:
                divergence_terms_float64(serendipity, existing, parts)
            out[number] += pairwise_sum(parts)


@jit_vectorize
def take_columns(rows: RowArray, numbers: Longs, columns: Floats) -> None:
    for number in range(len(columns)):
        source, value = rows[:, numbers[number]], columns[number]
        for place in range(len(source)):
            value[place] = source[place]


@jit_vectorize
def sum_columns(columns: Floats, total: Floats) -> None:
    total[:] = 0
    for number in range(len(columns)):
        column = columns[number]
        for place in range(len(total)):
            total[place] += column[place]


@jit_vectorize
def mean_rows(
    columns: Floats, total: Floats, chosen: Longs, count: int, serendipity: Floats, existing: Floats
) -> None:
    """The means of the chosen rows and of the others, computed from the total."""
    serendipity[:] = 0
    for number in range(len(chosen)):
        column = columns[chosen[number]]
        for place in range(len(serendipity)):
            serendipity[place] += column[place]
    of_chosen, of_others = 1.0 / len(chosen), 1.0 / (count - len(chosen))
    for place in range(len(serendipity)):
        # Rounding may make this slightly negative.
        existing[place] = abs(total[place] - serendipity[place]) * of_others
        serendipity[place] *= of_chosen


@jit_vectorize
def divergence_terms_float32(p: Singles, q: Singles, parts: Floats) -> None:
    for place in range(len(parts)):
        both = p[place] + q[place]
        scale = np.float32(2) / (both + np.float32(1e-37))
        x, y = p[place] * scale, q[place] * scale
        parts[place] = both * (x * log2_float32(x) + y * log2_float32(y))


@jit_vectorize
def divergence_terms_float64(p: Floats, q: Floats, parts: Floats) -> None:
    for place in range(len(parts)):
        both = p[place] + q[place]
        scale = 2.0 / (both + 1e-300)
        x, y = p[place] * scale, q[place] * scale
        parts[place] = both * (x * log2_float64(x) + y * log2_float64(y))


@jit_vectorize
def pairwise_sum(values: Floats) -> float:
    """Pairwise sum of a power of two of values, which it overwrites."""
    width = len(values) // 2
    while width:
        low, high = values[:width], values[width : 2 * width]
        for place in range(width):
            low[place] += high[place]
        width //= 2
    return float(values[0])
