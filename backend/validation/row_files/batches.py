"""Batches of rows as a format yields them, before their schema is checked."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.validation.row_files.number_lists import ListBatch


@dataclass(frozen=True)
class JsonBatch:
    """JSON texts, each with the number of its first line."""

    lines: Sequence[int]
    texts: Sequence[bytes]


@dataclass(frozen=True)
class ValueBatch:
    """Rows of Parquet or CSV as objects of Python values."""

    lines: Sequence[int]
    rows: Sequence[dict[str, object]]


RowBatch = JsonBatch | ValueBatch
RawBatch = RowBatch | ListBatch
