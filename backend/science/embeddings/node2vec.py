"""Vectors of entities by which the entities near them on random walks are predicted.

Walks are of second order: from `before` over `here`, a neighbour x of `here` is next in proportion
to 1 / p if x is `before`, to 1 if x is linked to `before`, and to 1 / q otherwise. Every linked
entity starts as many walks. The vectors maximise, over the pairs (i, j) at most `window` steps
apart, skip-gram's objective with k replaced entities r,

    log s(u_i · c_j) + Σ_r log s(-u_i · c_r),   s(x) = 1 / (1 + exp(-x))

by steps of a rate that falls linearly to a ten-thousandth of its start. r is drawn in proportion to
degree^0.75, among entities of j's type where types are given. The window of each i is drawn
uniformly from 1 to `window`, as in word2vec. One thread and a generator of its own (SplitMix64), so
that the same seed gives the same bytes on the same machine. An entity without links has no vector.
Sources: Grover and Leskovec, KDD 2016; Mikolov et al., NeurIPS 2013; with types, the negatives of
metapath2vec++ (Dong, Chawla and Swami, KDD 2017).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.checkpoint import Checkpoint
from backend.runtime.jit import jit_compile
from backend.science.adjacency import Numbers, Offsets
from backend.science.embeddings.training_source import digest_arrays
from backend.science.embeddings.undirected_graph import Longs, UndirectedGraph
from backend.science.random_walks import RandomState, next_below, next_uniform

Vectors = NDArray[np.float32]
MOST_STEPS = 20_000_000  # of all walks: about two minutes
WALKS_AT_ONCE = 4_096
POWER = 0.75  # of degrees, in the drawing of replaced entities
LEAST_RATE = 1e-4  # of the first
KIND, STEP = "node2vec-checkpoint", "walks"
STREAM = 6  # of the seeds of this package


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """walks: from each linked entity, fewer where all would have more than `MOST_STEPS` steps, but
    at least one. back: p. away: q. negatives: k."""

    dimensions: int = 64
    walks: int = 10
    steps: int = 40
    window: int = 5
    negatives: int = 5
    back: float = 1.0
    away: float = 1.0
    rate: float = 0.025
    seed: int = 0

    def __post_init__(self) -> None:
        counts = (self.dimensions, self.walks, self.steps, self.window, self.negatives)
        if min(counts) < 1 or self.dimensions % 4:
            raise ValueError("walks have steps, a window, negatives, and dimensions in fours")
        if min(self.back, self.away, self.rate) <= 0:
            raise ValueError("p, q and the rate must be above 0")

    def walks_for(self, starts: int) -> int:
        return max(1, min(self.walks, MOST_STEPS // max(starts * self.steps, 1)))


class NegativePool(NamedTuple):
    """Linked entities in the order of types, and the sums of their weights up to each.

    An entity v may be replaced by those at low[v] up to high[v].
    """

    entities: Longs
    bounds: NDArray[np.float64]
    low: Longs
    high: Longs

    @classmethod
    def of(cls, graph: UndirectedGraph, types: NDArray[np.integer[Any]] | None) -> NegativePool:
        degrees = graph.degrees()
        linked = np.flatnonzero(degrees)
        kinds = np.zeros(len(degrees), np.int64) if types is None else types.astype(np.int64)
        order = linked[np.argsort(kinds[linked], kind="stable")]
        low, high = (np.searchsorted(kinds[order], kinds, side) for side in ("left", "right"))
        bounds = np.concatenate([[0.0], np.cumsum(degrees[order] ** POWER)])
        return cls(order, bounds, low.astype(np.int64), high.astype(np.int64))


def node2vec(
    graph: UndirectedGraph,
    settings: WalkSettings | None = None,
    *,
    types: NDArray[np.integer[Any]] | None = None,
    stop: CancellationToken | None = None,
    checkpoint: Path | None = None,
) -> Vectors:
    """Vectors [V, d] of length 1, or 0 without links.

    types: the number of each entity's type [V]. checkpoint: a folder, from which an interrupted
    training of the same input goes on. Needs V · d · 8 bytes. Raises Cancelled.
    """
    settings = settings or WalkSettings()
    rng = np.random.default_rng([settings.seed, STREAM])
    sorted_graph = with_sorted_rows(graph)
    linked = np.flatnonzero(graph.degrees())
    rounds = range(settings.walks_for(len(linked)))
    starts = np.concatenate([rng.permutation(linked) for _ in rounds])
    shape = (graph.entity_count, settings.dimensions)
    inputs = (rng.random(shape, np.float32) - np.float32(0.5)) / np.float32(settings.dimensions)
    outputs, pool = np.zeros(shape, np.float32), NegativePool.of(graph, types)
    state, begin = rng.integers(0, 2**64, 1, dtype=np.uint64), 0
    steps = checkpoint and open_checkpoint(checkpoint, graph, types, settings)
    if steps and (step := steps.load_latest_step(STEP)):
        inputs, outputs = step.arrays["inputs"].copy(), step.arrays["outputs"].copy()
        state, begin = step.arrays["state"].copy(), step.facts["walks"]
    for first in range(begin, len(starts), WALKS_AT_ONCE):
        if stop is not None:
            stop.raise_if_cancelled()
        some = starts[first : first + WALKS_AT_ONCE]
        walks = walk_from(sorted_graph, some, settings, state)
        done = (first + np.arange(len(some))) / len(starts)
        rates = settings.rate * np.maximum(1 - done, LEAST_RATE)
        train_on_walks(
            walks, rates, settings.window, settings.negatives, pool, inputs, outputs, state
        )
        if steps and steps.is_due():
            arrays = {"inputs": inputs, "outputs": outputs, "state": state}
            steps.save_step(STEP, arrays, {"walks": first + len(some)})
    lengths = np.linalg.norm(inputs, axis=1, keepdims=True)
    has_vector = (graph.degrees() > 0)[:, None] & (lengths > 0)
    return np.where(has_vector, inputs / np.where(has_vector, lengths, 1), 0).astype(np.float32)


def open_checkpoint(
    folder: Path,
    graph: UndirectedGraph,
    types: NDArray[np.integer[Any]] | None,
    settings: WalkSettings,
) -> Checkpoint:
    source = digest_arrays(graph.offsets, graph.neighbours, types)
    return Checkpoint(folder, KIND, source, asdict(settings))


def with_sorted_rows(graph: UndirectedGraph) -> UndirectedGraph:
    neighbours = graph.neighbours.copy()
    sort_rows(graph.offsets, neighbours)
    return UndirectedGraph(graph.offsets, neighbours)


@jit_compile
def sort_rows(offsets: Offsets, neighbours: Numbers) -> None:
    for entity in range(len(offsets) - 1):
        neighbours[offsets[entity] : offsets[entity + 1]].sort()


def walk_from(
    graph: UndirectedGraph, starts: Longs, settings: WalkSettings, state: RandomState
) -> Longs:
    """[n, steps + 1] from n linked entities. The graph's rows are sorted; changes the state."""
    walks = np.empty((len(starts), settings.steps + 1), np.int64)
    walks[:, 0] = starts
    weights = 1 / settings.back, 1 / settings.away
    fill_walks(graph.offsets, graph.neighbours, walks, *weights, state)
    return walks


@jit_compile
def fill_walks(
    offsets: Offsets,
    neighbours: Numbers,
    walks: Longs,
    returning: float,
    leaving: float,
    state: RandomState,
) -> None:
    """By rejection: a neighbour drawn uniformly is accepted in proportion to its weight."""
    most = max(1.0, returning, leaving)
    for walk in range(len(walks)):
        for step in range(walks.shape[1] - 1):
            here = walks[walk, step]
            first = offsets[here]
            around = np.uint64(offsets[here + 1] - first)
            while True:
                drawn = neighbours[first + np.int64(next_below(state, around))]
                if step == 0 or (returning == 1.0 and leaving == 1.0):
                    break
                before = walks[walk, step - 1]
                weight = leaving
                if drawn == before:
                    weight = returning
                elif has_link(offsets, neighbours, before, drawn):
                    weight = 1.0
                if next_uniform(state) * most < weight:
                    break
            walks[walk, step + 1] = drawn


@jit_compile
def has_link(offsets: Offsets, neighbours: Numbers, one: int, other: int) -> bool:
    low, last = offsets[one], offsets[one + 1]
    high = last
    while low < high:
        middle = (low + high) >> 1
        if neighbours[middle] < other:
            low = middle + 1
        else:
            high = middle
    return bool(low < last and neighbours[low] == other)


@jit_compile
def train_on_walks(
    walks: Longs,
    rates: NDArray[np.float64],
    window: int,
    negatives: int,
    pool: NegativePool,
    inputs: Vectors,
    outputs: Vectors,
    state: RandomState,
) -> None:
    change = np.empty(inputs.shape[1], np.float32)
    for walk in range(len(walks)):
        rate = rates[walk]
        for at in range(walks.shape[1]):
            width = 1 + int(next_below(state, np.uint64(window)))
            first, last = max(0, at - width), min(int(walks.shape[1]), at + width + 1)
            for other in range(first, last):
                one, near = walks[walk, at], walks[walk, other]
                if other == at or one == near:
                    continue
                change[:] = 0
                push_apart_or_together(inputs[one], outputs[near], change, rate, True)
                for _ in range(negatives):
                    far = draw_entity(pool, near, state)
                    if far != near and far != one:
                        push_apart_or_together(inputs[one], outputs[far], change, rate, False)
                inputs[one] += change


@jit_compile
def draw_entity(pool: NegativePool, replaced: int, state: RandomState) -> int:
    """One that may replace an entity, in proportion to its weight."""
    low, high, bounds = pool.low[replaced], pool.high[replaced], pool.bounds
    drawn = bounds[low] + next_uniform(state) * (bounds[high] - bounds[low])
    place = np.searchsorted(bounds[low : high + 1], drawn, side="right") - 1
    return int(pool.entities[min(low + place, high - 1)])


@jit_compile
def push_apart_or_together(
    vector: Vectors, context: Vectors, change: Vectors, rate: float, is_near: bool
) -> None:
    """A step of the context by the old vector; that of the vector is added to `change`."""
    a = b = c = d = np.float32(0)  # independent sums, so that they are added at once
    for at in range(0, len(vector), 4):
        a += vector[at] * context[at]
        b += vector[at + 1] * context[at + 1]
        c += vector[at + 2] * context[at + 2]
        d += vector[at + 3] * context[at + 3]
    expected = 1 / (1 + math.exp(-np.float64((a + b) + (c + d))))
    slope = np.float32(rate * ((1.0 if is_near else 0.0) - expected))
    for column in range(len(vector)):
        change[column] += slope * context[column]
        context[column] += slope * vector[column]
