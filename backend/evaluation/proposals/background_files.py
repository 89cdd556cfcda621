"""Files of backgrounds about which hypotheses are proposed: JSON Lines, JSON, CSV or Parquet."""

from collections.abc import Sequence
from dataclasses import dataclass as plain_dataclass
from typing import Annotated, BinaryIO

from pydantic import ConfigDict, StringConstraints
from pydantic.dataclasses import dataclass

from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.validation.faults import printable
from backend.validation.json_files import UNSTORABLE
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault, RowFaultList
from backend.validation.row_files.limits import ReadLimits
from backend.validation.row_files.reader import RowSchema, read_rows

LONGEST_BACKGROUND = 10_000  # characters, as studies of pairs take them
MOST_BACKGROUNDS = 1_000  # of a command
MOST_REQUESTED = 100  # of a request of the API
NO_QUESTION = "Which hypothesis is more likely to be true?"
Background = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_BACKGROUND, strict=True)
]
Question = Annotated[str, StringConstraints(max_length=LONGEST_BACKGROUND, strict=True)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class BackgroundLine:
    """question: what the hypotheses answer; may be left out."""

    background: Background
    question: Question = ""


ROWS = RowSchema(BackgroundLine, Columns(("background", "question"), required=("background",)))
LIMITS = ReadLimits(bytes=50_000_000, row_bytes=200_000, rows=MOST_BACKGROUNDS, faults=1_000)


@plain_dataclass(frozen=True, slots=True)
class BackgroundRow:
    question: str
    background: str


def read_backgrounds(file: BinaryIO, name: str) -> Sequence[BackgroundRow]:
    """Raises DomainError with every fault of the file, each with its line."""
    faults = RowFaultList()
    rows: list[BackgroundRow] = []
    for batch in read_rows(file, name, ROWS, faults, LIMITS):
        for line, value in zip(batch.lines, batch.values, strict=True):
            for field, text in (("background", value.background), ("question", value.question)):
                if message := find_text_fault(text, is_required=field == "background"):
                    faults.add(RowFault(line, field, "bad_text", message, "text"))
            rows.append(BackgroundRow(value.question, value.background))
    if faults.total:
        listed = [one.as_fault() for one in faults.listed]
        message = f"The file has {pluralize(faults.total, 'fault')}. Correct it and start again."
        raise DomainError(message, code="invalid_file", faults=listed)
    if not rows:
        raise DomainError("The file has no backgrounds.", code="invalid_file")
    return rows


def find_text_fault(text: str, *, is_required: bool) -> str:
    if unstorable := UNSTORABLE.search(text):
        return f"This text contains {printable(unstorable[0])}, which is no character."
    return "This text is empty." if is_required and not text.strip() else ""
