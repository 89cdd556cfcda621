"""Small files that would take gigabytes, or that end a process that trusts them.

As a program: check a file of 1,000 queries, print its faults and the megabytes that it took.
"""

from __future__ import annotations

import gzip
import io
import json
import resource
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.tracks.releases import stark, truthhypo

ADDRESS_SPACE = 1_500_000_000
ROWS, GROUPS = 1_000, 20
LONG_ROWS = 300  # of 50,000 numbers, which would take half a gigabyte as lists
DAMAGED = Path(__file__).with_name("damaged_histogram.parquet")


def parquet_groups(values: pa.Array) -> bytes:
    """20 groups of 50 rows, each with the same values in its lists or texts."""
    file = io.BytesIO()
    schema = pa.schema([("query_id", pa.int64()), ("pred_rank", values.type)])
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for start in range(0, ROWS, ROWS // GROUPS):
            ids = pa.array(range(start, start + ROWS // GROUPS))
            writer.write_table(pa.Table.from_arrays([ids, values], schema=schema))
    return file.getvalue()


def lists(length: int, values: pa.Array) -> pa.Array:
    offsets = np.arange(0, ROWS // GROUPS * length + 1, length, dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def long_lists_of_numbers() -> bytes:
    numbers = pa.array(np.full(ROWS // GROUPS * 30_000, 123_456_789, np.int64))
    return parquet_groups(lists(30_000, numbers))


def long_lists_of_fixed_size() -> bytes:
    numbers = pa.array(np.full(ROWS // GROUPS * 30_000, 123_456_789, np.int64))
    return parquet_groups(pa.FixedSizeListArray.from_arrays(numbers, 30_000))


def repeated_texts_in_lists() -> bytes:
    """300 lists of 20 texts in one group of rows, which has one dictionary."""
    indexes = pa.array(np.zeros(300 * 20, np.int32))
    texts = pa.DictionaryArray.from_arrays(indexes, ["x" * 400_000])
    offsets = pa.array(np.arange(0, 300 * 20 + 1, 20, dtype=np.int32))
    column = pa.ListArray.from_arrays(offsets, texts)
    file = io.BytesIO()
    pq.write_table(pa.table({"query_id": [*range(300)], "pred_rank": column}), file)
    return file.getvalue()


def repeated_texts() -> bytes:
    """Each is a list in JSON of 60,000 numbers."""
    indexes = pa.array(np.zeros(ROWS // GROUPS, np.int32))
    text = f"[{','.join(['1000'] * 59_000)}]"
    return parquet_groups(pa.DictionaryArray.from_arrays(indexes, [text]))


def one_long_list() -> bytes:
    numbers = pa.array(np.zeros(20_000_000, np.int32))
    column = pa.ListArray.from_arrays(pa.array([0, len(numbers)], pa.int32()), numbers)
    file = io.BytesIO()
    pq.write_table(pa.table({"query_id": [0], "pred_rank": column}), file, compression="zstd")
    return file.getvalue()


def long_rows_of_csv() -> bytes:
    cell = f"[{','.join(['1000'] * 50_000)}]"
    rows = "".join(f'{number},"{cell}"\n' for number in range(LONG_ROWS))
    return gzip.compress(f"query_id,pred_rank\n{rows}".encode(), 1)


FILES: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "long lists of numbers": (long_lists_of_numbers, "a.parquet"),
    "long lists of a fixed size": (long_lists_of_fixed_size, "a.parquet"),
    "repeated texts in lists": (repeated_texts_in_lists, "a.parquet"),
    "repeated texts": (repeated_texts, "a.parquet"),
    "one long list": (one_long_list, "a.parquet"),
    "long rows of CSV": (long_rows_of_csv, "a.csv.gz"),
    "damaged histogram": (DAMAGED.read_bytes, "pairs.parquet"),
}


def main() -> None:
    path = Path(sys.argv[1])
    release = truthhypo() if path.name == "pairs.parquet" else stark([[1]] * ROWS)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    checked = release.check(path.read_bytes(), path.name)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    codes = sorted({fault.code for fault in checked.faults.listed})
    sys.stdout.write(json.dumps({"codes": codes, "megabytes": peak / 1_000}))


if __name__ == "__main__":
    main()
