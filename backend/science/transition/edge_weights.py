"""Edge weights from scores, p-values and expression levels (SerenQA, appendix D.3).

Each measure is scaled to 0..1 by the minimum and maximum within its relation (all 1 if they are
equal), a p-value as -log10(max(p, 1e-300)). The mean m of the measures that an edge has gives the
weight 0.01 + 0.99 m, so that no edge is removed; an edge without measures has weight 1. Parallel
edges count separately, so the weight of a link is their sum.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.science.adjacency import Relations

MIN_WEIGHT = 0.01
SMALLEST_P = 1e-300
LEVELS = {"not detected": 0.0, "low": 1.0, "medium": 2.0, "high": 3.0}
CHUNK_SIZE = 1 << 22  # edges per step
Floats = NDArray[np.float64]
Chosen = slice | NDArray[np.int64]  # of edges
Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]


def level_strengths(levels: Sequence[str]) -> Floats:
    """Strength of each level name, by code; NaN for names that are not in LEVELS."""
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
    """float32 [E], from MIN_WEIGHT to 1, in edge order.

    relations  [E]; scores and p_values [E], NaN where an edge has none
    levels     codes [E] into `strengths`, NaN for none (see level_strengths)
    into       output array, such as a memory map for a graph larger than memory

    Raises ValueError for an infinite score, a p-value outside 0..1 or a code without a strength.
    """
    result = np.empty(len(relations), np.float32) if into is None else into
    if result.shape != relations.shape or result.dtype != np.float32:
        raise ValueError(f"weights: {len(relations)} elements of float32 are expected")
    measures = EdgeMeasures(len(relations), scores, p_values, levels, strengths)
    ranges = measure_ranges(relations, measures)
    for first in range(0, len(result), CHUNK_SIZE):
        some = slice(first, first + CHUNK_SIZE)
        weigh_edges(ranges, relations[some], measures.read(some), result[some])
    return result


def measure_ranges(relations: Relations, measures: "EdgeMeasures") -> Floats:
    """float64 [3, relations, 2]: minimum and maximum of each measure in a relation, NaN for none.

    Reads the graph once, in chunks of edges. Raises as link_weights does.
    """
    ranges = np.full((3, int(np.iinfo(relations.dtype).max) + 1, 2), np.nan)
    for first in range(0, measures.count, CHUNK_SIZE):
        some = slice(first, first + CHUNK_SIZE)
        widen_ranges(ranges, relations[some], measures.read(some))
    return ranges


class EdgeMeasures:
    """Measures of the edges as numbers; greater is stronger, NaN is missing."""

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

    def read(self, some: Chosen) -> Floats:
        """float64 [3, edges] of these edges."""
        count = len(range(self.count)[some]) if isinstance(some, slice) else len(some)
        nothing = np.full(count, np.nan)
        result = (self.read_scores(some), self.read_p_values(some), self.read_levels(some))
        return np.array([nothing if one is None else one for one in result])

    def read_scores(self, some: Chosen) -> Floats | None:
        if self.scores is None:
            return None
        scores = self.scores[some].astype(np.float64)
        if np.isinf(scores).any():
            raise ValueError("a score must be finite")
        return scores

    def read_p_values(self, some: Chosen) -> Floats | None:
        if self.p_values is None:
            return None
        values = self.p_values[some].astype(np.float64)
        if ((values < 0) | (values > 1)).any():
            raise ValueError("a p-value must be from 0 to 1")
        result: Floats = -np.log10(np.maximum(values, SMALLEST_P))
        return result

    def read_levels(self, some: Chosen) -> Floats | None:
        if self.levels is None or self.strengths is None:
            return None
        codes = self.levels[some]
        if len(codes) and int(codes.max()) >= len(self.strengths):
            raise ValueError(f"the level {codes.max()} has no strength")
        return self.strengths[codes]


@jit_compile
def widen_ranges(ranges: Floats, relations: Relations, measures: Floats) -> None:
    """Extend ranges [measures, relations, (min, max)] by the measures of these edges."""
    for number in range(len(measures)):
        for edge in range(len(relations)):
            value = measures[number, edge]
            if np.isnan(value):
                continue
            values = ranges[number, relations[edge]]
            if not values[0] <= value:
                values[0] = value
            if not values[1] >= value:
                values[1] = value


@jit_compile
def weigh_edges(
    ranges: Floats, relations: Relations, measures: Floats, out: NDArray[np.float32]
) -> None:
    for edge in range(len(relations)):
        total, count = 0.0, 0
        for number in range(len(measures)):
            value = measures[number, edge]
            if np.isnan(value):
                continue
            least, most = ranges[number, relations[edge]]
            # halves: the difference of two finite numbers may overflow
            span = most / 2 - least / 2
            total += (value / 2 - least / 2) / span if span > 0 else 1.0
            count += 1
        out[edge] = MIN_WEIGHT + (1 - MIN_WEIGHT) * (total / count) if count else 1.0
