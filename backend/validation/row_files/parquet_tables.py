"""Columns of texts of a Parquet file of any size; structures come as JSON texts."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import pyarrow as pa

from backend.validation.row_files.faults import FileRefused
from backend.validation.row_files.limits import MEGABYTE
from backend.validation.row_files.parquet_rows import (
    WorkerRequest,
    is_text,
    start_worker,
    worker_refusal,
)

Cells = tuple[str | None, ...]


@dataclass(frozen=True)
class ParquetTable:
    """An open file: the names of all its columns, and a reader of the chosen ones."""

    names: tuple[str, ...]
    chosen: tuple[str, ...]
    reader: pa.RecordBatchReader
    worker: "subprocess.Popen[bytes]"
    report: IO[bytes]

    def batches(self) -> Iterator[list[Cells]]:
        """Rows in the order of the file; None for an empty cell and for a column it lacks.

        Bytes that are no UTF-8 become surrogates, which no check of a text accepts.
        """
        self._check_types()
        while (batch := self._next_batch()) is not None:
            empty: list[str | None] = [None] * len(batch)
            named = dict(zip(batch.schema.names, batch.columns, strict=True))
            columns = [texts_of(named[name]) if name in named else empty for name in self.chosen]
            yield [*zip(*columns, strict=True)]
        if self.worker.wait():
            raise worker_refusal(self.report)

    def _next_batch(self) -> pa.RecordBatch | None:
        try:
            return self.reader.read_next_batch()
        except StopIteration:
            return None
        except (pa.ArrowException, OSError) as error:  # it ended early
            self.worker.kill()
            self.worker.wait()
            raise worker_refusal(self.report) from error

    def _check_types(self) -> None:
        for field in self.reader.schema:
            if not is_text(field.type) and not pa.types.is_null(field.type):
                message = f"The values of '{field.name}' have another type."
                raise FileRefused("wrong_type", message, "text", given=str(field.type))


def texts_of(column: pa.Array) -> list[str | None]:
    try:
        texts: list[str | None] = column.to_pylist()
    except UnicodeDecodeError:
        values = column.cast(pa.large_binary()).to_pylist()
        texts = [None if it is None else it.decode(errors="surrogateescape") for it in values]
    return texts


@contextmanager
def open_parquet_table(stream: IO[bytes], request: WorkerRequest) -> Iterator[ParquetTable]:
    """Raises FileRefused, also while batches are read, for a file that is damaged or too large."""
    with tempfile.TemporaryFile() as copy, tempfile.TemporaryFile() as report:
        while block := stream.read(MEGABYTE):
            copy.write(block)
        copy.seek(0)
        with start_worker(copy, report, request) as worker:
            try:
                reader = pa.ipc.open_stream(pa.PythonFile(worker.stdout, mode="r"))
                names = tuple(json.loads(reader.schema.metadata[b"names"]))
            except (pa.ArrowException, OSError) as error:
                worker.kill()
                worker.wait()
                raise worker_refusal(report) from error
            yield ParquetTable(names, tuple(request.columns), reader, worker, report)
