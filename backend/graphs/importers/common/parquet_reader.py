"""Read chosen columns of texts of a Parquet file, in bounded memory, as rows with their numbers."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from typing import NamedTuple

from backend.graphs.importers.common.input_files import FileRefused, InputFile, ReadLimits
from backend.validation.row_files import faults as row_faults
from backend.validation.row_files.parquet_rows import WorkerRequest
from backend.validation.row_files.parquet_tables import Cells, ParquetTable, open_parquet_table

PARQUET = b"PAR1"
MAX_SECONDS = 7_200
"""Of the processor. Reading twenty million edges takes minutes."""
MAX_NAMES_LISTED = 40


class ParquetRow(NamedTuple):
    """The number of a row, from 1, and its chosen cells."""

    number: int
    cells: Cells


def read_column_names(file: InputFile) -> tuple[str, ...]:
    """Raises FileRefused."""
    with _open_table(file, (), {}) as table:
        return table.names


def read_parquet(
    file: InputFile,
    columns: Sequence[str],
    *,
    optional: Sequence[str] = (),
    nested: Mapping[str, Sequence[str]],
) -> Iterator[ParquetRow]:
    """The cells of the columns, then of the optional ones. Raises FileRefused.

    `nested`: the members to read of each column that can be a structure; its cell is JSON.
    """
    with _open_table(file, (*columns, *optional), nested) as table:
        _require_columns(file, table, columns)
        number = 0
        for batch in table.batches():
            _check(file.limits)
            for cells in batch:
                number += 1
                yield ParquetRow(number, cells)
    _check(file.limits)


def worker_seconds(limits: ReadLimits) -> int:
    """Groups without rows give no batch, so only the process itself can end in time."""
    remaining = limits.remaining_s() if limits.remaining_s is not None else None
    return MAX_SECONDS if remaining is None else max(1, min(MAX_SECONDS, ceil(remaining)))


def _check(limits: ReadLimits) -> None:
    if limits.check is not None:
        limits.check()


def _require_columns(file: InputFile, table: ParquetTable, columns: Sequence[str]) -> None:
    for name in columns:
        if name not in table.names:
            names = ", ".join(table.names[:MAX_NAMES_LISTED])
            detail = f"{file.name} has no column {name}. It has: {names}."
            raise FileRefused(file.name, detail, code="columns", expected=name)


@contextmanager
def _open_table(
    file: InputFile, columns: Sequence[str], nested: Mapping[str, Sequence[str]]
) -> Iterator[ParquetTable]:
    limits = file.limits
    most = max(limits.expanded_floor, file.size * limits.expanded_ratio)
    request = WorkerRequest(columns, most, limits.text, worker_seconds(limits), nested)
    try:
        with file.open() as stream, open_parquet_table(stream, request) as table:
            yield table
    except row_faults.FileRefused as refused:
        _check(limits)  # out of time, the process ends like one that reads a damaged file
        fault = refused.fault
        place = f"{file.name}, row {fault.line:,}" if fault.line else file.name
        given = f" It has: {fault.given}." if fault.given else ""
        detail = f"{place}: {fault.message}{given}"
        raise FileRefused(file.name, detail, code=fault.code, expected=fault.expected) from refused
