"""A graph convolution network of two layers, its loss, and its gradients.

    P = relu(B E),   Z = B P W,   B = (D + 1)^-1 (A + 1),   u_i = Z_i / ‖Z_i‖

E [V, d] and W [d, d] are trained; entities have no other features. A link (i, j) and a pair (i, r)
with a replaced end are distinguished by p = 1 / (1 + exp(OFFSET - SHARPNESS · u_i·u_j)), so that
the trained distance is the one that is used. The loss is the mean over all entries of

    -log p(i, j) - log(1 - p(i, r)).

The gradient of u_i from its links needs only i's own row, since an entry is in the rows of both its
ends; that from the replaced ends is scattered, each thread to its own columns. The result is
therefore bit-identical for any number of threads.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.runtime.parallel import run_in_threads
from backend.science.adjacency import Numbers, Offsets
from backend.science.embeddings.column_file import split_chunks
from backend.science.embeddings.sparse_products import COLUMNS, Block, Floats, multiply_block
from backend.science.embeddings.undirected_graph import UndirectedGraph
from backend.science.transition.simd import (
    add_row,
    add_scaled_row,
    aligned_zeros,
    prefetch_row,
    store_row,
    zero_lanes,
)

SHARPNESS, OFFSET = 5.0, 1.0
PREFETCH_ENTRIES = np.uint64(16)


@dataclass
class GraphNetwork:
    """Buffers of the layers: four blocks [V, d], reused in every epoch."""

    count: int
    dimensions: int
    stop: CancellationToken

    def __post_init__(self) -> None:
        count = self.count
        self.ones = np.ones(count)
        self.scale: Floats = self.ones
        self.graph = UndirectedGraph(np.zeros(1, np.int64), np.empty(0, np.int32))
        self.hidden, self.spare, self.unit, self.slope = (
            aligned_zeros(count, self.dimensions, np.float32) for _ in range(4)
        )
        self.lengths = np.zeros(count, np.float32)

    def forward(self, graph: UndirectedGraph, inputs: Block, weights: Block) -> Block:
        """The vectors u [V, d], valid until the next call of any method."""
        self.graph, self.scale = graph, 1 / (graph.degrees() + self.ones)
        self.multiply(inputs, self.hidden, self.scale)
        np.maximum(self.hidden, 0, out=self.hidden)
        np.matmul(self.hidden, weights, out=self.spare)
        self.multiply(self.spare, self.unit, self.scale)
        for first, last in split_chunks(len(self.unit)):
            part = self.unit[first:last]
            lengths = np.sqrt((part * part).sum(axis=1))
            self.lengths[first:last] = lengths
            part /= np.where(lengths > 0, lengths, 1)[:, None]
        return self.unit

    def loss(self, graph: UndirectedGraph, replaced: NDArray[np.int32]) -> float:
        """After `forward`: the mean loss over a graph's links, which may differ from those of
        `forward`; its gradient by u is then in `slope`.

        replaced int32 [entries]: the entity that replaces each entry's neighbour.
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

        total = math.fsum(run_in_threads(compare, parts, self.stop))
        wide, slope = self.unit.reshape(-1, COLUMNS), self.slope.reshape(-1, COLUMNS)
        lines = self.dimensions // COLUMNS

        def spread(first: int, last: int) -> None:
            spread_ends(graph.offsets, replaced, pulls, wide, slope, lines, first, last)

        run_in_threads(spread, [(line, line + 1) for line in range(lines)], self.stop)
        return total / max(count, 1)

    def backward(self, weights: Block) -> tuple[Block, Block]:
        """After `loss`: its gradients by E, which is in `slope`, and by W. Overwrites `unit`."""
        for first, last in split_chunks(len(self.slope)):
            part, unit = self.slope[first:last], self.unit[first:last]
            lengths = self.lengths[first:last]
            part -= unit * (unit * part).sum(axis=1, keepdims=True)
            part *= np.where(lengths > 0, 1 / np.where(lengths > 0, lengths, 1), 0)[:, None]
            part *= self.scale[first:last, None]
        self.multiply(self.slope, self.spare, self.ones)
        by_weights = np.zeros((self.dimensions,) * 2)
        for first, last in split_chunks(len(self.slope)):
            hidden, arrived = self.hidden[first:last], self.spare[first:last]
            by_weights += hidden.T @ arrived
            back = (arrived @ weights.T) * (hidden > 0)
            self.unit[first:last] = back * self.scale[first:last, None]
        self.multiply(self.unit, self.slope, self.ones)
        return self.slope, by_weights.astype(np.float32)

    def multiply(self, given: Block, out: Block, scale: Floats) -> None:
        multiply_block(self.graph, scale, given, out, loops=1.0, stop=self.stop)


@jit_compile
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
    """The loss of the rows first to last; slope: the gradient from their own entries.

    pulls: the factor of an entity's vector in the gradient of the replaced end of each entry.
    """
    total, columns = 0.0, unit.shape[1]
    for entity in range(first, last):
        slope[entity] = 0
        for place in range(offsets[entity], offsets[entity + 1]):
            value, other = int(neighbours[place]), int(replaced[place])
            alike = SHARPNESS * dot(unit, entity, value) - OFFSET
            apart = OFFSET - SHARPNESS * dot(unit, entity, other)
            total += softplus(-alike) + softplus(-apart)
            # twice: the same link is in the row of its other end
            draw = np.float32(-2 * SHARPNESS * share / (1 + math.exp(alike)))
            push = np.float32(SHARPNESS * share / (1 + math.exp(apart)))
            pulls[place] = push
            for column in range(columns):
                slope[entity, column] += draw * unit[value, column] + push * unit[other, column]
    return total


@jit_compile
def softplus(value: float) -> float:
    """log(1 + exp(value)), without overflow."""
    return max(value, 0.0) + math.log1p(math.exp(-abs(value)))


@jit_compile
def dot(unit: Block, one: int, other: int) -> float:
    """Dot product with four independent sums."""
    a = b = c = d = np.float32(0)
    for at in range(0, unit.shape[1], 4):
        a += unit[one, at] * unit[other, at]
        b += unit[one, at + 1] * unit[other, at + 1]
        c += unit[one, at + 2] * unit[other, at + 2]
        d += unit[one, at + 3] * unit[other, at + 3]
    return float((a + b) + (c + d))


@jit_compile
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
    """Add to the gradients of the replaced ends, in the columns of the lines first to last."""
    wide, end = np.uint64(lines), np.uint64(max(len(replaced), 1) - 1)
    for line in range(np.uint64(first), np.uint64(last)):
        for entity in range(np.uint64(len(offsets) - 1)):
            for place in range(np.uint64(offsets[entity]), np.uint64(offsets[entity + 1])):
                prefetch_row(
                    slope, np.uint64(replaced[min(place + PREFETCH_ENTRIES, end)]) * wide + line
                )
                other = np.uint64(replaced[place]) * wide + line
                lanes = add_row(zero_lanes(slope), slope, other)
                store_row(
                    slope, other, add_scaled_row(lanes, unit, entity * wide + line, pulls[place]), 1
                )
