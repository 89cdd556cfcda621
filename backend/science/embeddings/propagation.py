"""Embedding without training: the leading eigenvectors of the links, propagated twice.

    N = (D + τ)^-½ A (D + τ)^-½,   N U = U Λ,   x_i = row i of U Λ² = N² U, scaled to length 1

A [V, V] counts links (a self-loop once), D holds its row sums, τ is the mean degree of the linked
entities, Λ the d largest eigenvalues (those below zero count as zero). τ keeps the many small
corners of a sparse graph from taking an eigenvector each (Qin and Rohe, NeurIPS 2013): on the
sample of Hetionet the AUC against degree-matched negatives was 0.63 without it and 0.72 with it,
and 0.70 to 0.71 with ProNE's band-pass filter (Zhang et al., IJCAI 2019) in the place of Λ².

Found by subspace iteration from a seeded random start, SPARE columns wider than asked for. Each
round applies the Chebyshev polynomial that grows above the smallest eigenvalue found so far and
stays within ±1 below it (Zhou et al., J. Comput. Phys. 219, 2006), then solves the small problem
in the space that came out (Rayleigh-Ritz), by Gram matrices in float64 over fixed chunks. What is
iterated is X = (D + τ)^-½ times the eigenvectors, which spares a scaling in each product.

The columns are on disk in blocks of 16, of which two are in memory at once: V · (2 · 64 + 24)
bytes beside the graph. The sign of an eigenvector is chosen by its largest coordinate in the space
before. Degenerate cases: an entity without links, or so far from the leading eigenvectors that
only rounding is left (shorter than NOISE times the mean length), has no vector; a graph of fewer
than d dimensions leaves the others zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from backend.science.checkpoint import Checkpoint
from backend.science.embeddings.columns import chunks
from backend.science.embeddings.products import (
    COLUMNS,
    Block,
    Floats,
    check_width,
    multiply,
)
from backend.science.embeddings.rounds import Rounds, rounds
from backend.science.embeddings.undirected import Undirected
from backend.science.embeddings.vectors import Sink
from backend.science.stopping import Stop
from backend.science.transition.lanes import aligned

Progress = Callable[[str, int, int], None]
SPARE = COLUMNS
ROUNDS = 3
DEGREE = 8  # of a round's polynomial, at most
GROWTH = 1e4  # by which a polynomial may lift one column over another: float32 has seven digits
FIRST_CUT = 0.2  # eigenvalues wanted are above it, until some have been found
POWER = 2
NOISE = 1e-5
RANK = 1e-11  # squares of lengths, relative to the longest, below which there is only rounding


def silent(_doing: str, _done: int, _total: int) -> None:
    """Nobody listens."""


@dataclass
class Propagation:
    """One run over a graph: the matrix, what is told, and how many products were made."""

    graph: Undirected
    at: Rounds
    seed: int
    progress: Progress = silent
    stop: Stop = field(default_factory=Stop)
    products: int = field(init=False)

    def __post_init__(self) -> None:
        self.products = self.at.products
        degrees = self.graph.degrees()
        self.linked = int((degrees > 0).sum())
        mean = float(degrees.sum()) / max(self.linked, 1)
        self.weights = degrees.astype(np.float64) + max(mean, 1.0)
        self.scale = np.asarray(1 / self.weights, np.float64)
        count = self.graph.entity_count
        self.rooms = [aligned(count, COLUMNS, np.float32), aligned(count, COLUMNS, np.float32)]

    def run(self) -> Floats:
        """The eigenvalues, falling; the space then holds X in the order of them."""
        at = self.at
        if not at.begun:
            self.begin()
            at.note_begin()
        while at.number < ROUNDS:
            cut, highest = cuts(at.values)
            for block in range(at.done, at.space.blocks):
                self.tell(at.number, block)
                self.filter(block, cut, highest)
                at.note_block(self.products)
            at.note_round(self.settle().tolist(), self.products)
        return np.array(at.values)

    def begin(self) -> None:
        """Seeded normal numbers for the linked entities."""
        linked = self.graph.degrees() > 0
        for block in range(self.at.space.blocks):
            for first, last in chunks(self.graph.entity_count):
                chance = np.random.default_rng([self.seed, block, first])
                drawn = chance.standard_normal((last - first, COLUMNS), np.float32)
                drawn *= (linked[first:last] * np.sqrt(self.scale[first:last]))[:, None]
                self.at.space.write(block, drawn.astype(np.float32), first)

    def filter(self, block: int, cut: float, highest: float) -> None:
        """The polynomial of a block of columns, by T_k = 2 t T_(k-1) - T_(k-2) in two rooms.

        t maps the eigenvalues from -1 to cut onto those from -1 to 1.
        """
        half, middle = (cut + 1) / 2, (cut - 1) / 2
        before, now = self.rooms
        self.at.space.read(block, before)
        self.multiply(before, now, 1 / half, -middle / half, 0)
        for _ in range(1, degree_for((highest - middle) / half)):
            self.multiply(now, before, 2 / half, -2 * middle / half, 1)
            before, now = now, before
        self.at.filtered.write(block, now)

    def settle(self) -> Floats:
        """Rayleigh-Ritz: X := X W with Wᵀ Xᵀ(D + τ)X W = 1 and Wᵀ XᵀAX W = Λ."""
        filtered = self.at.filtered
        gram, links = np.empty((2, filtered.width, filtered.width))
        given, made = self.rooms
        for block in range(filtered.blocks):
            place = slice(block * COLUMNS, (block + 1) * COLUMNS)
            filtered.read(block, given)
            gram[:, place] = filtered.against(given, self.weights)
            self.multiply(given, made, 1, 0, 0)
            links[:, place] = filtered.against(made, self.weights)
        values, basis = rayleigh_ritz(gram, links)
        filtered.turn(basis, self.at.space)
        return values

    def multiply(self, given: Block, made: Block, times: float, keep: float, minus: float) -> None:
        self.products += 1
        multiply(
            self.graph,
            self.scale,
            given,
            made,
            times=times,
            keep=keep,
            minus=minus,
            stop=self.stop,
        )

    def tell(self, number: int, block: int) -> None:
        self.stop.check()
        blocks = self.at.space.blocks
        self.progress("propagating", number * blocks + block, ROUNDS * blocks)


def cuts(values: Sequence[float]) -> tuple[float, float]:
    """Above which eigenvalue a round looks for more, and the highest; by what was found before."""
    if not values:
        return FIRST_CUT, 1.0
    highest = max(values[0], 1e-3)
    return min(max(values[-1], 1e-3), 0.95 * highest), highest


def degree_for(reach: float) -> int:
    """The degree at which the largest eigenvalue, mapped to `reach`, has grown by GROWTH."""
    return int(min(DEGREE, max(1.0, math.acosh(GROWTH) / math.acosh(max(reach, 1 + 1e-9)))))


def rayleigh_ritz(gram: Floats, links: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues, falling, and W of the pair (links, gram), whose columns beyond its rank are 0.

    gram, links [m, m], symmetric but for rounding.
    """
    lengths, axes = np.linalg.eigh((gram + gram.T) / 2)
    kept = lengths > max(float(lengths[-1]), 0) * RANK
    white = axes[:, kept] / np.sqrt(lengths[kept])
    rising, turn = np.linalg.eigh(white.T @ ((links + links.T) / 2) @ white)
    found = white @ turn[:, ::-1]
    largest = np.take_along_axis(found, np.abs(found).argmax(axis=0)[None], axis=0)
    values, basis = np.zeros(len(gram)), np.zeros_like(gram)
    values[: len(rising)] = rising[::-1]
    basis[:, : len(rising)] = found * np.where(largest < 0, -1.0, 1.0)
    return values, basis


def propagate(
    graph: Undirected,
    sink: Sink,
    *,
    scratch: Path,
    dimensions: int = 64,
    seed: int = 0,
    progress: Progress = silent,
    stop: Stop | None = None,
    checkpoint: Checkpoint | None = None,
) -> dict[str, float]:
    """Write the vectors of all entities to the sink, in their order; what was found as facts.

    scratch: a folder on a disk with V · (d + 16) · 4 bytes of room. checkpoint: of this graph,
    these dimensions and this seed; it is gone on from after each block of columns, and is used in
    the place of scratch, with twice the room. Raises Stopped, and ValueError
    unless the dimensions are a multiple of 16.
    """
    check_width(dimensions)
    with rounds(scratch, graph.entity_count, dimensions + SPARE, checkpoint) as at:
        run = Propagation(graph, at, seed, progress, stop or Stop())
        values = np.maximum(run.run()[:dimensions], 0)
        weights = values**POWER
        sink.least = NOISE * float(np.sqrt((weights**2).sum() / max(run.linked, 1)))
        for first, last in chunks(graph.entity_count):
            run.stop.check()
            part = at.space.rows_of(first, last)[:, :dimensions] * weights
            sink.write(part * np.sqrt(run.weights[first:last])[:, None])
        return {
            "products": run.products,
            "largest_eigenvalue": float(values[0]),
            "smallest_eigenvalue": float(values[-1]),
        }
