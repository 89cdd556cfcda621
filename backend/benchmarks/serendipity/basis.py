"""One version's transition model, marginal and embedding: what every measure is read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.serendipity.artefacts import model_of, open_marginal, open_vectors
from backend.benchmarks.serendipity.options import Options
from backend.graphs.snapshots.opening import Snapshot
from backend.science.embeddings.vectors import Embedding
from backend.science.rns.candidates import Candidates
from backend.science.rns.divergence import Block, Rows, Surprises, split_surprises
from backend.science.stopping import Stop
from backend.science.transition.marginal import Marginal
from backend.science.transition.model import TransitionModel
from backend.science.transition.parameters import Precision
from backend.science.transition.rows import columns_of, row_error

Longs = NDArray[np.int64]
LARGEST_ROWS = 2 << 30  # bytes of whole rows that are held at once


@dataclass(frozen=True)
class Basis:
    """Opened artefacts of one snapshot, with the options that they were chosen by."""

    snapshot: Snapshot
    options: Options
    model: TransitionModel
    marginal: Marginal
    embedding: Embedding
    stop: Stop | None = None

    @cached_property
    def entry_error(self) -> float:
        return row_error(self.model, self.model.parameters.precision)

    def candidates(self, entities: Sequence[int]) -> Candidates:
        """Their numbers become places, from 0 in this order."""
        numbers = np.array(entities, np.int64)
        return Candidates(
            self.model.block(numbers, stop=self.stop),
            np.array(self.marginal.values[numbers]),
            self.embedding.of(numbers),
            np.array(self.embedding.has[numbers]),
        )

    def blocks(self, entities: Sequence[int]) -> Iterator[Block]:
        """Whole rows by place; each block is only valid until the next one."""
        first = 0
        for sources, rows in self.model.rows(np.array(entities, np.int64), stop=self.stop):
            yield np.arange(first, first + len(sources), dtype=np.int64), rows
            first += len(sources)

    def rows(self, entities: Sequence[int], precision: Precision | None = None) -> Rows:
        """All whole rows [V, n]. They take V * n * 4 or 8 bytes: see `fits`."""
        model = self.model
        kind = precision or model.parameters.precision
        held = np.empty((model.entity_count, len(entities)), kind, order="F")
        numbers, first = np.array(entities, np.int64), 0
        for sources, rows in model.rows(numbers, precision=precision, stop=self.stop):
            held[:, first : first + len(sources)] = rows
            first += len(sources)
        return held

    def fits(self, count: int) -> bool:
        """Whether so many whole rows may be held at once."""
        size = np.dtype(self.model.parameters.precision).itemsize
        return self.model.entity_count * count * size <= LARGEST_ROWS

    def passes(self, count: int) -> int:
        """How often all links are read for so many whole rows."""
        return -(-count // columns_of(self.model.parameters.precision))

    def surprises(self, rows: Rows, splits: Longs) -> Surprises:
        return split_surprises(rows, splits, entry_error=self.entry_error)


def basis_of(snapshot: Snapshot, options: Options, stop: Stop | None = None) -> Basis:
    """Raises NotComputed where a large graph lacks an artefact."""
    return Basis(
        snapshot,
        options,
        model_of(snapshot, options, stop),
        open_marginal(snapshot, options, stop),
        open_vectors(snapshot, options.method, stop),
        stop,
    )
