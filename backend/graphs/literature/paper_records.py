"""A paper as a file states it, and what is wrong with it."""

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

MAX_PMID = 999_999_999
MAX_TITLE, MAX_ABSTRACT, MAX_NOTE = 4_000, 200_000, 500
IDENTIFIER = re.compile(r"[1-9][0-9]{0,8}|SYN:[1-9][0-9]{0,8}")
DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
SYNTHETIC = "SYN:"


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """id: PMID, or `SYN:n` for a paper that was made up. date: '2004', '2004-05' or '2004-05-17',
    empty if unknown. note: what readers must know of the texts, such as who wrote the summary."""

    id: str
    date: str
    title: str
    abstract: str
    note: str = ""

    @property
    def pmid(self) -> int | None:
        return None if self.id.startswith(SYNTHETIC) else int(self.id)


@dataclass(frozen=True, slots=True)
class PaperFault:
    """A place in a file where no paper can be read."""

    message: str
    expected: str = ""
    code: str = "invalid"


@dataclass(frozen=True, slots=True)
class ReadPaper:
    """What a format reads at a line of a file."""

    line: int
    content: PaperRecord | PaperFault


def check_paper(values: Mapping[str, object]) -> PaperRecord | PaperFault:
    """A record of the fields `id`, `date`, `title`, `abstract` and `note`, all text."""
    texts = {name: values.get(name) or "" for name in ("id", "date", "title", "abstract", "note")}
    for name, value in texts.items():
        if not isinstance(value, str):
            return PaperFault(f"The field {name} is not text.", "text", "wrong_type")
        if UNSTORABLE.search(value):
            return PaperFault(f"The field {name} has a NUL or half a character.", "text", "nul")
    paper = PaperRecord(**{name: str(value) for name, value in texts.items()})
    return find_fault(paper) or paper


def find_fault(paper: PaperRecord) -> PaperFault | None:
    if not IDENTIFIER.fullmatch(paper.id):
        return PaperFault(
            "This is no identifier of a paper.", "a PMID such as 12345, or SYN:1", "identifier"
        )
    if paper.date and last_possible_day(paper.date) is None:
        return PaperFault("This is no date.", "2004, 2004-05 or 2004-05-17, or nothing", "date")
    if not (paper.title.strip() or paper.abstract.strip()):
        return PaperFault("This paper has neither title nor abstract.", "one of them", "empty")
    for name, most in (("title", MAX_TITLE), ("abstract", MAX_ABSTRACT), ("note", MAX_NOTE)):
        if len(getattr(paper, name)) > most:
            return PaperFault(
                f"The field {name} is too long.", f"at most {most:,} characters", "too_long"
            )
    return None


def last_possible_day(text: str) -> date | None:
    """The last day that a date may mean: 2004-05-31 of '2004-05'. None if it is no date."""
    match = DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        if year is None or day is not None:
            return date(year or 0, month or 0, day or 0)
        first = date(year, 12 if month is None else month, 1)
        return first + timedelta(days=monthrange(first.year, first.month)[1] - 1)
    except ValueError:
        return None
