"""Results of a path search, read from the arrays that compiled code filled."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.science.half_paths import HalfPaths
from backend.science.path_accumulator import (
    HIDDEN,
    KINDS,
    STORED,
    TOTAL,
    WORK,
    PathAccumulator,
    sorted_paths,
)
from backend.science.path_kernels import SearchRules

MAX_HOPS = 3


@dataclass(frozen=True, slots=True)
class PathStep:
    """One edge of a path, traversed forward (source to target) or backward."""

    edge: int
    relation: int
    is_forward: bool


@dataclass(frozen=True, slots=True)
class Path:
    """`entities` has one element more than `steps`."""

    weight: float
    entities: tuple[int, ...]
    steps: tuple[PathStep, ...]


@dataclass(frozen=True, slots=True)
class Metapath:
    """A sequence of entity types and of (relation, forward) steps, with the number of its paths.

    A symmetric relation is always forward. hidden_count: paths through hidden hubs.
    """

    types: tuple[int, ...]
    steps: tuple[tuple[int, bool], ...]
    path_count: int = 0
    hidden_count: int = 0


@dataclass(frozen=True, slots=True)
class PathSearchResult:
    """The best paths in order, and the counts of all paths.

    path_count: paths without hidden hubs; hidden_count: paths through them. is_complete: if False,
    the search ended early and all counts are lower bounds. metapaths: those with the most paths;
    other_count: paths, hidden ones included, of the remaining metapaths.
    """

    paths: list[Path] = field(default_factory=list)
    path_count: int = 0
    hidden_count: int = 0
    is_complete: bool = True
    entries_read: int = 0
    metapaths: list[Metapath] = field(default_factory=list)
    other_count: int = 0


def build_result(
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    tally: PathAccumulator,
    kinds: int,
    stopped: bool,
) -> PathSearchResult:
    counts = tally.counts.tolist()
    metapaths = read_metapaths(tally.kinds[: counts[KINDS]], kinds)
    listed = sum(one.path_count + one.hidden_count for one in metapaths)
    return PathSearchResult(
        list(read_paths(left, right, tally)),
        counts[TOTAL],
        counts[HIDDEN],
        not stopped and counts[WORK] < rules.max_work,
        counts[WORK],
        metapaths,
        counts[TOTAL] + counts[HIDDEN] - listed,
    )


def read_paths(left: HalfPaths, right: HalfPaths, tally: PathAccumulator) -> Iterator[Path]:
    """The paths in the heap, best first."""
    if not tally.counts[STORED]:
        return
    order = sorted_paths(tally, left, right)
    hops, i, j, codes, edges = tally.cells[order].T
    first = left.owners[i], left.nodes[i], left.edges[i], left.codes[i]
    last = [np.append(one, -1)[j] for one in (right.nodes, right.owners, right.edges, right.codes)]
    columns = [tally.weights[order], hops, *first, edges, codes, *last]
    for weight, length, s, a, e1, c1, e2, c2, b, t, e3, c3 in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        entities, walked = [s, a, b, t], [(e1, c1), (e2, c2), (e3, c3)]
        if length < MAX_HOPS:
            del entities[2], walked[1]
        if length == 1:
            del entities[2], walked[1]
        steps = tuple(PathStep(edge, code >> 1, not code & 1) for edge, code in walked)
        yield Path(weight, tuple(entities), steps)


def read_metapaths(kinds: NDArray[np.int64], limit: int) -> list[Metapath]:
    """Most paths first; then fewer steps, ordered by code."""
    steps, types, result, hidden = kinds.T
    order = np.lexsort((types, steps, -hidden, -result))[:limit]
    return [decode_metapath(*row) for row in kinds[order].tolist()]


def decode_metapath(steps: int, types: int, out: int, hidden: int) -> Metapath:
    """The metapath encoded in two integers by compiled code."""
    codes: list[int] = []
    while steps:
        codes.insert(0, (steps & (1 << 18) - 1) - 1)
        steps >>= 18
    kinds = [types >> 16 * place & 0xFFFF for place in range(len(codes), -1, -1)]
    walked = tuple((code >> 1, not code & 1) for code in codes)
    return Metapath(tuple(kinds), walked, out, hidden)
