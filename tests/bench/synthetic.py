"""Seeded random graphs of any size, as columns: hubs, parallel edges and entities without any.

A directed Chung-Lu multigraph: both ends of an edge are drawn with the weight (rank + 1)^-0.71, so
that degrees fall as a power law with the exponent 2.4, and the ranks are strewn over the ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.graphs.rows import Coded, EdgeColumns, NodeColumns, RelationInfo

SEED = 20_261_121
BATCH = 1 << 20
FALL = 0.71
DIGITS = 8
TYPES = tuple(f"type {number}" for number in range(12))
RELATIONS = tuple(f"RELATION_{number:02}" for number in range(24))
EVIDENCE = ("", "a database", "a paper", "text mining")
STRIDE = 7_368_787  # a prime above half of the largest graph: multiples of it reach every id


Longs = NDArray[np.int64]
Batch = tuple[Longs, Longs, Longs, NDArray[np.float32], Longs]


@dataclass(frozen=True)
class Synthetic:
    """Entities and edges by their counts; the same counts give the same graph."""

    entities: int
    edges: int

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        return {}

    def node_columns(self) -> Iterator[NodeColumns]:
        for first in range(0, self.entities, BATCH):
            numbers = np.arange(first, min(first + BATCH, self.entities))
            types = Coded(numbers % len(TYPES), TYPES)
            yield NodeColumns(identifiers(numbers), types, texts_of(b"entity ", numbers))

    def edge_columns(self) -> Iterator[EdgeColumns]:
        for source, relation, target, score, evidence in self.batches():
            yield EdgeColumns(
                identifiers(source),
                Coded(relation, RELATIONS),
                identifiers(target),
                scores=score,
                evidence=Coded(evidence, EVIDENCE),
            )

    def batches(self) -> Iterator[Batch]:
        """Sources, relations, targets, scores and evidence, as numbers."""
        for number, first in enumerate(range(0, self.edges, BATCH)):
            chance = np.random.default_rng([SEED, number])
            size = min(BATCH, self.edges - first)
            yield (
                self.drawn(chance.random(size)),
                np.minimum(chance.geometric(0.15, size) - 1, len(RELATIONS) - 1),
                self.drawn(chance.random(size)),
                np.round(chance.random(size), 3).astype(np.float32),
                chance.integers(0, len(EVIDENCE), size),
            )

    def drawn(self, uniform: NDArray[np.float64]) -> NDArray[np.int64]:
        """Entities from their weights: the inverse of the integral of the weight over ranks."""
        power = 1 - FALL
        most = (self.entities + 1) ** power - 1
        ranks = ((uniform * most + 1) ** (1 / power) - 1).astype(np.int64)
        strewn: Longs = np.minimum(ranks, self.entities - 1) * STRIDE % self.entities
        return strewn


def identifiers(numbers: NDArray[np.int64]) -> NDArray[np.bytes_]:
    return texts_of(b"SYN:", numbers)


def identifier(number: int) -> str:
    return f"SYN:{number:0{DIGITS}}"


def texts_of(before: bytes, numbers: NDArray[np.int64]) -> NDArray[np.bytes_]:
    """The same beginning with each number in digits, without a Python object for each."""
    width = len(before) + DIGITS
    found = np.empty((len(numbers), width), np.uint8)
    found[:, : len(before)] = np.frombuffer(before, np.uint8)
    left = numbers.astype(np.uint32)
    for place in range(width - 1, len(before) - 1, -1):
        left, digit = np.divmod(left, np.uint32(10))
        found[:, place] = digit + ord("0")
    return found.view(f"S{width}").ravel()
