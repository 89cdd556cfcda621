"""What was known at a date: papers with a greater PMID or a later day are left out.

So are papers whose PMID or date is unknown, and they are counted: it is unknown when they became
known.
"""

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from backend.graphs.literature.paper_records import PaperRecord, last_possible_day

MAX_VALUE = 2**32
YEARS_END = 9_999  # a number up to it is a year
YEARS = range(1_800, 2_101)  # which a number for a PMID is rather than one of 1975


@dataclass(frozen=True, slots=True)
class Cutoff:
    """Exactly one of both is set. day: papers count as known from the last day that their date may
    mean: one of '2004' is left out until 2004-12-31."""

    pmid: int | None = None
    day: date | None = None

    def __post_init__(self) -> None:
        if (self.pmid is None) == (self.day is None):
            raise ValueError("a cut-off is either a PMID or a day")


@dataclass(frozen=True, slots=True)
class PaperDates:
    """Of each paper of a collection: its PMID and the ordinal of its last possible day; 0 where
    unknown."""

    pmids: NDArray[np.uint32]
    days: NDArray[np.int32]

    def admitted(self, cutoff: Cutoff, papers: NDArray[np.int64]) -> NDArray[np.bool_]:
        values = self._values(cutoff, papers)
        limit = cutoff.pmid if cutoff.day is None else cutoff.day.toordinal()
        return np.logical_and(values > 0, values <= min(limit or 0, MAX_VALUE))

    def undated(self, cutoff: Cutoff, papers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Those that nobody can place before or after the cut-off."""
        return np.equal(self._values(cutoff, papers), 0)

    def _values(self, cutoff: Cutoff, papers: NDArray[np.int64]) -> NDArray[np.int64]:
        values = self.pmids if cutoff.day is None else self.days
        return values[papers].astype(np.int64)


def paper_day(paper: PaperRecord) -> int:
    """The ordinal of its last possible day; 0 if unknown."""
    day = last_possible_day(paper.date)
    return day.toordinal() if day is not None else 0


def find_unit_fault(cutoff: int, unit: str | None) -> str:
    """A sentence where a PMID is given for a graph that is dated by years, which would cut nothing,
    or a year for one that is dated by PMIDs, which would cut all."""
    if unit == "year" and cutoff > YEARS_END:
        return "The edges of this graph are dated by years. Give a year as cut-off."
    if unit == "pmid" and cutoff in YEARS:
        return "The edges of this graph are dated by PMIDs. Give a PMID as cut-off, not a year."
    return ""


def cutoff_of_number(number: int, unit: str | None) -> Cutoff:
    """Of a graph's cut-off: a year or a PMID by the unit of its dates, else by its size."""
    is_year = number <= YEARS_END if unit is None else unit == "year"
    if not is_year:
        return Cutoff(pmid=number)
    return Cutoff(day=date(min(max(number, 1), YEARS_END), 12, 31))
