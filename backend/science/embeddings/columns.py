"""A tall matrix on disk in blocks of columns, of which only one part is ever in memory."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled
from backend.science.embeddings.products import COLUMNS, Block, Floats, check_width
from backend.science.threads import Part, in_threads

Cube = NDArray[np.float32]  # [blocks, rows, 16]
CHUNK = 1 << 16  # rows looked at in one go; fixed, so that sums over them are always the same


def chunks(rows: int) -> list[Part]:
    return [(first, min(first + CHUNK, rows)) for first in range(0, rows, CHUNK)]


class Columns:
    """float32 [rows, width], kept as width / 16 blocks of 16 columns, one after another.

    Read and written through the file, not through a memory map, whose pages would count as
    memory of this process. Rows that were never written are zeros.
    """

    def __init__(self, file: int, rows: int, width: int) -> None:
        check_width(width)
        self._file, self.rows, self.width = file, rows, width
        os.ftruncate(file, rows * width * 4)

    @property
    def blocks(self) -> int:
        return self.width // COLUMNS

    def read(self, block: int, into: Block, first: int = 0) -> None:
        """Rows of a block from `first` on, as many as there is room for."""
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

    def part(self, first: int, last: int) -> Cube:
        """The rows first to last over all columns, float32 [blocks, last - first, 16]."""
        found = np.empty((self.blocks, last - first, COLUMNS), np.float32)
        for block in range(self.blocks):
            self.read(block, found[block], first)
        return found

    def rows_of(self, first: int, last: int) -> Floats:
        """The same, float64 [last - first, width]."""
        part = self.part(first, last)
        return part.transpose(1, 0, 2).reshape(-1, self.width).astype(np.float64)

    def against(self, block: Block, weights: Floats) -> Floats:
        """Xᵀ diag(weights) times a block [rows, 16], summed chunk by chunk in their order."""

        def of_chunk(first: int, last: int) -> Floats:
            total = np.zeros((self.blocks, COLUMNS, COLUMNS))
            for one, part in zip(total, self.part(first, last), strict=True):
                cross(part, block[first:last], weights[first:last], one)
            return total.reshape(self.width, COLUMNS)

        total = np.zeros((self.width, COLUMNS))
        for found in in_threads(of_chunk, chunks(self.rows)):
            total += found
        return total

    def turn(self, matrix: Floats, into: Columns) -> None:
        """into := X · matrix, of which there are as many columns as before. `into` may be this."""
        cut = matrix.reshape(self.width, self.blocks, COLUMNS).transpose(1, 0, 2).copy()

        def turn_chunk(first: int, last: int) -> None:
            part = self.part(first, last)
            turned = np.empty_like(part)
            rotate(part, cut, turned)
            for block in range(self.blocks):
                into.write(block, turned[block], first)

        in_threads(turn_chunk, chunks(self.rows))

    def checksums(self, first: int, last: int) -> list[str]:
        """Of each of these blocks."""
        parts = [(block, block + 1) for block in range(first, last)]
        return in_threads(lambda block, _: self._checksum(block), parts)

    def _checksum(self, block: int) -> str:
        found = hashlib.sha256()
        for first, last in chunks(self.rows):
            part = np.empty((last - first, COLUMNS), np.float32)
            self.read(block, part, first)
            found.update(part.data)
        return found.hexdigest()

    def sync(self) -> None:
        """Return once all that was written is on the disk."""
        os.fsync(self._file)

    def _place(self, block: int, first: int) -> int:
        return (block * self.rows + first) * COLUMNS * 4


@compiled
def cross(one: Block, other: Block, weights: Floats, found: Floats) -> None:
    """Add oneᵀ diag(weights) other [16, 16], four rows at a time.

    A library's product would do, were it not for its threads, which wait for each other: beside
    other work on the same cores it was measured to be a hundred times slower.
    """
    whole = len(one) - len(one) % 4
    for row in range(0, whole, 4):
        for i in range(COLUMNS):
            a, b = one[row, i] * weights[row], one[row + 1, i] * weights[row + 1]
            c, d = one[row + 2, i] * weights[row + 2], one[row + 3, i] * weights[row + 3]
            for j in range(COLUMNS):
                found[i, j] += (a * other[row, j] + b * other[row + 1, j]) + (
                    c * other[row + 2, j] + d * other[row + 3, j]
                )
    for row in range(whole, len(one)):
        for i in range(COLUMNS):
            for j in range(COLUMNS):
                found[i, j] += one[row, i] * weights[row] * other[row, j]


@compiled
def rotate(part: Cube, matrix: Floats, turned: Cube) -> None:
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
def columns(folder: Path, rows: int, width: int) -> Iterator[Columns]:
    """Room on the disk of this folder, given back at the end and after a kill."""
    with tempfile.TemporaryFile(dir=folder) as file:
        yield Columns(file.fileno(), rows, width)


@contextmanager
def kept_columns(path: Path, rows: int, width: int) -> Iterator[Columns]:
    """Room in a file that stays, with what it holds."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        yield Columns(file, rows, width)
    finally:
        os.close(file)
