"""The passes over rows behind S, in compiled code: see `divergence` for what they add up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import vectorised
from backend.science.rns.logarithms import log2_double, log2_single

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]
Rows = NDArray[np.floating[Any]]  # float64 or float32 [V, c]: one column a candidate


@vectorised
def add_range(
    rows: Rows,
    totals: Floats,
    numbers: Longs,
    splits: Longs,
    count: int,
    narrow: bool,
    lanes: int,
    out: Floats,
) -> None:
    """Add 4 S of these entities for each split. Entities behind the last count as zeros."""
    columns = np.zeros((len(numbers), lanes))
    # Each is an array of its own: over rows of one array the compiler makes no vectors.
    total, parts = np.zeros(lanes), np.zeros(lanes)
    serendipity, existing = np.zeros(lanes), np.zeros(lanes)
    p, q = np.zeros(lanes, np.float32), np.zeros(lanes, np.float32)
    for start in range(0, len(rows), lanes):
        size = min(lanes, len(rows) - start)
        columns[:, size:] = 0
        take_columns(rows[start : start + size], numbers, columns)
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
def take_columns(rows: Rows, numbers: Longs, columns: Floats) -> None:
    for number in range(len(columns)):
        source, held = rows[:, numbers[number]], columns[number]
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
