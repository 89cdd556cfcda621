"""Predications as SemRep writes them, and as SemMedDB stores them.

- SemRep's full fielded output (option -F): fields between bars; only lines of the kind `relation`
  are read. A negated relation gets SemMedDB's prefix NEG_.
- SemMedDB's table PREDICATION: its columns in their order, with or without a header line; 12 in
  older versions, 15 since 4.3.

A concept without a CUI that has a number of NCBI Gene is that gene; of several, the first counts.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

from backend.graphs.identifiers import make_curie
from backend.graphs.importers.common.base import FileSample
from backend.graphs.importers.common.delimited_reader import (
    DelimitedTable,
    LineReader,
    Quoting,
    TableLayout,
)
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.paper_fields import parse_pmid
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.importers.common.umls_concepts import CUI, UNKNOWN_TYPE, concept_of
from backend.graphs.source_records import MalformedRow
from backend.runtime.data_file import DataFile

FIELDED_LINE = re.compile(r"SE\|\d*\|[^|\n]*\|[a-z]{2}\|\d+\|(text|entity|relation)\|", re.ASCII)
FIELDS, KIND = 41, 5  # of a relation; where the kind of a line stands
PMID, INDICATED, NEGATION = 1, 22, 23
SUBJECT, OBJECT = (8, 9, 11, 12, 13), (28, 29, 31, 32, 33)  # CUI, name, type, gene, its name
COLUMNS = (
    "PREDICATION_ID",
    "SENTENCE_ID",
    "PMID",
    "PREDICATE",
    *(f"SUBJECT_{name}" for name in ("CUI", "NAME", "SEMTYPE", "NOVELTY")),
    *(f"OBJECT_{name}" for name in ("CUI", "NAME", "SEMTYPE", "NOVELTY")),
    "FACT_VALUE",
    "MOD_SCALE",
    "MOD_VALUE",
)
OLDER = 12
PREDICATE, SUBJECT_COLUMN, OBJECT_COLUMN = 3, 4, 8
PREDICATE_NAME = re.compile(r"[A-Za-z_()]{2,50}", re.ASCII)
TABLE_LINE = re.compile(r'("?\d+"?,){3}"?[A-Za-z_()]{2,50}"?,"?(C\d{7}|\d+)[|"\d,]', re.ASCII)
QUOTED = TableLayout(",", Quoting.ESCAPED)


class SemanticTypes(DataFile):
    types: dict[str, str]


TYPES = SemanticTypes.load(__file__).types


@dataclass(frozen=True, slots=True)
class PredicatedConcept:
    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Predication:
    line: int
    pmid: int
    predicate: str
    subject: PredicatedConcept
    object: PredicatedConcept


def is_fielded(sample: FileSample) -> bool:
    return any(FIELDED_LINE.match(line) for line in sample.text.splitlines())


def is_table(sample: FileSample) -> bool:
    first = sample.first_line
    return first.replace('"', "").startswith("PREDICATION_ID,") or bool(TABLE_LINE.match(first))


def read_fielded(file: InputFile) -> Iterator[Predication | MalformedRow]:
    builder = RecordBuilder(file.name, file.limits)
    with file.open() as stream:
        lines = LineReader(file, stream)
        for text in lines:
            if fault := lines.take_fault():
                yield builder.malformed_row(lines.number, *fault)
                continue
            cells = text.rstrip("\r\n").split("|")
            if cells[0] != "SE" or len(cells) <= KIND or cells[KIND] != "relation":
                continue
            if len(cells) != FIELDS:
                detail = f"{len(cells)} fields, a relation has {FIELDS}"
                yield builder.malformed_row(lines.number, "columns", detail)
                continue
            predicate = f"NEG_{cells[INDICATED]}" if cells[NEGATION] else cells[INDICATED]
            ends = (make_concept(*(cells[at] for at in places)) for places in (SUBJECT, OBJECT))
            yield make_predication(builder, lines.number, cells[PMID], predicate, *ends)


def read_table(file: InputFile) -> Iterator[Predication | MalformedRow]:
    header = COLUMNS[: count_columns(file)]
    has_header = file.head().lstrip(b'\xef\xbb\xbf"').startswith(b"PREDICATION_ID")
    table = DelimitedTable(file, QUOTED, header)
    for row in table:
        if isinstance(row, MalformedRow):
            yield row
            continue
        if has_header and row.line == 1:
            continue
        ends = (
            make_concept(*row.cells[begin : begin + 3]) for begin in (SUBJECT_COLUMN, OBJECT_COLUMN)
        )
        cells = row.cells
        yield make_predication(table.builder, row.line, cells[2], cells[PREDICATE], *ends)


def count_columns(file: InputFile) -> int:
    """Of the first row: 12 or 15."""
    first = FileSample(file.name, file.head()).first_line
    try:
        cells = next(csv.reader([first], escapechar="\\"), [])
    except csv.Error:
        cells = []
    return OLDER if len(cells) == OLDER else len(COLUMNS)


def make_concept(
    cui: str, name: str, kind: str, gene: str = "", symbol: str = ""
) -> PredicatedConcept | None:
    """None without a CUI and a gene. SemMedDB lists genes behind a CUI: 'C0021753|3553'."""
    number, name = cui.split("|")[0], name.split("|")[0]
    shown = TYPES.get(kind, kind) or UNKNOWN_TYPE
    if CUI.fullmatch(number):
        return PredicatedConcept(concept_of(number), name, shown)
    genes, symbols = (gene or number).split(","), (symbol or name).split(",")
    if genes[0].isascii() and genes[0].isdecimal():
        return PredicatedConcept(make_curie("NCBIGene", genes[0]), symbols[0], TYPES["gngm"])
    return None


def make_predication(
    builder: RecordBuilder,
    line: int,
    pmid: str,
    predicate: str,
    subject: PredicatedConcept | None,
    object_: PredicatedConcept | None,
) -> Predication | MalformedRow:
    number = parse_pmid(pmid)
    if number is None:
        return builder.malformed_row(line, "number", f"pmid {pmid}")
    if not PREDICATE_NAME.fullmatch(predicate):
        return builder.malformed_row(line, "relation", predicate)
    if subject is None or object_ is None:
        return builder.malformed_row(line, "identifier", f"{predicate} of no CUI")
    return Predication(line, number, predicate, subject, object_)
