"""How alike the second-order neighbourhoods of two entities are, before they were linked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.runtime.parallel import parts_between, run_in_threads
from backend.science.importance.dated_links import Floats, Longs, Rows

MAX_PARTS = 16  # each has two marks for every entity


def second_order_jaccard(rows: Rows, pairs: Longs, stop: CancellationToken | None = None) -> Floats:
    """J₂(u, v) of pairs [n, 2]: entities in both N₂(u) and N₂(v) ÷ those in either, 0 without any.

    N₂(u) is the union of the neighbours of u's neighbours, which includes u itself. The rows are
    those before the pairs were linked. Raises IndexError for unknown entities, and Cancelled.
    Source: Dyport, equations 7 and 8.
    """
    if len(pairs) and not 0 <= pairs.min() <= pairs.max() < rows.entity_count:
        raise IndexError(f"entities are numbered from 0 to {rows.entity_count - 1}")
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))  # a first entity is expanded once
    ordered = np.ascontiguousarray(pairs[order])
    result = np.empty(len(pairs))
    parts = np.linspace(0, len(pairs), min(MAX_PARTS, len(pairs)) + 1).astype(int).tolist()

    def compare(first: int, last: int) -> None:
        compare_pairs(rows, ordered, result, first, last)

    run_in_threads(compare, parts_between(parts), stop)
    values = np.empty(len(pairs))
    values[order] = result
    return values


@jit_compile
def compare_pairs(rows: Rows, pairs: Longs, result: Floats, first: int, last: int) -> None:
    count = len(rows.starts)
    of_first, of_second = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    size, stamp = 0, -1
    for at in range(first, last):
        one, other = pairs[at, 0], pairs[at, 1]
        if at == first or one != pairs[at - 1, 0]:
            stamp = at
            size = mark_second_order(rows, one, of_first, stamp)
        common, others = 0, 0
        for place in range(rows.starts[other], rows.ends[other]):
            middle = rows.neighbours[place]
            for step in range(rows.starts[middle], rows.ends[middle]):
                end = rows.neighbours[step]
                if of_second[end] != at:
                    of_second[end] = at
                    others += 1
                    common += of_first[end] == stamp
        union = size + others - common
        result[at] = common / union if union else 0.0


@jit_compile
def mark_second_order(rows: Rows, entity: int, marks: NDArray[np.int64], stamp: int) -> int:
    """How many entities are two steps from one, which get the stamp."""
    size = 0
    for place in range(rows.starts[entity], rows.ends[entity]):
        middle = rows.neighbours[place]
        for step in range(rows.starts[middle], rows.ends[middle]):
            end = rows.neighbours[step]
            if marks[end] != stamp:
                marks[end] = stamp
                size += 1
    return size
