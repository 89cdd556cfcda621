"""Rows as columns of one length, in memory and as frames in a file that is read front to back."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.strings import Texts

Column = NDArray[Any]

# What a row has in a column that its table was written without.
ABSENT: Mapping[str, float] = {"score": np.nan, "p_value": np.nan, "folded": 1}
LENGTH = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of numbers and columns of texts. A column that nobody has used is left out."""

    columns: dict[str, Column]
    texts: dict[str, Texts] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def nbytes(self) -> int:
        numbers = sum(column.nbytes for column in self.columns.values())
        return numbers + sum(texts.nbytes for texts in self.texts.values())

    def take(self, order: NDArray[np.integer]) -> Table:
        return Table(
            {name: column[order] for name, column in self.columns.items()},
            {name: texts.take(order) for name, texts in self.texts.items()},
        )

    def where(self, mask: NDArray[np.bool_]) -> Table:
        return self if mask.all() else self.take(np.flatnonzero(mask))

    def part(self, first: int, last: int) -> Table:
        return Table(
            {name: column[first:last] for name, column in self.columns.items()},
            {name: texts.part(first, last) for name, texts in self.texts.items()},
        )

    def with_columns(self, **columns: Column) -> Table:
        return Table({**self.columns, **columns}, self.texts)

    def without(self, *names: str) -> Table:
        kept = {name: column for name, column in self.columns.items() if name not in names}
        return Table(kept, {name: t for name, t in self.texts.items() if name not in names})


def joined(tables: Sequence[Table]) -> Table:
    """One below the other; a column that some have is filled in for the others."""
    if len(tables) == 1:
        return tables[0]
    dtypes = {name: column.dtype for table in tables for name, column in table.columns.items()}
    texts = {name for table in tables for name in table.texts}
    return Table(
        {
            name: np.concatenate([column_of(table, name, dtype) for table in tables])
            for name, dtype in dtypes.items()
        },
        {
            name: Texts.joined([t.texts.get(name) or Texts.empty(len(t)) for t in tables])
            for name in sorted(texts)
        },
    )


def column_of(table: Table, name: str, dtype: np.dtype[Any]) -> Column:
    if name in table.columns:
        return table.columns[name]
    return np.full(len(table), ABSENT.get(name, 0), dtype)


class Spool:
    """A file of tables, written at its end and read from its beginning, once complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.nbytes = 0
        self._file: IO[bytes] | None = None

    def append(self, table: Table) -> None:
        if self._file is None:
            self._file = self.path.open("wb")
        header = {
            "columns": {name: column.dtype.str for name, column in table.columns.items()},
            "texts": {name: int(texts.offsets[-1]) for name, texts in table.texts.items()},
            "rows": len(table),
        }
        line = json.dumps(header).encode()
        self._file.write(LENGTH.pack(len(line)) + line)
        for column in table.columns.values():
            self._file.write(np.ascontiguousarray(column).data)
        for texts in table.texts.values():
            self._file.write(texts.lengths.astype(np.uint32).data)
            self._file.write(np.ascontiguousarray(texts.pool).data)
        self.nbytes += table.nbytes

    def tables(self) -> Iterator[Table]:
        """What was appended, in that order; the file is gone afterwards."""
        self.close()
        if not self.nbytes:
            return
        with self.path.open("rb") as file:
            while size := file.read(LENGTH.size):
                yield read_frame(file, LENGTH.unpack(size)[0])
        self.path.unlink()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_frame(file: IO[bytes], header_size: int) -> Table:
    header = json.loads(file.read(header_size))
    rows = header["rows"]
    columns = {name: read_array(file, dtype, rows) for name, dtype in header["columns"].items()}
    texts = {}
    for name, size in header["texts"].items():
        lengths = read_array(file, "<u4", rows)
        texts[name] = Texts.of_lengths(read_array(file, "|u1", size), lengths)
    return Table(columns, texts)


def read_array(file: IO[bytes], dtype: str, count: int) -> Column:
    return np.frombuffer(file.read(np.dtype(dtype).itemsize * count), dtype)
