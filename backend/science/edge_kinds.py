"""Edges counted by the type of their source, their relation and the type of their target."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import CHUNK_SIZE, Adjacency

MOST_DENSE = 1 << 22  # kinds that are counted in one array
EdgeKind = tuple[int, int, int]


def count_edge_kinds(
    forward: Adjacency,
    type_of: NDArray[np.uint8] | NDArray[np.uint16],
    counted: NDArray[np.bool_] | None = None,
) -> dict[EdgeKind, int]:
    """(type of the source, relation, type of the target) → number of edges, by relation and types.

    type_of [V]. counted [E]: the edges that count; None for all. Reads the graph once, in chunks of
    edges; parallel edges count each.
    """
    types = int(type_of.max(initial=0)) + 1
    total: Counter[int] = Counter()
    for first in range(0, forward.edge_count, CHUNK_SIZE):
        codes = chunk_codes(forward, type_of, types, first)
        if counted is not None:
            codes = codes[counted[first : first + CHUNK_SIZE]]
        if int(codes.max(initial=0)) < MOST_DENSE:
            counts = np.bincount(codes)
            kinds = np.flatnonzero(counts)
            counts = counts[kinds]
        else:
            kinds, counts = np.unique(codes, return_counts=True)
        for code, count in zip(kinds.tolist(), counts.tolist(), strict=True):
            total[code] += count
    return {split_code(code, types): total[code] for code in sorted(total)}


def chunk_codes(
    forward: Adjacency,
    type_of: NDArray[np.uint8] | NDArray[np.uint16],
    types: int,
    first: int,
) -> NDArray[np.int64]:
    """(relation x types + source type) x types + target type, of CHUNK_SIZE edges."""
    last = min(first + CHUNK_SIZE, forward.edge_count)
    low = int(np.searchsorted(forward.offsets, first, "right")) - 1
    high = int(np.searchsorted(forward.offsets, last, "left"))
    bounds = np.clip(forward.offsets[low : high + 1], first, last)
    sources = np.repeat(type_of[low:high], np.diff(bounds)).astype(np.int64)
    relations = forward.relations[first:last].astype(np.int64)
    targets = type_of[forward.neighbours[first:last]].astype(np.int64)
    codes: NDArray[np.int64] = (relations * types + sources) * types + targets
    return codes


def split_code(code: int, types: int) -> EdgeKind:
    pair, target = divmod(code, types)
    relation, source = divmod(pair, types)
    return source, relation, target
