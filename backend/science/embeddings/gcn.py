"""A graph convolution network of two layers, its loss, and its gradients by hand.

    P = relu(B E),   Z = B P W,   B = (D + 1)^-1 (A + 1),   u_i = Z_i / ‖Z_i‖

E [V, d] and W [d, d] are learnt; entities have no other features. A link (i, j) and a pair (i, r)
with a replaced end are told apart by p = 1 / (1 + exp(OFFSET - SHARPNESS · u_i·u_j)), so
that what is learnt is the distance that is used. The loss is the mean over all entries of

    -log p(i, j) - log(1 - p(i, r)).

The gradient of u_i from its links needs only i's own row, for an entry stands in the rows of both
its ends; that from the replaced ends is scattered, each thread to columns of its own. So the same
bytes come out whatever the number of threads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Numbers, Offsets
from backend.science.compiled import compiled
from backend.science.embeddings.columns import chunks
from backend.science.embeddings.products import COLUMNS, Block, Floats, multiply
from backend.science.embeddings.undirected import Undirected
from backend.science.stopping import Stop
from backend.science.threads import in_threads
from backend.science.transition.lanes import aligned, fetch, nothing, plus, plus_times, store

SHARPNESS, OFFSET = 5.0, 1.0
AHEAD = np.uint64(16)


@dataclass
class Network:
    """Room for the layers of so many entities: four blocks [V, d], used again and again."""

    count: int
    dimensions: int
    stop: Stop

    def __post_init__(self) -> None:
        count = self.count
        self.ones = np.ones(count)
        self.scale: Floats = self.ones
        self.graph = Undirected(np.zeros(1, np.int64), np.empty(0, np.int32))
        self.hidden, self.spare, self.unit, self.slope = (
            aligned(count, self.dimensions, np.float32) for _ in range(4)
        )
        self.lengths = np.zeros(count, np.float32)

    def forward(self, graph: Undirected, inputs: Block, weights: Block) -> Block:
        """The vectors u [V, d], which stay valid until the next call of anything."""
        self.graph, self.scale = graph, 1 / (graph.degrees() + self.ones)
        self.multiply(inputs, self.hidden, self.scale)
        np.maximum(self.hidden, 0, out=self.hidden)
        np.matmul(self.hidden, weights, out=self.spare)
        self.multiply(self.spare, self.unit, self.scale)
        for first, last in chunks(len(self.unit)):
            part = self.unit[first:last]
            lengths = np.sqrt((part * part).sum(axis=1))
            self.lengths[first:last] = lengths
            part /= np.where(lengths > 0, lengths, 1)[:, None]
        return self.unit

    def loss(self, graph: Undirected, replaced: NDArray[np.int32]) -> float:
        """After `forward`: the mean loss over a graph's links, which need not be those that were
        walked; its gradient by u is then in `slope`.

        replaced int32 [entries]: in the place of each entry's neighbour.
        """
        count = len(graph.neighbours)
        pulls = np.zeros(count, np.float32)
        parts = graph.parts

        def compare(first: int, last: int) -> float:
            return compare_ends(
                graph.offsets,
                graph.neighbours,
                replaced,
                self.unit,
                self.slope,
                pulls,
                1 / max(count, 1),
                first,
                last,
            )

        total = math.fsum(in_threads(compare, parts, self.stop))
        wide, slope = self.unit.reshape(-1, COLUMNS), self.slope.reshape(-1, COLUMNS)
        lines = self.dimensions // COLUMNS

        def spread(first: int, last: int) -> None:
            spread_ends(graph.offsets, replaced, pulls, wide, slope, lines, first, last)

        in_threads(spread, [(line, line + 1) for line in range(lines)], self.stop)
        return total / max(count, 1)

    def backward(self, weights: Block) -> tuple[Block, Block]:
        """After `loss`: its gradients by E, which is in `slope`, and by W. `unit` is lost."""
        for first, last in chunks(len(self.slope)):
            part, unit = self.slope[first:last], self.unit[first:last]
            lengths = self.lengths[first:last]
            part -= unit * (unit * part).sum(axis=1, keepdims=True)
            part *= np.where(lengths > 0, 1 / np.where(lengths > 0, lengths, 1), 0)[:, None]
            part *= self.scale[first:last, None]
        self.multiply(self.slope, self.spare, self.ones)
        by_weights = np.zeros((self.dimensions,) * 2)
        for first, last in chunks(len(self.slope)):
            hidden, arrived = self.hidden[first:last], self.spare[first:last]
            by_weights += hidden.T @ arrived
            back = (arrived @ weights.T) * (hidden > 0)
            self.unit[first:last] = back * self.scale[first:last, None]
        self.multiply(self.unit, self.slope, self.ones)
        return self.slope, by_weights.astype(np.float32)

    def multiply(self, given: Block, made: Block, scale: Floats) -> None:
        multiply(self.graph, scale, given, made, loops=1.0, stop=self.stop)


@compiled
def compare_ends(
    offsets: Offsets,
    neighbours: Numbers,
    replaced: NDArray[np.int32],
    unit: Block,
    slope: Block,
    pulls: NDArray[np.float32],
    share: float,
    first: int,
    last: int,
) -> float:
    """The loss of the rows first to last; slope: what comes from their own entries.

    pulls: by how much of its own vector an entity pulls at the replaced end of each entry.
    """
    total, columns = 0.0, unit.shape[1]
    for entity in range(first, last):
        slope[entity] = 0
        for place in range(offsets[entity], offsets[entity + 1]):
            held, other = int(neighbours[place]), int(replaced[place])
            alike = SHARPNESS * dot(unit, entity, held) - OFFSET
            apart = OFFSET - SHARPNESS * dot(unit, entity, other)
            total += softplus(-alike) + softplus(-apart)
            # twice: the same link stands in the row of its other end
            draw = np.float32(-2 * SHARPNESS * share / (1 + math.exp(alike)))
            push = np.float32(SHARPNESS * share / (1 + math.exp(apart)))
            pulls[place] = push
            for column in range(columns):
                slope[entity, column] += draw * unit[held, column] + push * unit[other, column]
    return total


@compiled
def softplus(value: float) -> float:
    """log(1 + exp(value)), of any value."""
    return max(value, 0.0) + math.log1p(math.exp(-abs(value)))


@compiled
def dot(unit: Block, one: int, other: int) -> float:
    """In four sums, which do not wait for each other."""
    a = b = c = d = np.float32(0)
    for at in range(0, unit.shape[1], 4):
        a += unit[one, at] * unit[other, at]
        b += unit[one, at + 1] * unit[other, at + 1]
        c += unit[one, at + 2] * unit[other, at + 2]
        d += unit[one, at + 3] * unit[other, at + 3]
    return float((a + b) + (c + d))


@compiled
def spread_ends(
    offsets: Offsets,
    replaced: NDArray[np.int32],
    pulls: NDArray[np.float32],
    unit: Block,
    slope: Block,
    lines: int,
    first: int,
    last: int,
) -> None:
    """Add to the replaced ends' slopes, in the columns of the lines first to last."""
    wide, end = np.uint64(lines), np.uint64(max(len(replaced), 1) - 1)
    for line in range(np.uint64(first), np.uint64(last)):
        for entity in range(np.uint64(len(offsets) - 1)):
            for place in range(np.uint64(offsets[entity]), np.uint64(offsets[entity + 1])):
                fetch(slope, np.uint64(replaced[min(place + AHEAD, end)]) * wide + line)
                other = np.uint64(replaced[place]) * wide + line
                lanes = plus(nothing(slope), slope, other)
                store(slope, other, plus_times(lanes, unit, entity * wide + line, pulls[place]), 1)
