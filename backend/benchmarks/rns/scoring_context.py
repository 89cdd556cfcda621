"""The artifacts that scores are computed from: transition model, marginal and embedding."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.rns.artifacts import open_marginal, open_vectors, transition_model
from backend.benchmarks.rns.options import RnsOptions
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken
from backend.science.embeddings.embedding_store import Embedding
from backend.science.rns.candidates import Candidates
from backend.science.rns.jensen_shannon import RowBlock, SplitSurprises, split_surprises
from backend.science.rns.row_kernels import RowArray
from backend.science.transition.marginal import Marginal
from backend.science.transition.pairwise import pairwise_transitions
from backend.science.transition.parameters import Precision
from backend.science.transition.rows import block_columns, row_error_bound, transition_rows
from backend.science.transition.transition_model import TransitionModel

Longs = NDArray[np.int64]
MAX_ROW_BYTES = 2 << 30  # bytes of whole rows in memory


@dataclass(frozen=True)
class ScoringContext:
    """Artifacts of one snapshot, opened with the given options."""

    snapshot: Snapshot
    options: RnsOptions
    model: TransitionModel
    marginal: Marginal
    embedding: Embedding
    stop: CancellationToken | None = None
    max_row_bytes: int = MAX_ROW_BYTES

    @cached_property
    def entry_error(self) -> float:
        return row_error_bound(self.model, self.model.parameters.precision)

    def candidates(
        self, entities: Sequence[int], transitions: NDArray[np.float64] | None = None
    ) -> Candidates:
        """Candidates with indices from 0, in the given order; transitions if they are known."""
        numbers = np.array(entities, np.int64)
        if transitions is None:
            transitions = pairwise_transitions(self.model, numbers, stop=self.stop)
        return Candidates(
            transitions,
            np.array(self.marginal.values[numbers]),
            self.embedding.vectors_of(numbers),
            np.array(self.embedding.has_vector[numbers]),
        )

    def blocks(self, entities: Sequence[int]) -> Iterator[RowBlock]:
        """Whole rows by index; a block is valid only until the next one."""
        first = 0
        for sources, rows in transition_rows(
            self.model, np.array(entities, np.int64), stop=self.stop
        ):
            yield np.arange(first, first + len(sources), dtype=np.int64), rows
            first += len(sources)

    def rows(self, entities: Sequence[int], precision: Precision | None = None) -> RowArray:
        """All whole rows [V, n]; V * n * 4 or 8 bytes (see `fits_in_memory`)."""
        model = self.model
        kind = precision or model.parameters.precision
        result = np.empty((model.entity_count, len(entities)), kind, order="F")
        numbers, first = np.array(entities, np.int64), 0
        for sources, rows in transition_rows(model, numbers, precision=precision, stop=self.stop):
            result[:, first : first + len(sources)] = rows
            first += len(sources)
        return result

    def fits_in_memory(self, count: int) -> bool:
        size = np.dtype(self.model.parameters.precision).itemsize
        return self.model.entity_count * count * size <= self.max_row_bytes

    def pass_count(self, count: int) -> int:
        """How often all edges are read for `count` whole rows."""
        return -(-count // block_columns(self.model.parameters.precision))

    def surprises(self, rows: RowArray, splits: Longs) -> SplitSurprises:
        return split_surprises(rows, splits, entry_error=self.entry_error)


def open_scoring_context(
    snapshot: Snapshot, options: RnsOptions, stop: CancellationToken | None = None
) -> ScoringContext:
    """Raises NotComputed if an artifact of a large graph is missing."""
    return ScoringContext(
        snapshot,
        options,
        transition_model(snapshot, options, stop),
        open_marginal(snapshot, options, stop),
        open_vectors(snapshot, options.method, stop),
        stop,
    )
