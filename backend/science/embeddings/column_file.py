"""A tall matrix on disk in blocks of columns, of which only a part is ever in memory."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile
from backend.runtime.parallel import Part, run_in_threads
from backend.science.embeddings.sparse_products import COLUMNS, Block, Floats, check_width

ColumnBlocks = NDArray[np.float32]  # [blocks, rows, 16]
CHUNK_ROWS = 1 << 16  # rows per step; fixed, so that sums over them are deterministic


def split_chunks(rows: int) -> list[Part]:
    return [(first, min(first + CHUNK_ROWS, rows)) for first in range(0, rows, CHUNK_ROWS)]


class ColumnFile:
    """float32 [rows, width], stored as width / 16 consecutive blocks of 16 columns.

    Accessed through the file, not through a memory map, whose pages would count as memory of this
    process. Rows that were never written are zero.
    """

    def __init__(self, file: int, rows: int, width: int) -> None:
        check_width(width)
        self._file, self.rows, self.width = file, rows, width
        os.ftruncate(file, rows * width * 4)

    @property
    def blocks(self) -> int:
        return self.width // COLUMNS

    def read(self, block: int, into: Block, first: int = 0) -> None:
        """Rows of a block from `first` on, as many as `into` holds."""
        left, place = into.data.cast("B"), self._place(block, first)
        while left:
            got = os.preadv(self._file, [left], place)
            if not got:
                raise EOFError("the file of columns was cut short")
            left, place = left[got:], place + got

    def write(self, block: int, part: Block, first: int = 0) -> None:
        left, place = part.data.cast("B"), self._place(block, first)
        while left:
            put = os.pwrite(self._file, left, place)
            left, place = left[put:], place + put

    def read_blocks(self, first: int, last: int) -> ColumnBlocks:
        """The rows first to last over all columns, float32 [blocks, last - first, 16]."""
        result = np.empty((self.blocks, last - first, COLUMNS), np.float32)
        for block in range(self.blocks):
            self.read(block, result[block], first)
        return result

    def read_rows(self, first: int, last: int) -> Floats:
        """The rows first to last, float64 [last - first, width]."""
        part = self.read_blocks(first, last)
        return part.transpose(1, 0, 2).reshape(-1, self.width).astype(np.float64)

    def weighted_gram(self, block: Block, weights: Floats) -> Floats:
        """Xᵀ diag(weights) times a block [rows, 16], summed chunk by chunk in order."""

        def of_chunk(first: int, last: int) -> Floats:
            total = np.zeros((self.blocks, COLUMNS, COLUMNS))
            for one, part in zip(total, self.read_blocks(first, last), strict=True):
                add_weighted_product(part, block[first:last], weights[first:last], one)
            return total.reshape(self.width, COLUMNS)

        total = np.zeros((self.width, COLUMNS))
        for result in run_in_threads(of_chunk, split_chunks(self.rows)):
            total += result
        return total

    def rotate_into(self, matrix: Floats, into: ColumnFile) -> None:
        """into := X · matrix, a square matrix. `into` may be this file."""
        cut = matrix.reshape(self.width, self.blocks, COLUMNS).transpose(1, 0, 2).copy()

        def turn_chunk(first: int, last: int) -> None:
            part = self.read_blocks(first, last)
            turned = np.empty_like(part)
            rotate_rows(part, cut, turned)
            for block in range(self.blocks):
                into.write(block, turned[block], first)

        run_in_threads(turn_chunk, split_chunks(self.rows))

    def checksums(self, first: int, last: int) -> list[str]:
        """SHA-256 of each of these blocks."""
        parts = [(block, block + 1) for block in range(first, last)]
        return run_in_threads(lambda block, _: self._checksum(block), parts)

    def _checksum(self, block: int) -> str:
        result = hashlib.sha256()
        for first, last in split_chunks(self.rows):
            part = np.empty((last - first, COLUMNS), np.float32)
            self.read(block, part, first)
            result.update(part.data)
        return result.hexdigest()

    def sync(self) -> None:
        """Flush all written data to the disk."""
        os.fsync(self._file)

    def _place(self, block: int, first: int) -> int:
        return (block * self.rows + first) * COLUMNS * 4


@jit_compile
def add_weighted_product(one: Block, other: Block, weights: Floats, out: Floats) -> None:
    """Add oneᵀ diag(weights) other [16, 16], four rows at a time.

    A BLAS product is not used: its threads wait for each other, and beside other work on the same
    cores it measured a hundred times slower.
    """
    whole = len(one) - len(one) % 4
    for row in range(0, whole, 4):
        for i in range(COLUMNS):
            a, b = one[row, i] * weights[row], one[row + 1, i] * weights[row + 1]
            c, d = one[row + 2, i] * weights[row + 2], one[row + 3, i] * weights[row + 3]
            for j in range(COLUMNS):
                out[i, j] += (a * other[row, j] + b * other[row + 1, j]) + (
                    c * other[row + 2, j] + d * other[row + 3, j]
                )
    for row in range(whole, len(one)):
        for i in range(COLUMNS):
            for j in range(COLUMNS):
                out[i, j] += one[row, i] * weights[row] * other[row, j]


@jit_compile
def rotate_rows(part: ColumnBlocks, matrix: Floats, turned: ColumnBlocks) -> None:
    """turned [blocks, n, 16] := part times the matrix, cut as [blocks, width, 16]."""
    sums = np.empty(COLUMNS)
    for block in range(len(turned)):
        for row in range(part.shape[1]):
            sums[:] = 0
            for given in range(len(part)):
                for i in range(COLUMNS):
                    factor = np.float64(part[given, row, i])
                    for j in range(COLUMNS):
                        sums[j] += factor * matrix[block, given * COLUMNS + i, j]
            for j in range(COLUMNS):
                turned[block, row, j] = sums[j]


@contextmanager
def temporary_columns(folder: Path, rows: int, width: int) -> Iterator[ColumnFile]:
    """Temporary file in this folder; the space is freed at the end and after a kill."""
    with tempfile.TemporaryFile(dir=folder) as file:
        yield ColumnFile(file.fileno(), rows, width)


@contextmanager
def persistent_columns(path: Path, rows: int, width: int) -> Iterator[ColumnFile]:
    """A file that persists, with its content."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        yield ColumnFile(file, rows, width)
    finally:
        os.close(file)
