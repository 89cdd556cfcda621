"""Whether two entities have more paths of a metapath than their degrees explain.

The statistic is the degree-weighted path count, the sum over the paths of a metapath of

    PDP(path) = product over steps (u, r, v) of (d_r(u) · d_r(v)) ** -w        (see `paths`)

The null hypothesis is a graph drawn with the same degrees (see `edge_exchange`). Between two draws
as many exchanges are tried as `TRIES` times the edges. p = (1 + draws with at least the observed
count) ÷ (1 + draws), one-sided. Source: Himmelstein et al., GigaScience 12 (2023), giad047, who fit
a distribution to the draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.science.adjacency import Adjacency
from backend.science.edge_exchange import Floats, RelationEdges, Types
from backend.science.edge_kinds import EdgeKind
from backend.science.path_answers import MAX_HOPS, Metapath
from backend.science.paths import DAMPING

DRAWS = 1_000
EQUAL = 1e-9  # relative: sums of the same products differ by their order
STREAM = 5  # of the seeds of this package


@dataclass(frozen=True, slots=True)
class MetapathResult:
    """observed: the degree-weighted path count. mean, deviation: of the draws; deviation is None
    of one.

    as_high: draws with at least the observed count. exchanged: share of tried exchanges that were
    made; near 0 the draws are the graph itself, and p is no evidence.
    """

    observed: float
    draws: int
    as_high: int
    mean: float
    deviation: float | None
    p_value: float
    exchanged: float

    @classmethod
    def of(cls, observed: float, counts: Floats, exchanged: float) -> MetapathResult:
        """counts [draws]: the degree-weighted path count of each."""
        as_high, draws = int((counts >= observed * (1 - EQUAL)).sum()), len(counts)
        deviation = float(counts.std(ddof=1)) if draws > 1 else None
        mean, p_value = float(counts.mean()), (1 + as_high) / (1 + draws)
        return cls(observed, draws, as_high, mean, deviation, p_value, exchanged)

    @property
    def z_score(self) -> float | None:
        """(observed - mean) ÷ deviation; None where the draws differ by rounding at most."""
        rounding = EQUAL * max(abs(self.observed), abs(self.mean))
        if self.deviation is None or self.deviation <= rounding:
            return None
        return (self.observed - self.mean) / self.deviation


class PermutedGraph:
    """The edges of some relations, which a draw exchanges; all metapaths are counted on one draw.

    The exchanges of a relation have random numbers of their own, so that a metapath has the same
    draws whichever others are tested with it.
    """

    def __init__(
        self,
        forward: Adjacency,
        types: Types,
        symmetric: NDArray[np.uint8],
        relations: Sequence[int],
        seed: int,
    ) -> None:
        """types [V], symmetric [relations] (0 or 1)."""
        self.types = types
        self.edges = {
            one: RelationEdges.of(forward, one, types, is_symmetric=bool(symmetric[one]))
            for one in relations
        }
        self.exchanges = dict.fromkeys(relations, 0)
        self._rngs = {one: np.random.default_rng([seed, STREAM, one]) for one in relations}

    def exchange(self, stop: CancellationToken | None = None) -> None:
        """Raises Cancelled."""
        for relation, edges in self.edges.items():
            self.exchanges[relation] += edges.exchange(self._rngs[relation], stop)

    def exchanged(self, metapath: Metapath, draws: int) -> float:
        """The share of the tried exchanges of the metapath's relations that were made."""
        relations = {relation for relation, _ in metapath.steps}
        tried = draws * sum(self.edges[one].tries for one in relations)
        return sum(self.exchanges[one] for one in relations) / tried if tried else 0.0


class PathCounter:
    """Counts the paths of a metapath between two entities, weighted by degrees.

    Weights [V] of both ends of each step stay as they are, since draws have the same degrees.
    """

    def __init__(
        self, graph: PermutedGraph, metapath: Metapath, ends: tuple[int, int], damping: float
    ) -> None:
        self._graph, self._steps, (self._source, self._target) = graph, metapath.steps, ends
        self._weights: list[tuple[Floats, Floats]] = []
        for relation, along in metapath.steps:
            edges = graph.edges[relation]
            degrees = [edges.degrees(along=one) for one in (along, not along)]
            left, right = (np.maximum(one, 1.0) ** -damping for one in degrees)
            self._weights.append((left, right))
        self._between: list[Floats] = []
        for kind in metapath.types[1:-1]:
            allowed = (graph.types == kind).astype(np.float64)
            allowed[[*ends]] = 0
            self._between.append(allowed)

    def count(self) -> float:
        """Of paths through distinct entities: those between differ from the ends and each other."""
        reached = np.zeros(len(self._graph.types))
        reached[self._source] = 1
        for at, ((relation, along), (left, right)) in enumerate(
            zip(self._steps, self._weights, strict=True)
        ):
            edges, leaving = self._graph.edges[relation], reached * left
            reached = edges.carry(leaving, along=along) * right
            if 0 < at < len(self._steps) - 1:
                reached -= edges.loops() * leaving * right
            if at < len(self._between):
                reached *= self._between[at]
        return float(reached[self._target])


def permute_metapaths(
    forward: Adjacency,
    types: Types,
    symmetric: NDArray[np.uint8],
    metapaths: Sequence[Metapath],
    ends: tuple[int, int],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    damping: float = DAMPING,
    stop: CancellationToken | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> list[MetapathResult]:
    """Of the paths of each metapath from the first to the second of two different entities.

    types [V], symmetric [relations] (0 or 1). The draws are a chain that starts at the graph. Time
    and memory grow with the edges of all relations of the metapaths. progress: gets the share of
    the draws before each. Raises ValueError for equal ends, those of other types, no draw or a
    metapath outside 1 to 3 steps, IndexError for unknown entities, and Cancelled.
    """
    _check(forward, types, metapaths, ends, draws)
    relations = sorted({relation for kind in metapaths for relation, _ in kind.steps})
    graph = PermutedGraph(forward, types, symmetric, relations, seed)
    counters = [PathCounter(graph, kind, ends, damping) for kind in metapaths]
    observed = [one.count() for one in counters]
    counts = np.empty((draws, len(metapaths)))
    for at in range(draws):
        progress(at / draws)
        graph.exchange(stop)
        counts[at] = [one.count() for one in counters]
    return [
        MetapathResult.of(value, column, graph.exchanged(kind, draws))
        for value, column, kind in zip(observed, counts.T, metapaths, strict=True)
    ]


def count_metapaths(
    kinds: Iterable[EdgeKind],
    symmetric: NDArray[np.uint8],
    ends: tuple[int, int],
    hops: int,
) -> int:
    """Metapaths of at most so many steps from one type to another, over edges of these kinds."""
    steps = {(source, relation, True, target) for source, relation, target in kinds}
    steps |= {(t, relation, bool(symmetric[relation]), s) for s, relation, _, t in steps}
    ways = {ends[0]: 1}
    total = 0
    for _ in range(hops):
        longer: Counter[int] = Counter()
        for source, _relation, _along, target in steps:
            longer[target] += ways.get(source, 0)
        ways = longer
        total += ways[ends[1]]
    return total


def _check(
    forward: Adjacency,
    types: Types,
    metapaths: Sequence[Metapath],
    ends: tuple[int, int],
    draws: int,
) -> None:
    if not 0 <= min(ends) <= max(ends) < forward.entity_count:
        raise IndexError(f"entities are numbered from 0 to {forward.entity_count - 1}")
    of_ends = (types[ends[0]], types[ends[1]])
    if ends[0] == ends[1] or any(one.types[:: len(one.steps)] != of_ends for one in metapaths):
        raise ValueError("a metapath is tested between two entities of the types of its ends")
    if draws < 1 or not all(1 <= len(one.steps) <= MAX_HOPS for one in metapaths):
        raise ValueError(f"a test has draws, and a metapath of 1 to {MAX_HOPS} steps")
