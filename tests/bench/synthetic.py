"""Seeded random graphs of any size, as columns: hubs, parallel edges and entities without any.

A directed Chung-Lu multigraph: both ends of an edge are drawn with the weight (rank + 1)^-0.71, so
that degrees fall as a power law with the exponent 2.4, and the ranks are strewn over the ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.snapshots.builder import DEFAULT_MEMORY_BYTES, build_snapshot
from backend.graphs.snapshots.column_table import ColumnTable
from backend.graphs.snapshots.ingest import SourceIngest, used_columns
from backend.graphs.snapshots.string_array import StringArray
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo

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

    entity_count: int
    edge_count: int

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        return {}

    def nodes(self) -> Iterator[NodeRow]:
        for number in range(self.entity_count):
            name = f"entity {number:0{DIGITS}}"
            yield NodeRow(identifier(number), TYPES[number % len(TYPES)], name)

    def edges(self) -> Iterator[EdgeRow]:
        for batch in self.batches():
            columns = (column.tolist() for column in batch)
            for source, relation, target, score, evidence in zip(*columns, strict=True):
                yield EdgeRow(
                    identifier(source),
                    RELATIONS[relation],
                    identifier(target),
                    score,
                    EVIDENCE[evidence],
                )

    def batches(self) -> Iterator[Batch]:
        """Sources, relations, targets, scores and evidence, as numbers."""
        for number, first in enumerate(range(0, self.edge_count, BATCH)):
            rng = np.random.default_rng([SEED, number])
            size = min(BATCH, self.edge_count - first)
            yield (
                self.drawn(rng.random(size)),
                np.minimum(rng.geometric(0.15, size) - 1, len(RELATIONS) - 1),
                self.drawn(rng.random(size)),
                np.round(rng.random(size), 3).astype(np.float32),
                rng.integers(0, len(EVIDENCE), size),
            )

    def drawn(self, uniform: NDArray[np.float64]) -> NDArray[np.int64]:
        """Entities from their weights: the inverse of the integral of the weight over ranks."""
        power = 1 - FALL
        most = (self.entity_count + 1) ** power - 1
        ranks = ((uniform * most + 1) ** (1 / power) - 1).astype(np.int64)
        strewn: Longs = np.minimum(ranks, self.entity_count - 1) * STRIDE % self.entity_count
        return strewn


class ColumnIngest(SourceIngest):
    """The same tables as from the rows, without a Python object for each of a billion edges."""

    def nodes(self) -> Iterator[ColumnTable]:
        assert isinstance(self.source, Synthetic)
        codes = self.types.codes_of(TYPES)
        for first in range(0, self.source.entity_count, BATCH):
            numbers = np.arange(first, min(first + BATCH, self.source.entity_count))
            self.report.node_rows += len(numbers)
            ids = identifiers(numbers)
            yield ColumnTable(
                {"key": ids.hashes(), "type": codes[numbers % len(TYPES)]},
                {"id": ids, "name": texts_of(b"entity ", numbers)},
            )

    def edges(self) -> Iterator[ColumnTable]:
        assert isinstance(self.source, Synthetic)
        relations = self.relations.codes_of(RELATIONS)
        kinds = self.coded["evidence"].codes_of(EVIDENCE)
        for source, relation, target, score, evidence in self.source.batches():
            first = self.report.edge_rows + 1
            self.report.edge_rows += len(source)
            optional = used_columns({"evidence": kinds[evidence], "score": score})
            yield ColumnTable(
                {
                    "row": np.arange(first, first + len(source)),
                    "relation": relations[relation],
                    **optional,
                },
                {"source": identifiers(source), "target": identifiers(target)},
            )


def build_synthetic(
    entities: int, edges: int, folder: Path, memory_bytes: int = DEFAULT_MEMORY_BYTES
) -> BuildResult:
    source = Synthetic(entities, edges)
    return build_snapshot(source, folder, memory_bytes=memory_bytes, ingest=ColumnIngest)


def identifiers(numbers: NDArray[np.int64]) -> StringArray:
    return texts_of(b"SYN:", numbers)


def identifier(number: int) -> str:
    return f"SYN:{number:0{DIGITS}}"


def texts_of(before: bytes, numbers: NDArray[np.int64]) -> StringArray:
    """The same beginning with each number in digits, without a Python object for each."""
    width = len(before) + DIGITS
    result = np.empty((len(numbers), width), np.uint8)
    result[:, : len(before)] = np.frombuffer(before, np.uint8)
    left = numbers.astype(np.uint32)
    for place in range(width - 1, len(before) - 1, -1):
        left, digit = np.divmod(left, np.uint32(10))
        result[:, place] = digit + ord("0")
    return StringArray.of_lengths(result.ravel(), np.full(len(numbers), width))
