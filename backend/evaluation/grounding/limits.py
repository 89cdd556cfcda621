"""Bounds of texts and files, and the daily quota."""

from typing import Annotated

from pydantic import ConfigDict, StringConstraints
from pydantic.dataclasses import dataclass

from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.limits import ReadLimits
from backend.validation.row_files.reader import RowSchema

LONGEST_HYPOTHESIS = 2_000
LONGEST_RATIONALE = 20_000  # characters
MOST_ROWS = 10_000  # of a file
MOST_UPLOADED_ROWS = 1_000
Hypothesis = Annotated[str, StringConstraints(max_length=LONGEST_HYPOTHESIS, strict=True)]
Rationale = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_RATIONALE, strict=True)
]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class RationaleRow:
    """A line of a file."""

    hypothesis: Hypothesis
    rationale: Rationale


ROWS = RowSchema(RationaleRow, Columns(("hypothesis", "rationale")))


def read_limits(most_rows: int) -> ReadLimits:
    return ReadLimits(bytes=500_000_000, row_bytes=200_000, rows=most_rows, faults=10_000)
