"""The program that reads a Parquet file: a damaged one can end the process, or take all memory.

It reads the file from standard input and writes an Arrow stream of plain columns to standard
output, in batches of bounded size. Structures that the request names become JSON texts of the
members that it names. Exit status 1: standard error ends with a JSON object that has the members of
FileRefused. It runs by its path and imports nothing of ours.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

BUFFER_BYTES = 1_000_000
ROWS_OF_READ = 250
"""At once, where a row can have many values; their number is known only after reading."""
ROWS_OF_BATCH = 1_000
ROWS_OF_SMALL_GROUP = 10_000
BYTES_OF_SMALL_GROUP = 200_000_000
"""Of the numbers of a group of rows, so that any of its rows fit into memory together."""
BYTES_OF_NUMBER = 8
PLAIN_TYPES = "whole numbers, texts, or lists of these"
Sizes = NDArray[np.int64]
Nested = dict[str, list[str]]
"""The members to read of each column that can be a structure."""


class Refused(Exception):
    def __init__(
        self, code: str, message: str, expected: str, line: int = 0, given: str = ""
    ) -> None:
        super().__init__(message)
        self.members = {"code": code, "message": message, "expected": expected, "line": line}
        self.members["given"] = given


def limit_process(memory_bytes: int, seconds: int) -> None:
    """Where the system has such limits."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def open_file(file: BinaryIO) -> pq.ParquetFile:
    """Texts are read as dictionaries: a repeated one is stored once, so it can be measured.

    Texts in lists are not: Arrow cannot read them so where a group has several dictionaries.
    """
    metadata = pq.read_metadata(file)
    leaves = [metadata.schema.column(number) for number in range(metadata.num_columns)]
    texts = [leaf.path for leaf in leaves if leaf.path == leaf.name]
    # Buffering ahead would read whole columns into memory.
    options: dict[str, Any] = {"buffer_size": BUFFER_BYTES, "pre_buffer": False}
    return pq.ParquetFile(file, metadata=metadata, read_dictionary=texts, **options)


def check_file(source: pq.ParquetFile, columns: list[str], nested: Nested, most_bytes: int) -> None:
    groups = range(source.metadata.num_row_groups)
    if sum(source.metadata.row_group(group).total_byte_size for group in groups) > most_bytes:
        raise too_large(most_bytes)
    for field in source.schema_arrow:
        is_nested = field.name in nested and pa.types.is_struct(field.type)
        if field.name in columns and not is_nested and not is_readable(field.type):
            message = f"The values of '{field.name}' have another type."
            raise Refused("wrong_type", message, PLAIN_TYPES, given=str(field.type))


def is_readable(kind: pa.DataType) -> bool:
    return is_plain(kind.value_type if is_list(kind) else kind)


def is_list(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def is_plain(kind: pa.DataType) -> bool:
    types = pa.types
    is_number = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)
    return bool(is_number or types.is_null(kind) or is_text(kind))


def is_text(kind: pa.DataType) -> bool:
    text = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(text) or pa.types.is_large_string(text))


def too_large(most_bytes: int) -> Refused:
    message = "This file is too large."
    return Refused("too_large", message, f"at most {most_bytes:,} bytes of content")


def read_batches(
    source: pq.ParquetFile, columns: list[str], nested: Nested, limits: dict[str, int]
) -> Iterator[pa.RecordBatch]:
    """Batches of at most `batch_bytes` of content, as it is when nothing is shared."""
    chosen = [field for field in source.schema_arrow if field.name in columns]
    total, line = 0, 1
    parts: list[pa.RecordBatch] = []
    for batch in iterate_groups(source, chosen, nested):
        sizes = row_sizes(batch, limits["row_bytes"], line)
        total += int(sizes.sum())
        if total > limits["bytes"]:
            raise too_large(limits["bytes"])
        line += len(batch)
        for part, is_small in split(batch, sizes, limits["batch_bytes"]):
            parts.append(part)
            if not is_small or sum(map(len, parts)) >= ROWS_OF_BATCH:
                yield from join(parts)
                parts = []
    yield from join(parts)


def iterate_groups(
    source: pq.ParquetFile, chosen: list[pa.Field], nested: Nested
) -> Iterator[pa.RecordBatch]:
    """Never across two groups: Arrow cannot read lists of texts so, if each has a dictionary."""
    names = [name for field in chosen for name in paths_of(field, nested)]
    for group in range(source.metadata.num_row_groups):
        rows = rows_of_read(source.metadata.row_group(group), chosen)
        for batch in source.iter_batches(
            rows, row_groups=[group], columns=names, use_threads=False
        ):
            columns = [plain_column(batch, field) for field in chosen]
            yield pa.RecordBatch.from_arrays(columns, names=[field.name for field in chosen])


def paths_of(field: pa.Field, nested: Nested) -> list[str]:
    if not pa.types.is_struct(field.type):
        return [field.name]
    return [f"{field.name}.{member}" for member in nested[field.name]]


def plain_column(batch: pa.RecordBatch, field: pa.Field) -> pa.Array:
    """A column of a batch; a structure, of which a file may have no chosen member, as JSON."""
    if not pa.types.is_struct(field.type):
        return batch.column(field.name)
    if field.name not in batch.schema.names:
        return pa.nulls(len(batch), pa.large_string())
    values = batch.column(field.name).to_pylist()
    try:
        texts = [None if value is None else as_json(value) for value in values]
    except TypeError as error:
        message = f"The values of '{field.name}' have a type that JSON lacks."
        raise Refused("wrong_type", message, PLAIN_TYPES, given=str(error)) from error
    return pa.array(texts, pa.large_string())


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rows_of_read(group: pq.RowGroupMetaData, chosen: list[pa.Field]) -> int:
    if any(pa.types.is_struct(field.type) for field in chosen):
        return ROWS_OF_READ
    lists = {field.name: field.type.value_type for field in chosen if is_list(field.type)}
    if not lists:
        return ROWS_OF_BATCH
    leaves = [group.column(number) for number in range(group.num_columns)]
    values = sum(leaf.num_values for leaf in leaves if leaf.path_in_schema.split(".")[0] in lists)
    is_small = BYTES_OF_NUMBER * values <= BYTES_OF_SMALL_GROUP
    return (
        ROWS_OF_SMALL_GROUP if is_small and not any(map(is_text, lists.values())) else ROWS_OF_READ
    )


def row_sizes(batch: pa.RecordBatch, most: int, line: int) -> Sizes:
    """Raises Refused for a value above `most`."""
    total = np.zeros(len(batch), dtype=np.int64)
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        sizes = value_sizes(column)
        if len(sizes) and sizes.max() > most:
            message = f"A value of '{name}' is too long."
            raise Refused(
                "too_long", message, f"at most {most:,} bytes", line + int(sizes.argmax())
            )
        total += sizes
    return total


def value_sizes(column: pa.Array) -> Sizes:
    if is_list(column.type):
        lengths = as_sizes(pc.list_value_length(column))
        if not is_text(column.type.value_type):
            return BYTES_OF_NUMBER * lengths
        sums = np.concatenate([[0], np.cumsum(value_sizes(column.flatten()))])
        ends = np.cumsum(lengths)
        row_sums: Sizes = sums[ends] - sums[ends - lengths]
        return row_sums
    sizes = np.full(len(column), BYTES_OF_NUMBER, dtype=np.int64)
    if pa.types.is_dictionary(column.type):
        texts = pc.binary_length(column.dictionary)
        return sizes + as_sizes(texts.take(column.indices))
    return sizes + as_sizes(pc.binary_length(column)) if is_text(column.type) else sizes


def as_sizes(lengths: pa.Array) -> Sizes:
    """`to_numpy` and `fill_null` import pandas where it is installed: longer than most reads."""
    filled = lengths.fill_null(0) if lengths.null_count else lengths
    sizes: Sizes = np.from_dlpack(filled).astype(np.int64)
    return sizes


def split(batch: pa.RecordBatch, sizes: Sizes, most: int) -> Iterator[tuple[pa.RecordBatch, bool]]:
    """Parts of plain columns up to a size, each with whether it can be joined with others."""
    ends, start = np.cumsum(sizes), 0
    while start < len(batch):
        before = int(ends[start] - sizes[start])
        end = max(int(np.searchsorted(ends, before + most, side="right")), start + 1)
        size = int(ends[end - 1]) - before
        part = batch.slice(start, end - start)
        values = [to_plain(column) for column in part.columns]
        yield pa.RecordBatch.from_arrays(values, names=batch.schema.names), 8 * size < most
        start = end


def to_plain(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        return column.dictionary_decode()
    if not is_list(column.type):
        return column
    ends = np.cumsum(as_sizes(pc.list_value_length(column)))
    offsets = as_array(np.concatenate([[0], ends]))
    values = to_plain(column.flatten())
    mask = column.is_null() if column.null_count else None
    return pa.LargeListArray.from_arrays(offsets, values, mask=mask)


def as_array(numbers: Sizes) -> pa.Array:
    """Without a copy, and without pandas, which `pa.array` imports."""
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])


def join(parts: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    return pa.Table.from_batches(parts).combine_chunks().to_batches() if parts else []


def plain_schema(source: pq.ParquetFile, columns: list[str]) -> pa.Schema:
    """Of the chosen columns; its metadata have the names of all."""
    names = json.dumps(source.schema_arrow.names)
    fields = [
        pa.field(field.name, plain_type(field.type))
        for field in source.schema_arrow
        if field.name in columns
    ]
    return pa.schema(fields, metadata={"names": names})


def plain_type(kind: pa.DataType) -> pa.DataType:
    return pa.large_string() if pa.types.is_struct(kind) else to_plain(pa.nulls(0, kind)).type


def write_rows(file: BinaryIO, output: BinaryIO, request: dict[str, Any]) -> None:
    columns, nested, limits = request["columns"], request["nested"], request["limits"]
    source = open_file(file)
    check_file(source, columns, nested, limits["bytes"])
    schema = plain_schema(source, columns)
    with pa.ipc.new_stream(output, schema) as writer:
        for batch in read_batches(source, columns, nested, limits):
            writer.write_batch(pa.RecordBatch.from_arrays(batch.columns, schema=schema))


def main() -> int:
    request = json.loads(sys.argv[1])
    limits = request["limits"]
    limit_process(limits["memory_bytes"], limits["seconds"])
    try:
        write_rows(sys.stdin.buffer, sys.stdout.buffer, request)
    except Refused as refusal:
        members = refusal.members
    except MemoryError:
        message, expected = "Reading this file takes too much memory.", "shorter rows"
        members = Refused("too_large", message, expected).members
    except (pa.ArrowException, OSError, ValueError, TypeError, OverflowError, KeyError) as error:
        reason = str(error).rstrip(".")
        message = f"This is not a readable Parquet file: {reason}."
        members = Refused("not_parquet", message, "a Parquet file of plain columns").members
    else:
        return 0
    sys.stderr.write("\n" + json.dumps(members))
    return 1


if __name__ == "__main__":
    sys.exit(main())
