"""External sort: tables larger than memory are split into files that each hold one key range."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.column_table import ColumnTable, TableSpool, concatenate_tables

BUCKET_COUNT = 64
SAMPLE_SIZE = 4096
MAX_DEPTH = 5  # a bucket that is still too large holds a single key and cannot be split


class ExternalSort:
    """Accepts tables in any order and yields them by ascending 'key' (uint64). The sort is stable.

    All rows of one key are in one output table. Data within the memory limit never touches the
    disk. The rest is split into buckets by quantiles of the first keys; a bucket above the limit is
    sorted recursively.
    """

    def __init__(self, folder: Path, limit: int, depth: int = 0) -> None:
        self.folder, self.limit, self.depth = folder, limit, depth
        self.pending: list[ColumnTable] = []
        self.pending_bytes = 0
        self.borders: NDArray[np.uint64] | None = None
        self.buckets: list[TableSpool] = []

    def add(self, table: ColumnTable) -> None:
        if not len(table):
            return
        self.pending.append(table)
        self.pending_bytes += table.nbytes
        if self.pending_bytes > self.limit:
            self._spill()

    def tables(self) -> Iterator[ColumnTable]:
        """All tables, sorted. May be called once."""
        if self.borders is None:
            yield from self._sort_in_memory()
            return
        self._spill()
        for bucket in self.buckets:
            bucket.close()
        for bucket in self.buckets:
            yield from self._sort_bucket(bucket)
        shutil.rmtree(self.folder)

    def _sort_in_memory(self) -> Iterator[ColumnTable]:
        value, self.pending = self.pending, []
        if value:
            yield sort_by_key(concatenate_tables(value))

    def _sort_bucket(self, bucket: TableSpool) -> Iterator[ColumnTable]:
        if bucket.nbytes <= self.limit or self.depth == MAX_DEPTH:
            if value := list(bucket.tables()):
                yield sort_by_key(concatenate_tables(value))
            return
        finer = ExternalSort(bucket.path.with_suffix(".finer"), self.limit, self.depth + 1)
        for table in bucket.tables():
            finer.add(table)
        yield from finer.tables()

    def _spill(self) -> None:
        if not self.pending:
            return
        table, self.pending, self.pending_bytes = concatenate_tables(self.pending), [], 0
        if self.borders is None:
            self.folder.mkdir(parents=True)
            self.borders = bucket_borders(table.columns["key"])
            names = range(len(self.borders) + 1)
            self.buckets = [TableSpool(self.folder / f"{number:03}") for number in names]
        bucket_of = np.searchsorted(self.borders, table.columns["key"], "right").astype(np.uint8)
        table = table.take(np.argsort(bucket_of, kind="stable"))
        sizes = np.bincount(bucket_of, minlength=len(self.buckets))
        first = 0
        for bucket, size in zip(self.buckets, sizes.tolist(), strict=True):
            if size:
                bucket.append(table.slice_rows(first, first + size))
            first += size


def bucket_borders(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Quantiles of a sample of keys that split it into parts of equal size."""
    sample = np.sort(keys[:: max(1, len(keys) // SAMPLE_SIZE)])
    return np.unique(
        sample[np.linspace(0, len(sample) - 1, BUCKET_COUNT + 1).astype(np.intp)[1:-1]]
    )


def sort_by_key(table: ColumnTable) -> ColumnTable:
    return table.take(np.argsort(table.columns["key"], kind="stable"))
