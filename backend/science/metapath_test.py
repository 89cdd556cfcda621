"""Whether two entities have more paths of a metapath than their degrees explain.

The statistic is the degree-weighted path count, the sum over the paths of a metapath of

    PDP(path) = product over steps (u, r, v) of (d_r(u) · d_r(v)) ** -w        (see `paths`)

The null hypothesis is a graph drawn with the same degrees: pairs of edges of one relation and the
same types exchange their targets (XSwap; Hanhijärvi, Garriga and Puolamäki, SDM 2009), if neither a
self-loop nor a parallel edge arises. So every entity keeps its number of edges of each relation to
and from each type. Between two draws as many exchanges are tried as `TRIES` times the edges of the
metapath's relations. p = (1 + draws with at least the observed count) ÷ (1 + draws), one-sided.
Source: Himmelstein et al., GigaScience 12 (2023), giad047, who fit a distribution to the draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.science.adjacency import Adjacency
from backend.science.path_answers import MAX_HOPS, Metapath
from backend.science.paths import DAMPING

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Types = NDArray[np.uint8] | NDArray[np.uint16]
TRIES, DRAWS = 10, 200
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

    @property
    def z_score(self) -> float | None:
        """(observed - mean) ÷ deviation; None where the draws do not differ."""
        return (self.observed - self.mean) / self.deviation if self.deviation else None


@dataclass(frozen=True)
class RelationEdges:
    """Edges [n] of one relation, in blocks of the same types that start at `bounds`.

    A symmetric relation has each edge once. is_turnable: of each block, whether its edges may have
    their ends in either order, since both are of the same type and the relation is symmetric.
    """

    sources: Longs
    targets: Longs
    bounds: Longs
    is_turnable: NDArray[np.bool_]
    is_symmetric: bool

    @classmethod
    def of(
        cls, forward: Adjacency, relation: int, types: Types, *, is_symmetric: bool
    ) -> RelationEdges:
        places = np.flatnonzero(np.asarray(forward.relations) == relation)
        sources = np.searchsorted(forward.offsets, places, "right").astype(np.int64) - 1
        targets = np.asarray(forward.neighbours)[places].astype(np.int64)
        if is_symmetric:  # edges of the same two types have these in the same order
            turned = types[sources] > types[targets]
            sources, targets = (
                np.where(turned, targets, sources),
                np.where(turned, sources, targets),
            )
        order = np.lexsort((types[targets], types[sources]))
        sources, targets = sources[order], targets[order]
        kinds = types[sources].astype(np.int64) << 16 | types[targets].astype(np.int64)
        starts = np.flatnonzero(np.diff(kinds, prepend=-1))
        alike = types[sources[starts]] == types[targets[starts]]
        bounds = np.append(starts, len(sources))
        return cls(sources, targets, bounds, alike & is_symmetric, is_symmetric)

    def exchange(self, count: int, rng: np.random.Generator) -> int:
        """Change the edges by `TRIES` times as many tried exchanges; how many were made."""
        exchanges = 0
        blocks = zip(self.bounds[:-1], self.bounds[1:], self.is_turnable, strict=True)
        for first, last, is_turnable in blocks:
            size = int(last - first)
            drawn = rng.integers(0, size, (TRIES * size, 2))
            turned = (rng.random(len(drawn)) < 0.5) & is_turnable
            ends = self.sources[first:last], self.targets[first:last]
            exchanges += exchange_targets(*ends, drawn, turned, count, self.is_symmetric)
        return exchanges

    def degrees(self, count: int, *, along: bool) -> Longs:
        """[V]: edges that leave each entity in this direction; both ways if symmetric."""
        leaving = np.bincount(self.sources if along else self.targets, minlength=count)
        if self.is_symmetric:
            leaving += np.bincount(self.targets if along else self.sources, minlength=count)
        return leaving

    def matrix(self, count: int, *, along: bool) -> csr_array[np.float64]:
        """[V, V]: how many edges lead from one entity to another in this direction."""
        ends = (self.sources, self.targets) if along else (self.targets, self.sources)
        if self.is_symmetric:
            is_loop = self.sources == self.targets
            ends = (
                np.concatenate([self.sources, self.targets[~is_loop]]),
                np.concatenate([self.targets, self.sources[~is_loop]]),
            )
        ones = np.ones(len(ends[0]))
        return csr_array((ones, ends), shape=(count, count))


@jit_compile
def exchange_targets(
    sources: Longs,
    targets: Longs,
    drawn: Longs,
    turned: NDArray[np.bool_],
    count: int,
    is_symmetric: bool,
) -> int:
    """Exchange the targets of the drawn pairs of edges where that makes no loop or double."""
    copies = {-1: 0}  # no key, but it has the types of keys
    for at in range(len(sources)):
        key = edge_key(sources[at], targets[at], count, is_symmetric)
        copies[key] = copies[key] + 1 if key in copies else 1
    exchanges = 0
    for at in range(len(drawn)):
        one, other = drawn[at, 0], drawn[at, 1]
        a, b, c, d = sources[one], targets[one], sources[other], targets[other]
        if turned[at]:
            c, d = d, c
        first = edge_key(a, d, count, is_symmetric)
        second = edge_key(c, b, count, is_symmetric)
        if a == d or c == b or first == second or one == other:
            continue
        if (first in copies and copies[first] > 0) or (second in copies and copies[second] > 0):
            continue
        copies[edge_key(a, b, count, is_symmetric)] -= 1
        copies[edge_key(c, d, count, is_symmetric)] -= 1
        copies[first] = 1
        copies[second] = 1
        sources[one], targets[one], sources[other], targets[other] = a, d, c, b
        exchanges += 1
    return exchanges


@jit_compile
def edge_key(source: int, target: int, count: int, is_symmetric: bool) -> int:
    if is_symmetric and target < source:
        return target * count + source
    return source * count + target


@dataclass(frozen=True)
class MetapathGraph:
    """The edges of a metapath's relations; weights [V] of both ends of each step stay as they are,
    since the draws have the same degrees."""

    metapath: Metapath
    types: Types
    edges: dict[int, RelationEdges]
    weights: list[tuple[Floats, Floats]]

    @classmethod
    def of(
        cls,
        forward: Adjacency,
        types: Types,
        symmetric: NDArray[np.uint8],
        metapath: Metapath,
        damping: float,
    ) -> MetapathGraph:
        edges = {
            relation: RelationEdges.of(
                forward, relation, types, is_symmetric=bool(symmetric[relation])
            )
            for relation in sorted({one for one, _ in metapath.steps})
        }
        count, weights = forward.entity_count, []
        for relation, along in metapath.steps:
            degrees = [edges[relation].degrees(count, along=one) for one in (along, not along)]
            left, right = (np.maximum(one, 1.0) ** -damping for one in degrees)
            weights.append((left, right))
        return cls(metapath, types, edges, weights)

    def weighted_count(self, source: int, target: int) -> float:
        """Of paths through distinct entities: those between differ from the ends and each other."""
        count, steps = len(self.types), self.metapath.steps
        matrices = [self.edges[one].matrix(count, along=along) for one, along in steps]
        between = []
        for kind in self.metapath.types[1:-1]:
            allowed = (self.types == kind).astype(np.float64)
            allowed[[source, target]] = 0
            between.append(allowed)
        reached = np.zeros(count)
        reached[source] = 1
        for at, (matrix, (left, right)) in enumerate(zip(matrices, self.weights, strict=True)):
            leaving = reached * left
            reached = np.asarray(matrix.T @ leaving) * right
            if 0 < at < len(steps) - 1:
                reached -= matrix.diagonal() * leaving * right
            if at < len(between):
                reached *= between[at]
        return float(reached[target])

    def exchange(self, rng: np.random.Generator) -> int:
        return sum(one.exchange(len(self.types), rng) for one in self.edges.values())


def permute_metapath(
    forward: Adjacency,
    types: Types,
    symmetric: NDArray[np.uint8],
    metapath: Metapath,
    ends: tuple[int, int],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    damping: float = DAMPING,
    stop: CancellationToken | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> MetapathResult:
    """Of the paths from the first to the second of two different entities, of the metapath's ends.

    types [V], symmetric [relations] (0 or 1). The draws are a chain that starts at the graph. Time
    and memory grow with the edges of the relations. progress: gets the share of the draws before
    each. Raises ValueError for equal ends, those of
    other types, no draw or a metapath outside 1 to 3 steps, IndexError for unknown entities, and
    Cancelled.
    """
    source, target = ends
    if not 0 <= min(ends) <= max(ends) < forward.entity_count:
        raise IndexError(f"entities are numbered from 0 to {forward.entity_count - 1}")
    if source == target or (types[source], types[target]) != metapath.types[:: len(metapath.steps)]:
        raise ValueError("a metapath is tested between two entities of the types of its ends")
    if draws < 1 or not 1 <= len(metapath.steps) <= MAX_HOPS:
        raise ValueError(f"a test has draws, and a metapath of 1 to {MAX_HOPS} steps")
    graph = MetapathGraph.of(forward, types, symmetric, metapath, damping)
    observed = graph.weighted_count(source, target)
    rng = np.random.default_rng([seed, STREAM])
    counts, exchanges = np.empty(draws), 0
    for at in range(draws):
        if stop is not None:
            stop.raise_if_cancelled()
        progress(at / draws)
        exchanges += graph.exchange(rng)
        counts[at] = graph.weighted_count(source, target)
    as_high = int((counts >= observed * (1 - EQUAL)).sum())
    tried = TRIES * draws * sum(len(one.sources) for one in graph.edges.values())
    return MetapathResult(
        observed,
        draws,
        as_high,
        float(counts.mean()),
        float(counts.std(ddof=1)) if draws > 1 else None,
        (1 + as_high) / (1 + draws),
        exchanges / tried if tried else 0.0,
    )
