"""Product of a graph's adjacency with a dense block, on all cores.

Rows of a block fill whole cache lines, so a block has 16, 32, 48 … columns of float32. Each row of
a product is computed by one thread, with sums in float64, so the result is bit-identical for any
number of threads.
"""

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.runtime.parallel import run_in_threads
from backend.science.adjacency import Numbers, Offsets
from backend.science.embeddings.undirected_graph import UndirectedGraph
from backend.science.transition.simd import (
    LINE,
    add_row,
    add_scaled_row,
    prefetch_row,
    store_row,
    zero_lanes,
)

Block = NDArray[np.float32]
Floats = NDArray[np.float64]
COLUMNS = LINE // 4
PREFETCH_ENTRIES = np.uint64(48)  # prefetch distance in entries


def check_width(columns: int) -> None:
    if columns < 1 or columns % COLUMNS:
        raise ValueError(f"a block has {COLUMNS} columns, or a multiple of it, not {columns}")


def multiply_block(
    graph: UndirectedGraph,
    scale: Floats,
    given: Block,
    out: Block,
    *,
    times: float = 1.0,
    loops: float = 0.0,
    keep: float = 0.0,
    minus: float = 0.0,
    stop: CancellationToken | None = None,
) -> None:
    """out = times · diag(scale) · (A + loops) · given + keep · given - minus · out.

    In one pass over the links, which A [V, V] counts; `loops` is added on the diagonal. scale
    float64 [V], positive. given and out: C-ordered float32 [V, c], c a multiple of 16, different
    arrays; `aligned_zeros` allocates fast ones. If minus = 0, `out` may be uninitialized. Raises
    Cancelled.
    """
    if given.shape != out.shape or len(given) != graph.entity_count or times == 0:
        raise ValueError("a product needs two blocks with one row per entity")
    check_width(given.shape[1])
    lines = given.shape[1] // COLUMNS
    wide, result = given.reshape(-1, COLUMNS), out.reshape(-1, COLUMNS)

    def part(first: int, last: int) -> None:
        multiply_rows(
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

    run_in_threads(part, graph.parts, stop)


@jit_compile
def multiply_rows(
    offsets: Offsets,
    neighbours: Numbers,
    scale: Floats,
    given: Block,
    out: Block,
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
            lanes, own = zero_lanes(given), np.uint64(entity) * wide + line
            for place in range(low, high):
                ahead = np.uint64(neighbours[min(place + PREFETCH_ENTRIES, end)])
                prefetch_row(given, ahead * wide + line)
                lanes = add_row(lanes, given, np.uint64(neighbours[place]) * wide + line)
            if loops != 0 or keep != 0:
                lanes = add_scaled_row(lanes, given, own, loops + keep / factor)
            if minus != 0:
                lanes = add_scaled_row(lanes, out, own, -minus / factor)
            store_row(out, own, lanes, factor)
