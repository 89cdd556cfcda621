"""How much each edge counts, from what its source says about it (SerenQA, appendix D.3).

An edge may have a score, a p-value and a level of expression. Each is brought to 0..1 by the least
and the greatest value that its relation has (all to 1 where they are the same), a p-value as
-log10(max(p, 1e-300)). The mean m of those that an edge has gives its weight 0.01 + 0.99 m, so that
no edge is cut by it; an edge that has none counts 1. Parallel edges count each, so that the weight
of a link is their sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Relations
from backend.science.compiled import compiled

LEAST = 0.01
SMALLEST_P = 1e-300
LEVELS = {"not detected": 0.0, "low": 1.0, "medium": 2.0, "high": 3.0}
STEP = 1 << 22  # edges that are looked at in one go
Floats = NDArray[np.float64]
Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]


def strengths_of(levels: Sequence[str]) -> Floats:
    """What the names of levels stand for, by code; NaN for a name that is none of LEVELS."""
    return np.array([LEVELS.get(name.strip().lower(), np.nan) for name in levels], np.float64)


def link_weights(
    relations: Relations,
    *,
    scores: NDArray[np.float32] | Floats | None = None,
    p_values: Floats | None = None,
    levels: Codes | None = None,
    strengths: Floats | None = None,
    into: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """float32 [E], from LEAST to 1, in the order of the edges.

    relations  [E]; scores and p_values [E], NaN where an edge has none
    levels     codes [E], which `strengths` says the meaning of, NaN for none (see strengths_of)
    into       where the weights go, such as a memory map for a graph that is larger than memory

    Raises ValueError for an infinite score, a p-value outside 0..1 or a code without a strength.
    """
    found = np.empty(len(relations), np.float32) if into is None else into
    if found.shape != relations.shape or found.dtype != np.float32:
        raise ValueError(f"weights: {len(relations)} elements of float32 are expected")
    told = Measures(len(relations), scores, p_values, levels, strengths)
    ranges = np.full((3, int(np.iinfo(relations.dtype).max) + 1, 2), np.nan)
    for first in range(0, len(found), STEP):
        some = slice(first, first + STEP)
        widen(ranges, relations[some], told.part(some))
    for first in range(0, len(found), STEP):
        some = slice(first, first + STEP)
        weigh_edges(ranges, relations[some], told.part(some), found[some])
    return found


class Measures:
    """What the edges have, as numbers of which more is stronger and NaN is nothing."""

    def __init__(
        self,
        count: int,
        scores: NDArray[np.float32] | Floats | None,
        p_values: Floats | None,
        levels: Codes | None,
        strengths: Floats | None,
    ) -> None:
        given = {"scores": scores, "p_values": p_values, "levels": levels}
        for name, array in given.items():
            if array is not None and array.shape != (count,):
                raise ValueError(f"{name}: {count} elements are expected")
        if (levels is None) != (strengths is None):
            raise ValueError("levels need strengths, and strengths levels")
        self.count, self.scores, self.p_values = count, scores, p_values
        self.levels, self.strengths = levels, strengths

    def part(self, some: slice) -> Floats:
        """float64 [3, edges] of some edges."""
        nothing = np.full(len(range(self.count)[some]), np.nan)
        found = (self.part_of_scores(some), self.part_of_p_values(some), self.part_of_levels(some))
        return np.array([nothing if one is None else one for one in found])

    def part_of_scores(self, some: slice) -> Floats | None:
        if self.scores is None:
            return None
        scores = self.scores[some].astype(np.float64)
        if np.isinf(scores).any():
            raise ValueError("a score is a finite number")
        return scores

    def part_of_p_values(self, some: slice) -> Floats | None:
        if self.p_values is None:
            return None
        values = self.p_values[some].astype(np.float64)
        if ((values < 0) | (values > 1)).any():
            raise ValueError("a p-value is from 0 to 1")
        found: Floats = -np.log10(np.maximum(values, SMALLEST_P))
        return found

    def part_of_levels(self, some: slice) -> Floats | None:
        if self.levels is None or self.strengths is None:
            return None
        codes = self.levels[some]
        if len(codes) and int(codes.max()) >= len(self.strengths):
            raise ValueError(f"the level {codes.max()} has no strength")
        return self.strengths[codes]


@compiled
def widen(ranges: Floats, relations: Relations, measures: Floats) -> None:
    """Let ranges [measures, relations, least and greatest] hold what the edges have."""
    for number in range(len(measures)):
        for edge in range(len(relations)):
            value = measures[number, edge]
            if np.isnan(value):
                continue
            held = ranges[number, relations[edge]]
            if not held[0] <= value:
                held[0] = value
            if not held[1] >= value:
                held[1] = value


@compiled
def weigh_edges(
    ranges: Floats, relations: Relations, measures: Floats, found: NDArray[np.float32]
) -> None:
    for edge in range(len(relations)):
        total, count = 0.0, 0
        for number in range(len(measures)):
            value = measures[number, edge]
            if np.isnan(value):
                continue
            least, most = ranges[number, relations[edge]]
            # halves, for the difference of two numbers may be too large for one
            span = most / 2 - least / 2
            total += (value / 2 - least / 2) / span if span > 0 else 1.0
            count += 1
        found[edge] = LEAST + (1 - LEAST) * (total / count) if count else 1.0
