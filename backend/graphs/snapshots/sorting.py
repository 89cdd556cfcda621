"""Sorting more rows than fit into memory: by way of files that each hold one range of keys."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.tables import Spool, Table, joined

BUCKETS = 64
SAMPLE = 4096
DEEPEST = 5  # a bucket that is still too large holds one key, and no sorting makes that smaller


class ExternalSort:
    """Tables go in as they come and come out by rising 'key' (uint64); equal keys keep their order.

    No key is spread over two of the tables that come out. What fits into the limit never touches
    the disk; the rest goes into buckets whose borders are drawn from the keys that came first, and
    a bucket that grew too large is sorted in the same way.
    """

    def __init__(self, folder: Path, limit: int, depth: int = 0) -> None:
        self.folder, self.limit, self.depth = folder, limit, depth
        self.held: list[Table] = []
        self.held_bytes = 0
        self.borders: NDArray[np.uint64] | None = None
        self.buckets: list[Spool] = []

    def add(self, table: Table) -> None:
        if not len(table):
            return
        self.held.append(table)
        self.held_bytes += table.nbytes
        if self.held_bytes > self.limit:
            self._spill()

    def tables(self) -> Iterator[Table]:
        """Everything, sorted, once."""
        if self.borders is None:
            yield from self._sorted_held()
            return
        self._spill()
        for bucket in self.buckets:
            bucket.close()
        for bucket in self.buckets:
            yield from self._sorted_bucket(bucket)
        shutil.rmtree(self.folder)

    def _sorted_held(self) -> Iterator[Table]:
        held, self.held = self.held, []
        if held:
            yield by_key(joined(held))

    def _sorted_bucket(self, bucket: Spool) -> Iterator[Table]:
        if bucket.nbytes <= self.limit or self.depth == DEEPEST:
            if held := list(bucket.tables()):
                yield by_key(joined(held))
            return
        finer = ExternalSort(bucket.path.with_suffix(".finer"), self.limit, self.depth + 1)
        for table in bucket.tables():
            finer.add(table)
        yield from finer.tables()

    def _spill(self) -> None:
        if not self.held:
            return
        table, self.held, self.held_bytes = joined(self.held), [], 0
        if self.borders is None:
            self.folder.mkdir(parents=True)
            self.borders = borders_of(table.columns["key"])
            names = range(len(self.borders) + 1)
            self.buckets = [Spool(self.folder / f"{number:03}") for number in names]
        bucket_of = np.searchsorted(self.borders, table.columns["key"], "right").astype(np.uint8)
        table = table.take(np.argsort(bucket_of, kind="stable"))
        sizes = np.bincount(bucket_of, minlength=len(self.buckets))
        first = 0
        for bucket, size in zip(self.buckets, sizes.tolist(), strict=True):
            if size:
                bucket.append(table.part(first, first + size))
            first += size


def borders_of(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Keys that cut a sample of them into parts of equal size."""
    sample = np.sort(keys[:: max(1, len(keys) // SAMPLE)])
    return np.unique(sample[np.linspace(0, len(sample) - 1, BUCKETS + 1).astype(np.intp)[1:-1]])


def by_key(table: Table) -> Table:
    return table.take(np.argsort(table.columns["key"], kind="stable"))
