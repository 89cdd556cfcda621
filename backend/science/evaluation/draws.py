"""Bootstrap draws of clusters, and metrics recomputed on them as matrix products."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from backend.runtime.parallel import run_in_threads
from backend.science.evaluation.cluster_sums import validated
from backend.science.evaluation.metrics import FloatArray, Metric

BLOCK_BYTES = 32 * 2**20
SEGMENT_CELLS = 2**19
FLOAT32_WHOLE = 2**24  # whole numbers below are exact in float32


@dataclass(frozen=True)
class ClusterDraws:
    """`draws` samples of as many clusters as there are, with replacement, from `seed`.

    The same fields give the same samples, whatever they are used for: draw b of one entry and draw
    b of another are of the same clusters, so their differences are paired.
    """

    clusters: int
    seed: int
    draws: int = 10_000

    def __post_init__(self) -> None:
        if self.clusters < 1 or self.draws < 1:
            raise ValueError("draws need at least one cluster and one draw")

    def counts(self, rows: int, dtype: npt.DTypeLike) -> Iterator[npt.NDArray[Any]]:
        """How often each draw has each cluster: blocks of about `rows` draws, (draws, clusters).

        Segments of draws, whose size depends on the number of clusters alone, have a generator
        each. So neither the size of blocks nor the number of threads changes anything.
        """
        segment = max(1, SEGMENT_CELLS // self.clusters)
        step = segment * max(1, rows // segment)
        for start in range(0, self.draws, step):
            block = np.empty((min(step, self.draws - start), self.clusters), dtype=dtype)
            self._count_into(block, start // segment, segment)
            yield block

    def _count_into(self, block: npt.NDArray[Any], number: int, segment: int) -> None:
        """Fill a block of segments, the first of which has this number."""

        def count(first: int, last: int) -> None:
            rng = np.random.default_rng([self.seed, number + first // segment])
            shape = (last - first, self.clusters)
            drawn = rng.integers(0, self.clusters, size=shape, dtype=np.int32)
            # scipy sums repeated columns, several times as fast as numpy.bincount.
            limits = np.arange(len(drawn) + 1, dtype=np.int32) * self.clusters
            ones = np.ones(drawn.size, dtype=block.dtype)
            counts = sparse.csr_array((ones, drawn.ravel(), limits), shape=shape)
            block[first:last] = counts.toarray()

        run_in_threads(count, list(pairwise([*range(0, len(block), segment), len(block)])))


@dataclass(frozen=True)
class BoardSums:
    """Cluster sums of the entries of a board, laid out for matrix products.

    columns: for each component (C, entries), or (C, 1) where all entries have the same sums. They
    are float32 where every sum of draws is exact in it, otherwise float64.
    """

    columns: tuple[npt.NDArray[Any], ...]
    entries: int
    clusters: int

    @classmethod
    def of(cls, sums: FloatArray) -> BoardSums:
        """From cluster sums (entries, C, k). Needs at most as many bytes again.

        Raises ValueError for another number of axes or sums that are not finite.
        """
        if sums.ndim != 3 or 0 in sums.shape[1:]:
            raise ValueError("the cluster sums of a board are (entries, C, k)")
        entries, clusters, width = sums.shape
        limit = FLOAT32_WHOLE / clusters
        whole = all(
            bool((np.abs(entry) < limit).all() and (entry == np.rint(entry)).all())
            for entry in sums
        )
        columns = []
        for index in range(width):
            shared = entries > 0 and all(
                (entry == sums[0, :, index]).all() for entry in sums[..., index]
            )
            column = np.empty(
                (clusters, 1 if shared else entries), np.float32 if whole else np.float64
            )
            for number in range(column.shape[1]):
                column[:, number] = validated(sums[number, :, index, None], axes=2)[:, 0]
            columns.append(column)
        return cls(tuple(columns), entries, clusters)

    def totals(self) -> FloatArray:
        """Sums over all clusters: (entries, k)."""
        totals: FloatArray = self.weighted(np.ones((1, self.clusters)))[0]
        return totals

    def weighted(self, counts: npt.NDArray[Any]) -> FloatArray:
        """Sums (rows, entries, k) of the clusters as often as counts (rows, C) have them."""
        # One component after another: a metric then reads contiguous memory.
        sums = np.empty((len(self.columns), len(counts), self.entries))
        for index, column in enumerate(self.columns):
            sums[index] = counts @ column
        result: FloatArray = np.moveaxis(sums, 0, -1)
        return result

    def drawn(self, draws: ClusterDraws) -> Iterator[FloatArray]:
        """Sums of each draw, in blocks (draws, entries, k) of BLOCK_BYTES or little more.

        Raises ValueError for draws of another number of clusters.
        """
        if draws.clusters != self.clusters:
            raise ValueError(f"draws of {draws.clusters} clusters, sums of {self.clusters}")
        width = max(self.clusters, self.entries * len(self.columns))
        dtype = self.columns[0].dtype
        for counts in draws.counts(max(1, BLOCK_BYTES // (8 * width)), dtype):
            yield self.weighted(counts)


def drawn_values(board: BoardSums, metrics: Sequence[Metric], draws: ClusterDraws) -> FloatArray:
    """Value of each metric for each entry in each draw: (metrics, entries, draws)."""
    values = np.empty((len(metrics), board.entries, draws.draws))
    start = 0
    for sums in board.drawn(draws):
        stop = start + len(sums)
        for row, metric in zip(values, metrics, strict=True):
            row[:, start:stop] = metric(sums).T
        start = stop
    return values
