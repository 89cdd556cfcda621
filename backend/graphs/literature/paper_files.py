"""Reads files of papers one after another: papers in batches, all faults with file and line."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backend.common.errors import DomainError
from backend.graphs.importers.common.input_files import (
    FileRefused,
    InputFile,
    ReadLimits,
    find_input_files,
)
from backend.graphs.literature.formats.registry import recognize_format
from backend.graphs.literature.paper_records import (
    MAX_PMID,
    PaperFault,
    PaperRecord,
    ReadPaper,
    last_possible_day,
)
from backend.validation.faults import FaultList, printable

PAGE_BITS = 16  # identifiers for which one page has a bit each
MAX_FAULTS = 100_000  # beyond, the rest is not read
EMPTY = "There is no paper in these files."


class SeenIdentifiers:
    """A bit for each identifier, in pages that exist once they are needed: 125 MB at most."""

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}

    def add(self, paper: PaperRecord) -> bool:
        """Whether it is the first time."""
        number = paper.pmid or MAX_PMID + 1 + int(paper.id.partition(":")[2])
        page = self._pages.setdefault(number >> PAGE_BITS, bytearray(1 << PAGE_BITS - 3))
        place = number & (1 << PAGE_BITS) - 1
        mask = 1 << (place & 7)
        is_new = not page[place >> 3] & mask
        page[place >> 3] |= mask
        return is_new


@dataclass
class PaperFiles:
    """The papers of files in their order, with what was counted on the way.

    digest: SHA-256 of the content of all papers.
    """

    files: Sequence[InputFile]
    faults: FaultList = field(default_factory=FaultList)
    formats: dict[str, str] = field(default_factory=dict)
    papers: int = 0
    undated: int = 0
    synthetic: int = 0
    _known: SeenIdentifiers = field(default_factory=SeenIdentifiers)
    _content: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    @classmethod
    def open(
        cls,
        paths: Sequence[Path],
        limits: ReadLimits | None = None,
        names: dict[Path, str] | None = None,
    ) -> "PaperFiles":
        """Raises FileRefused where a file cannot be found or opened."""
        return cls(find_input_files(paths, limits, names))

    @property
    def digest(self) -> str:
        return self._content.hexdigest()

    def read(self, batch_size: int) -> Iterator[list[PaperRecord]]:
        """Batches of valid papers. Faults are added; what follows a fault is still checked."""
        batch: list[PaperRecord] = []
        for paper in self._read_all():
            batch.append(paper)
            if len(batch) == batch_size:
                yield batch
                batch = []
        if batch:
            yield batch
        if not self.papers and not self.faults.total:
            self.faults.add("files", EMPTY, "at least one paper", "empty")

    def raise_faults(self) -> None:
        """Raises DomainError with all of them."""
        count = self.faults.total
        if not count:
            return
        listed = tuple(self.faults.listed)
        more = f", the first {len(listed)} of them listed" if count > len(listed) else ""
        noun = "fault" if count == 1 else "faults"
        detail = f"These files have {count:,} {noun}{more}. Nothing was imported."
        raise DomainError(detail, code="faulty_papers", faults=listed)

    def counts(self) -> dict[str, int | str]:
        return {
            "papers": self.papers,
            "undated": self.undated,
            "synthetic": self.synthetic,
            "digest": self.digest,
        }

    def _read_all(self) -> Iterator[PaperRecord]:
        for file in self.files:
            try:
                chosen = recognize_format(file)
                self.formats[file.name] = chosen.name
                for read in chosen.read(file):
                    paper = self._check(file, read)
                    if paper is not None:
                        yield paper
                    if self.faults.total >= MAX_FAULTS:
                        self.faults.add(file.name, "There are too many faults to read on.")
                        return
            except FileRefused as refusal:
                fault = refusal.faults[0]
                self.faults.add(fault.place, fault.message, fault.expected, fault.code)

    def _check(self, file: InputFile, read: ReadPaper) -> PaperRecord | None:
        place, content = f"{printable(file.name, 200)}, line {read.line:,}", read.content
        if isinstance(content, PaperFault):
            self.faults.add(place, content.message, content.expected, content.code)
            return None
        if not self._known.add(content):
            message = f"The paper {content.id} is given more than once."
            self.faults.add(place, message, "each paper once", "repeated")
            return None
        self._count(content)
        return content

    def _count(self, paper: PaperRecord) -> None:
        fields = (paper.id, paper.date, paper.title, paper.abstract, paper.note)
        self._content.update(json.dumps(fields).encode() + b"\n")
        self.papers += 1
        self.undated += last_possible_day(paper.date) is None
        self.synthetic += paper.pmid is None
