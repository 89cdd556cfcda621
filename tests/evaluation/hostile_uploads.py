"""The files of `hostile_uploads.jsonl` as bytes.

A file is `parts` (texts with how often each is repeated), written in `encoding`; or `hex`; or the
columns of a `parquet` file: each a type, a value, a count, and how often a text is in the value.
Then it is compressed by each of `compress`, and cut to its first `cut` bytes (to all but its last
ones if `cut` is negative).
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

FILE = Path(__file__).with_name("hostile_uploads.jsonl")
TYPES: Mapping[str, pa.DataType] = {
    "binary": pa.binary(),
    "bool": pa.bool_(),
    "date": pa.date32(),
    "decimal": pa.decimal128(38, 10),
    "double": pa.float64(),
    "int64": pa.int64(),
    "list": pa.list_(pa.string()),
    "map": pa.map_(pa.string(), pa.int64()),
    "nested": pa.list_(pa.list_(pa.list_(pa.string()))),
    "null": pa.null(),
    "string": pa.string(),
    "struct": pa.struct([("a", pa.struct([("b", pa.string())]))]),
}


def hostile_uploads(secret: Path) -> Iterator[dict[str, Any]]:
    """secret: a file that some name."""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        yield json.loads(line.replace("{secret}", str(secret)))


def as_queries(row: Mapping[str, Any], first: str, second: str) -> dict[str, Any]:
    """The same file for SerenQA's retrieval: labels become queries.

    first, second: questions in place of the pairs.
    """
    text = json.dumps(row, ensure_ascii=False)
    replacements = {
        r"\"y_id\":\"Gene|0\",": "",
        "x_id": "question_id",
        "y_id": "answers",
        "label": "cypher",
        "Chemical|C0": first,
        "Chemical|C1": second,
    }
    for old, new in replacements.items():
        text = text.replace(old, new)
    return dict(json.loads(text))


def bytes_of(row: Mapping[str, Any]) -> bytes:
    if "hex" in row:
        content = bytes.fromhex(row["hex"])
    elif "parquet" in row:
        content = parquet_file(row["parquet"])
    else:
        encoding = row.get("encoding", "utf-8")
        parts = row.get("parts", [])
        content = b"".join(text.encode(encoding, "surrogatepass") * times for text, times in parts)
    for name in row.get("compress", ()):
        content = compress(content, name)
    return content[: row["cut"]] if "cut" in row else content


def compress(content: bytes, name: str) -> bytes:
    if name == "gzip":
        return gzip.compress(content, 1, mtime=0)
    if name == "bz2":
        return bz2.compress(content, 1)
    if name == "xz":
        return lzma.compress(content, preset=0)
    if name == "zstd":
        return bytes(pa.compress(content, "zstd", asbytes=True))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("../../predictions.jsonl"), content)  # without a time
    return file.getvalue()


def parquet_file(columns: Mapping[str, Any]) -> bytes:
    arrays = {
        name: pa.array([pythonic(value) if not times else value * times[0]] * count, TYPES[kind])
        for name, (kind, value, count, *times) in columns.items()
    }
    file = io.BytesIO()
    pq.write_table(pa.table(arrays), file, compression="zstd")
    return file.getvalue()


def pythonic(value: Any) -> Any:
    """A map of JSON as pairs stays a list; numbers of dates and decimals are converted by Arrow."""
    return [tuple(one) for one in value] if is_list_of_pairs(value) else value


def is_list_of_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 2 and isinstance(one[1], int) for one in value
    )
