"""Tables of columns of equal length, in memory and as frames in a sequential file."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.string_array import StringArray

Column = NDArray[Any]

# Value of a row in a column that is omitted from its table.
MISSING_VALUES: Mapping[str, float] = {"score": np.nan, "p_value": np.nan, "folded": 1}
LENGTH_FORMAT = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class ColumnTable:
    """Numeric columns and string columns. An empty column is omitted."""

    columns: dict[str, Column]
    texts: dict[str, StringArray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def nbytes(self) -> int:
        numbers = sum(column.nbytes for column in self.columns.values())
        return numbers + sum(texts.nbytes for texts in self.texts.values())

    def take(self, order: NDArray[np.integer]) -> ColumnTable:
        return ColumnTable(
            {name: column[order] for name, column in self.columns.items()},
            {name: texts.take(order) for name, texts in self.texts.items()},
        )

    def filter(self, mask: NDArray[np.bool_]) -> ColumnTable:
        return self if mask.all() else self.take(np.flatnonzero(mask))

    def slice_rows(self, first: int, last: int) -> ColumnTable:
        return ColumnTable(
            {name: column[first:last] for name, column in self.columns.items()},
            {name: texts.slice_strings(first, last) for name, texts in self.texts.items()},
        )

    def with_columns(self, **columns: Column) -> ColumnTable:
        return ColumnTable({**self.columns, **columns}, self.texts)

    def without_columns(self, *names: str) -> ColumnTable:
        columns = {name: column for name, column in self.columns.items() if name not in names}
        texts = {name: text for name, text in self.texts.items() if name not in names}
        return ColumnTable(columns, texts)


def concatenate_tables(tables: Sequence[ColumnTable]) -> ColumnTable:
    """Concatenate tables; columns missing from some are filled with MISSING_VALUES."""
    if len(tables) == 1:
        return tables[0]
    dtypes = {name: column.dtype for table in tables for name, column in table.columns.items()}
    texts = {name for table in tables for name in table.texts}
    return ColumnTable(
        {
            name: np.concatenate([column_of(table, name, dtype) for table in tables])
            for name, dtype in dtypes.items()
        },
        {
            name: StringArray.concatenate(
                [t.texts.get(name) or StringArray.empty(len(t)) for t in tables]
            )
            for name in sorted(texts)
        },
    )


def column_of(table: ColumnTable, name: str, dtype: np.dtype[Any]) -> Column:
    if name in table.columns:
        return table.columns[name]
    return np.full(len(table), MISSING_VALUES.get(name, 0), dtype)


class TableSpool:
    """A temporary file of tables: appended to, then read once from the start."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.nbytes = 0
        self._file: IO[bytes] | None = None

    def append(self, table: ColumnTable) -> None:
        if self._file is None:
            self._file = self.path.open("wb")
        header = {
            "columns": {name: column.dtype.str for name, column in table.columns.items()},
            "texts": {name: int(texts.offsets[-1]) for name, texts in table.texts.items()},
            "rows": len(table),
        }
        line = json.dumps(header).encode()
        self._file.write(LENGTH_FORMAT.pack(len(line)) + line)
        for column in table.columns.values():
            self._file.write(np.ascontiguousarray(column).data)
        for texts in table.texts.values():
            self._file.write(texts.lengths.astype(np.uint32).data)
            self._file.write(np.ascontiguousarray(texts.pool).data)
        self.nbytes += table.nbytes

    def tables(self) -> Iterator[ColumnTable]:
        """The appended tables in order. The file is deleted afterwards."""
        self.close()
        if not self.nbytes:
            return
        with self.path.open("rb") as file:
            while size := file.read(LENGTH_FORMAT.size):
                yield read_frame(file, LENGTH_FORMAT.unpack(size)[0])
        self.path.unlink()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def read_frame(file: IO[bytes], header_size: int) -> ColumnTable:
    header = json.loads(file.read(header_size))
    rows = header["rows"]
    columns = {name: read_array(file, dtype, rows) for name, dtype in header["columns"].items()}
    texts = {}
    for name, size in header["texts"].items():
        lengths = read_array(file, "<u4", rows)
        texts[name] = StringArray.of_lengths(read_array(file, "|u1", size), lengths)
    return ColumnTable(columns, texts)


def read_array(file: IO[bytes], dtype: str, count: int) -> Column:
    return np.frombuffer(file.read(np.dtype(dtype).itemsize * count), dtype)
