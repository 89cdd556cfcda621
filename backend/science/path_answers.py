"""What a search for paths found, out of the arrays that compiled code wrote it into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.science.ends import Ends
from backend.science.path_kernels import Rules
from backend.science.tallies import FOUND, HIDDEN, KEPT, KINDS, WORK, Tally, best_first

LONGEST = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a path: `along` its direction or against it."""

    edge: int
    relation: int
    along: bool


@dataclass(frozen=True, slots=True)
class Path:
    """entities has one more than steps."""

    weight: float
    entities: tuple[int, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Metapath:
    """A kind of path: the types of its entities, and (relation, along) of its steps.

    A symmetric relation is always along. `found` and `hidden` are how many paths are of it.
    """

    types: tuple[int, ...]
    steps: tuple[tuple[int, bool], ...]
    found: int = 0
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """paths, best first; found of that many, and hidden through hubs beside them.

    complete: whether everything was looked at; if not, all counts are lower bounds. metapaths:
    the kinds with the most paths; others: paths, hidden ones too, of kinds that are not told.
    """

    paths: list[Path] = field(default_factory=list)
    found: int = 0
    hidden: int = 0
    complete: bool = True
    looked_at: int = 0
    metapaths: list[Metapath] = field(default_factory=list)
    others: int = 0


def answer_of(
    rules: Rules, left: Ends, right: Ends, tally: Tally, kinds: int, stopped: bool
) -> Answer:
    counts = tally.counts.tolist()
    metapaths = metapaths_of(tally.kinds[: counts[KINDS]], kinds)
    told = sum(one.found + one.hidden for one in metapaths)
    return Answer(
        list(paths_of(left, right, tally)),
        counts[FOUND],
        counts[HIDDEN],
        not stopped and counts[WORK] < rules.work,
        counts[WORK],
        metapaths,
        counts[FOUND] + counts[HIDDEN] - told,
    )


def paths_of(left: Ends, right: Ends, tally: Tally) -> Iterator[Path]:
    """The kept paths, best first."""
    if not tally.counts[KEPT]:
        return
    order = best_first(tally, left, right)
    hops, i, j, codes, edges = tally.cells[order].T
    first = left.owners[i], left.nodes[i], left.edges[i], left.codes[i]
    last = [np.append(one, -1)[j] for one in (right.nodes, right.owners, right.edges, right.codes)]
    columns = [tally.weights[order], hops, *first, edges, codes, *last]
    for weight, length, s, a, e1, c1, e2, c2, b, t, e3, c3 in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        entities, walked = [s, a, b, t], [(e1, c1), (e2, c2), (e3, c3)]
        if length < LONGEST:
            del entities[2], walked[1]
        if length == 1:
            del entities[2], walked[1]
        yield Path(weight, tuple(entities), tuple(step_of(*one) for one in walked))


def step_of(edge: int, code: int) -> Step:
    return Step(edge, code >> 1, not code & 1)


def metapaths_of(kinds: NDArray[np.int64], limit: int) -> list[Metapath]:
    """Those with the most paths first; then the shorter ones, in the order of their codes."""
    steps, types, found, hidden = kinds.T
    order = np.lexsort((types, steps, -hidden, -found))[:limit]
    return [unpacked(*row) for row in kinds[order].tolist()]


def unpacked(steps: int, types: int, found: int, hidden: int) -> Metapath:
    """The kind behind the two numbers that compiled code counts it under."""
    codes: list[int] = []
    while steps:
        codes.insert(0, (steps & (1 << 18) - 1) - 1)
        steps >>= 18
    kinds = [types >> 16 * place & 0xFFFF for place in range(len(codes), -1, -1)]
    walked = tuple((code >> 1, not code & 1) for code in codes)
    return Metapath(tuple(kinds), walked, found, hidden)
