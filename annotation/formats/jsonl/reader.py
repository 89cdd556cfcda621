"""Records of a JSON Lines export, and of other formats that make such records."""

import json
from collections.abc import Iterator
from typing import IO, Annotated, Any, BinaryIO

from pydantic import Field, TypeAdapter, ValidationError

from annotation.formats.archive_records import ArchiveRecord
from annotation.formats.limits import LIMITS
from backend.validation.row_files.batches import JsonBatch
from backend.validation.row_files.compression import LimitedStream
from backend.validation.row_files.faults import FileRefused, RowFaultList, row_fault
from backend.validation.row_files.json_rows import read_json_lines

RECORD: TypeAdapter[ArchiveRecord] = TypeAdapter(
    Annotated[ArchiveRecord, Field(discriminator="record")]
)


def read_jsonl(file: BinaryIO, faults: RowFaultList) -> Iterator[tuple[int, ArchiveRecord]]:
    batches = read_json_lines(LimitedStream(file, "", LIMITS), LIMITS, faults, None)
    for batch in (one for one in batches if isinstance(one, JsonBatch)):
        for line, text in zip(batch.lines, batch.texts, strict=True):
            record = check_json(line, text, faults)
            if record is not None:
                yield line, record


def read_objects(file: IO[bytes]) -> Iterator[tuple[int, object]]:
    """The value of each line that is not empty."""
    for line, text in enumerate(file, 1):
        if text.strip():
            yield line, json.loads(text)


def check_record(line: int, record: dict[str, Any], faults: RowFaultList) -> ArchiveRecord | None:
    """A record that was made of a line of another format."""
    return check_json(line, json.dumps(record, default=str).encode(), faults)


def check_json(line: int, text: bytes, faults: RowFaultList) -> ArchiveRecord | None:
    try:
        return RECORD.validate_json(text)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            faults.add(row_fault(line, _path(details["loc"]), details, ""))
    if faults.total > LIMITS.faults:
        message = "This file has too many faults, so the rest was not read."
        raise FileRefused("too_many_faults", message, f"at most {LIMITS.faults:,} faults", line)
    return None


def _path(location: tuple[int | str, ...]) -> str:
    """`revisions[0].outcome`; the first part is the kind of record."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location[1:])
    return "".join(parts).removeprefix(".")
