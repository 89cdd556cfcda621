"""Files of hypotheses with rationales: JSON Lines, JSON, CSV, TSV or Parquet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.evaluation.grounding.limits import ROWS, RationaleRow, read_limits
from backend.evaluation.grounding.verifiers import TooManyClaims, find_plain_claims
from backend.tracks.grounding_claims import MOST_CLAIMS
from backend.validation.faults import printable
from backend.validation.json_files import UNSTORABLE
from backend.validation.row_files.faults import RowFault, RowFaultList
from backend.validation.row_files.reader import read_rows


@dataclass(frozen=True, slots=True)
class FileRow:
    """item: the key of the item whose prediction it is; None for a row of another file."""

    line: int
    hypothesis: str
    rationale: str
    item: Sequence[str] | None = None


def read_rationales(file: BinaryIO, name: str, *, most_rows: int) -> Sequence[FileRow]:
    """Raises DomainError with every fault of the file, each with its line."""
    faults = RowFaultList()
    rows: list[FileRow] = []
    for batch in read_rows(file, name, ROWS, faults, read_limits(most_rows)):
        for line, value in zip(batch.lines, batch.values, strict=True):
            if fault := find_fault(line, value):
                faults.add(fault)
            rows.append(FileRow(line, value.hypothesis, value.rationale))
    if faults.total:
        listed = [one.as_fault() for one in faults.listed]
        count = pluralize(faults.total, "fault")
        message = f"The file has {count}. Correct the file and send it again."
        raise DomainError(message, code="invalid_file", faults=listed)
    return rows


def find_fault(line: int, row: RationaleRow) -> RowFault | None:
    for field, text in (("hypothesis", row.hypothesis), ("rationale", row.rationale)):
        if unstorable := UNSTORABLE.search(text):
            message = f"This text contains {printable(unstorable[0])}, which is no character."
            return RowFault(line, field, "bad_character", message, "text")
    try:
        find_plain_claims(row.rationale)
    except TooManyClaims as error:
        expected = f"at most {MOST_CLAIMS} claims"
        return RowFault(line, "rationale", error.code, error.detail, expected)
    return None
