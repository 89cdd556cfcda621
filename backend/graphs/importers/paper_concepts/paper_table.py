"""The concepts of papers: a table of `pmid`, `date` and `cuis`, a row for each paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.mapped_table import MappedTable
from backend.graphs.importers.common.paper_fields import parse_pmid, parse_year
from backend.graphs.importers.common.record_builder import MAX_PMID
from backend.graphs.importers.common.umls_concepts import concept_of
from backend.graphs.source_records import MalformedRow

COLUMNS = ("pmid", "date", "cuis")
SEPARATORS = re.compile(r"[|;,\s]+")
MOST_CONCEPTS = 2_000  # of a paper: pairs grow with their square


@dataclass(frozen=True, slots=True)
class PaperConcepts:
    pmid: int
    year: int
    concepts: tuple[str, ...]


class PaperNumbers:
    """The PMIDs that were met, as bits: 125 MB of addresses, of which used pages are stored."""

    def __init__(self) -> None:
        self._bits = np.zeros(MAX_PMID // 8 + 1, np.uint8)

    def add(self, pmid: int) -> bool:
        """Whether it is new."""
        at, bit = pmid >> 3, 1 << (pmid & 7)
        is_new = not self._bits[at] & bit
        self._bits[at] |= bit
        return is_new


@dataclass(frozen=True)
class PaperTable:
    """The papers of a file. A paper that was met before, in this file or another, is malformed."""

    file: InputFile
    known: PaperNumbers

    def __iter__(self) -> Iterator[PaperConcepts | MalformedRow]:
        mapped = MappedTable(self.file)
        mapped.require(*COLUMNS)
        readers = [mapped.reader(name) for name in COLUMNS]
        for row in mapped.table:
            if isinstance(row, MalformedRow):
                yield row
                continue
            pmid, date, cuis = (read(row.cells) for read in readers)
            paper = self._parse(pmid, date, cuis)
            if isinstance(paper, PaperConcepts):
                yield paper
            else:
                yield mapped.table.builder.malformed_row(row.line, *paper)

    def _parse(self, pmid: str, date: str, cuis: str) -> PaperConcepts | tuple[str, str]:
        """The paper, or the reason why it is none and the text at fault."""
        number, year = parse_pmid(pmid), parse_year(date)
        if number is None:
            return "number", f"pmid {pmid}"
        if year is None:
            return "number", f"date {date}"
        concepts = {concept_of(name) for name in SEPARATORS.split(cuis) if name}
        if len(concepts) > MOST_CONCEPTS:
            return "too_long", f"{len(concepts):,} concepts"
        if not self.known.add(number):
            return "repeated", f"pmid {pmid}"
        return PaperConcepts(number, year, tuple(sorted(concepts)))
