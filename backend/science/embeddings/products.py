"""A graph times a dense block, on all cores: what every embedding here spends its time on.

Rows of a block fill whole lines of the cache, so a block has 16, 32, 48 … columns of float32.
Each row of a product is one thread's work, from its beginning to its end, with sums in float64:
the same bytes come out whatever the number of threads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Numbers, Offsets
from backend.science.compiled import compiled
from backend.science.embeddings.undirected import Undirected
from backend.science.stopping import Stop
from backend.science.threads import in_threads
from backend.science.transition.lanes import LINE, fetch, nothing, plus, plus_times, store

Block = NDArray[np.float32]
Floats = NDArray[np.float64]
COLUMNS = LINE // 4
AHEAD = np.uint64(48)  # entries between asking the memory for a row and needing it


def check_width(columns: int) -> None:
    if columns < 1 or columns % COLUMNS:
        raise ValueError(f"a block has {COLUMNS} columns, or a multiple of it, and not {columns}")


def multiply(
    graph: Undirected,
    scale: Floats,
    given: Block,
    made: Block,
    *,
    times: float = 1.0,
    loops: float = 0.0,
    keep: float = 0.0,
    minus: float = 0.0,
    stop: Stop | None = None,
) -> None:
    """made = times · diag(scale) · (A + loops) · given + keep · given - minus · made.

    In one pass over the links, which A [V, V] counts; `loops` stands for that many times 1.
    scale float64 [V], all above 0. given and made: C-ordered float32 [V, c], c a multiple of 16,
    different arrays; `aligned` makes the fast ones. Where the old `made` is not wanted
    (minus = 0) it may hold anything. Raises Stopped.
    """
    if given.shape != made.shape or len(given) != graph.entity_count or times == 0:
        raise ValueError("a product needs two blocks of a row for each entity")
    check_width(given.shape[1])
    lines = given.shape[1] // COLUMNS
    wide, result = given.reshape(-1, COLUMNS), made.reshape(-1, COLUMNS)

    def part(first: int, last: int) -> None:
        pull(
            graph.offsets,
            graph.neighbours,
            scale,
            wide,
            result,
            lines,
            times,
            loops,
            keep,
            minus,
            first,
            last,
        )

    in_threads(part, graph.parts, stop)


@compiled
def pull(
    offsets: Offsets,
    neighbours: Numbers,
    scale: Floats,
    given: Block,
    made: Block,
    lines: int,
    times: float,
    loops: float,
    keep: float,
    minus: float,
    first: int,
    last: int,
) -> None:
    wide, end = np.uint64(lines), np.uint64(max(len(neighbours), 1) - 1)
    for entity in range(first, last):
        factor = times * scale[entity]
        low, high = np.uint64(offsets[entity]), np.uint64(offsets[entity + 1])
        for line in range(wide):
            lanes, own = nothing(given), np.uint64(entity) * wide + line
            for place in range(low, high):
                ahead = np.uint64(neighbours[min(place + AHEAD, end)])
                fetch(given, ahead * wide + line)
                lanes = plus(lanes, given, np.uint64(neighbours[place]) * wide + line)
            if loops != 0 or keep != 0:
                lanes = plus_times(lanes, given, own, loops + keep / factor)
            if minus != 0:
                lanes = plus_times(lanes, made, own, -minus / factor)
            store(made, own, lanes, factor)
