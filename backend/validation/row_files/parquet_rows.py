"""Parquet files, as batches of objects. A process with limits reads them (parquet_worker)."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pyarrow as pa

from backend.validation.faults import printable
from backend.validation.row_files.batches import ValueBatch
from backend.validation.row_files.compression import LimitedStream
from backend.validation.row_files.csv_rows import Columns, fields_of_header
from backend.validation.row_files.faults import FileRefused
from backend.validation.row_files.limits import MEGABYTE, ReadLimits
from backend.validation.row_files.number_lists import ListBatch, lists_of_batch

WORKER = str(Path(__file__).with_name("parquet_worker.py"))  # importing it would load all of Arrow
BATCH_BYTES = 8 * MEGABYTE
MEMORY_BYTES = 1_200 * MEGABYTE  # a quarter of it is the worker's code
SECONDS = 300  # of the processor
PASSED_VARIABLES = ("PATH", "HOME", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "APPDATA")
SET_VARIABLES = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}
REPORT_BYTES = 10_000


def read_parquet(
    stream: LimitedStream, limits: ReadLimits, columns: Columns
) -> Iterator[ValueBatch | ListBatch]:
    names = [*columns.names, *columns.aliases]
    request = WorkerRequest(names, limits.bytes, limits.row_bytes)
    with (
        seekable_file(stream) as file,
        tempfile.TemporaryFile() as report,
        start_worker(file, report, request) as worker,
    ):
        try:
            yield from read_stream(pa.PythonFile(worker.stdout, mode="r"), columns)
        except (pa.ArrowException, OSError) as error:  # it ended early
            worker.kill()
            raise worker_refusal(report) from error
        if worker.wait():
            raise worker_refusal(report)


@contextmanager
def seekable_file(stream: LimitedStream) -> Iterator[IO[bytes]]:
    """Parquet is read from its end, so a stream is first copied to a temporary file."""
    if (file := stream.regular_file()) is not None:
        yield file
        return
    with tempfile.TemporaryFile() as copy:
        while block := stream.read(MEGABYTE):
            copy.write(block)
        copy.seek(0)
        yield copy


@dataclass(frozen=True)
class WorkerRequest:
    """`nested`: the members to read, as JSON, of each column that can be a structure."""

    columns: Sequence[str]
    bytes: int
    row_bytes: int
    seconds: int = SECONDS
    nested: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def as_json(self) -> str:
        limits = {
            "bytes": self.bytes,
            "row_bytes": self.row_bytes,
            "batch_bytes": BATCH_BYTES,
            "memory_bytes": MEMORY_BYTES,
            "seconds": self.seconds,
        }
        members = {name: [*chosen] for name, chosen in self.nested.items()}
        return json.dumps({"columns": [*self.columns], "nested": members, "limits": limits})


@contextmanager
def start_worker(
    file: IO[bytes], report: IO[bytes], request: WorkerRequest
) -> Iterator["subprocess.Popen[bytes]"]:
    passed = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-P", WORKER, request.as_json()],
        stdin=file,
        stdout=subprocess.PIPE,
        stderr=report,
        env={**passed, **SET_VARIABLES},
        pipesize=MEGABYTE,
    ) as worker:
        try:
            yield worker
        finally:
            worker.kill()


def worker_refusal(report: IO[bytes]) -> FileRefused:
    """What the worker reports; if it died, the file is damaged or takes too much memory."""
    size = report.seek(0, os.SEEK_END)
    report.seek(max(size - REPORT_BYTES, 0))
    try:
        members = json.loads(report.read().rpartition(b"\n")[2])
        members["message"] = printable(members["message"])
        members["given"] = printable(members["given"])
        return FileRefused(**members)
    except (ValueError, TypeError, KeyError):
        message = "This file is damaged, or reading it takes too much memory."
        return FileRefused("not_parquet", message, "a Parquet file of plain columns")


def read_stream(stream: pa.NativeFile, columns: Columns) -> Iterator[ValueBatch | ListBatch]:
    reader = pa.ipc.open_stream(stream)
    metadata: Mapping[bytes, bytes] = reader.schema.metadata
    fields_of_header(json.loads(metadata[b"names"]), columns)
    names = fields_of_header(reader.schema.names, columns)
    line = 1
    for batch in reader:
        if columns.lists is not None and len(batch) and sorted(names) == sorted(columns.names):
            named = pa.RecordBatch.from_arrays(batch.columns, names)
            if (lists := lists_of_batch(named, columns.lists, line)) is not None:
                yield lists
                line += len(batch)
                continue
        values = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        if any(column.null_count or is_text(column.type) for column in batch.columns):
            rows = [parse_values(names, row, columns) for row in values]
        else:
            rows = [dict(zip(names, row, strict=True)) for row in values]
        yield ValueBatch(range(line, line + len(rows)), rows)
        line += len(rows)


def is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def parse_values(
    names: list[str], values: tuple[object, ...], columns: Columns
) -> dict[str, object]:
    """A null counts as a missing field."""
    row = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    for name, parse in columns.parsers.items():
        if isinstance(cell := row.get(name), str):
            row[name] = parse(cell)
    return row
