"""A tall matrix on disk in blocks of columns, of which only one part is ever in memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.science.embeddings.products import COLUMNS, Block, Floats, check_width
from backend.science.threads import Part

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

    def part(self, first: int, last: int) -> Floats:
        """The rows first to last over all columns, float64 [last - first, width]."""
        found = np.empty((last - first, self.width))
        room = np.empty((last - first, COLUMNS), np.float32)
        for block in range(self.blocks):
            self.read(block, room, first)
            found[:, block * COLUMNS : (block + 1) * COLUMNS] = room
        return found

    def gram(self, weights: Floats) -> Floats:
        """Xᵀ diag(weights) X, summed chunk by chunk."""
        total = np.zeros((self.width, self.width))
        for first, last in chunks(self.rows):
            part = self.part(first, last)
            total += part.T @ (part * weights[first:last, None])
        return total

    def against(self, block: Block) -> Floats:
        """Xᵀ times a block [rows, 16]."""
        total = np.zeros((self.width, block.shape[1]))
        for first, last in chunks(self.rows):
            total += self.part(first, last).T @ block[first:last].astype(np.float64)
        return total

    def turn(self, matrix: NDArray[np.float64]) -> None:
        """X := X · matrix, of which there are as many columns as before."""
        for first, last in chunks(self.rows):
            turned = (self.part(first, last) @ matrix).astype(np.float32)
            for block in range(self.blocks):
                columns = turned[:, block * COLUMNS : (block + 1) * COLUMNS]
                self.write(block, np.ascontiguousarray(columns), first)

    def _place(self, block: int, first: int) -> int:
        return (block * self.rows + first) * COLUMNS * 4


@contextmanager
def columns(folder: Path, rows: int, width: int) -> Iterator[Columns]:
    """Room on the disk of this folder, given back at the end and after a kill."""
    with tempfile.TemporaryFile(dir=folder) as file:
        yield Columns(file.fileno(), rows, width)
