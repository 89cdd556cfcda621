"""Files of texts that a judge scores: JSON Lines, JSON, CSV, TSV or Parquet."""

from collections.abc import Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import field
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import ConfigDict, Field, StringConstraints
from pydantic.dataclasses import dataclass

from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.tracks.judge_tasks import JudgedText
from backend.validation.faults import printable
from backend.validation.json_files import UNSTORABLE
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault, RowFaultList
from backend.validation.row_files.limits import ReadLimits
from backend.validation.row_files.reader import RowSchema, read_rows

LONGEST_TEXT, LONGEST_LINE, MOST_LINES = 30_000, 2_000, 500
Id = Annotated[str, StringConstraints(min_length=1, max_length=200, strict=True)]
Text = Annotated[str, StringConstraints(max_length=LONGEST_TEXT, strict=True)]
Line = Annotated[str, StringConstraints(max_length=LONGEST_LINE, strict=True)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class TextLine:
    """material: facts of the graph, or expected answers for relevance."""

    id: Id
    text: Text
    question: Text = ""
    material: Annotated[list[Line], Field(max_length=MOST_LINES)] = field(default_factory=list)


ROWS = RowSchema(TextLine, Columns(("id", "text", "question", "material"), required=("id", "text")))
LIMITS = ReadLimits(bytes=200_000_000, row_bytes=2_000_000, rows=10_000, faults=1_000)


@plain_dataclass(frozen=True, slots=True)
class TextToScore:
    id: str
    item: JudgedText


def read_text_file(path: Path) -> Sequence[TextToScore]:
    try:
        with path.open("rb") as stream:
            return read_texts(stream, path.name)
    except OSError as error:
        raise DomainError(f"{path} cannot be read: {error.strerror}.") from error


def read_texts(file: BinaryIO, name: str) -> Sequence[TextToScore]:
    """Raises DomainError with every fault of the file, each with its line."""
    faults = RowFaultList()
    rows: list[TextToScore] = []
    lines: dict[str, int] = {}
    for batch in read_rows(file, name, ROWS, faults, LIMITS):
        for line, value in zip(batch.lines, batch.values, strict=True):
            for fault in _list_faults(line, value, lines):
                faults.add(fault)
            item = JudgedText(value.question, value.text, (*value.material,))
            rows.append(TextToScore(value.id, item))
    if faults.total:
        listed = [one.as_fault() for one in faults.listed]
        message = f"The file has {pluralize(faults.total, 'fault')}. Correct it and start again."
        raise DomainError(message, code="invalid_file", faults=listed)
    if not rows:
        raise DomainError("The file has no texts.", code="invalid_file")
    return rows


def _list_faults(line: int, value: TextLine, lines: dict[str, int]) -> list[RowFault]:
    faults = []
    named = [("id", value.id), ("text", value.text), ("question", value.question)]
    for place, text in (*named, *(("material", one) for one in value.material)):
        if unstorable := UNSTORABLE.search(text):
            message = f"This text contains {printable(unstorable[0])}, which is no character."
            faults.append(RowFault(line, place, "bad_character", message, "text"))
    if (first := lines.setdefault(value.id, line)) != line:
        faults.append(RowFault(line, "id", "repeated", f"Line {first} has this id.", "each once"))
    return faults
