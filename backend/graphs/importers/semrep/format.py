"""Predications of SemRep or SemMedDB as a text-mined network with years.

A statement (subject, predicate, object) is one edge, whatever the number of its sentences: its
score is how many papers state it. Its year is that of the first paper that a table dates:
SemMedDB's CITATIONS, or any of `pmid` and `date`. Without such a table an edge has its earliest
PMID instead. Generic concepts are kept, since the hubs that they are is what a text-mined network
is compared for (Dyport, section 7.2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from backend.graphs.importers.common.base import (
    FileSample,
    GraphFormat,
    ImportOptions,
    Roles,
    relation_table,
    role_sets,
)
from backend.graphs.importers.common.delimited_reader import (
    DelimitedTable,
    Quoting,
    TableLayout,
    TableRow,
)
from backend.graphs.importers.common.disk_index import DatedStatement, MentionIndex, PaperIndex
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.mapped_table import (
    MappedTable,
    detect_layout,
    normalize_column,
)
from backend.graphs.importers.common.paper_fields import parse_pmid, parse_year
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.importers.semrep.predications import (
    Predication,
    is_fielded,
    is_table,
    read_fielded,
    read_table,
)
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow

EVIDENCE, DATED_BY = "SemRep (machine-extracted)", "first paper that states it"
CITATIONS = ("PMID", "ISSN", "DP", "EDAT", "PYEAR")
CITATION_LINE = re.compile(r'"?\d{1,9}"?,"?[\dXx-]{0,9}"?,"[^"]*","?[\d-]{0,10}"?,"?\d{4}"?', re.A)
UNDATED = {"", "0", "N"}  # MySQL writes NULL as \N, read as N
PHRASES = (
    ("ADMINISTERED_TO", "is administered to", "is given"),
    ("AFFECTS", "affects", "is affected by"),
    ("ASSOCIATED_WITH", "is associated with", "has the associated"),
    ("AUGMENTS", "augments", "is augmented by"),
    ("CAUSES", "causes", "is caused by"),
    ("COEXISTS_WITH", "coexists with"),
    ("COMPLICATES", "complicates", "is complicated by"),
    ("CONVERTS_TO", "converts to", "is converted from"),
    ("DIAGNOSES", "diagnoses", "is diagnosed by"),
    ("DISRUPTS", "disrupts", "is disrupted by"),
    ("INHIBITS", "inhibits", "is inhibited by"),
    ("INTERACTS_WITH", "interacts with"),
    ("ISA", "is a kind of", "has the kind"),
    ("LOCATION_OF", "is the location of", "is located in"),
    ("MANIFESTATION_OF", "is a manifestation of", "is manifested by"),
    ("METHOD_OF", "is a method of", "has the method"),
    ("OCCURS_IN", "occurs in", "has the occurrence"),
    ("PART_OF", "is part of", "has the part"),
    ("PRECEDES", "precedes", "is preceded by"),
    ("PREDISPOSES", "predisposes to", "is predisposed to by"),
    ("PREVENTS", "prevents", "is prevented by"),
    ("PROCESS_OF", "is a process of", "has the process"),
    ("PRODUCES", "produces", "is produced by"),
    ("STIMULATES", "stimulates", "is stimulated by"),
    ("TREATS", "treats", "is treated by"),
    ("USES", "uses", "is used by"),
    ("compared_with", "is compared with"),
    ("higher_than", "is higher than", "is lower than"),
    ("lower_than", "is lower than", "is higher than"),
    ("same_as", "is the same as"),
)
RELATIONS = relation_table(*PHRASES)
READERS = {"fielded": read_fielded, "predications": read_table}


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    if is_fielded(sample):
        return "fielded"
    if is_table(sample):
        return "predications"
    _, names = detect_layout(sample.first_line) or (None, [])
    has_dates = {"pmid", "date"} <= {normalize_column(name) for name in names}
    return "dates" if has_dates else "citations" if is_citations(sample) else None


def is_citations(sample: FileSample) -> bool:
    first = sample.first_line
    return first.replace('"', "") == ",".join(CITATIONS) or bool(CITATION_LINE.fullmatch(first))


def open_semrep(roles: Roles, options: ImportOptions) -> SemRepSource:
    statements = [(role, file) for role in READERS for file in roles.get(role, ())]
    return SemRepSource(statements, roles.get("citations", ()), roles.get("dates", ()))


@dataclass
class SemRepSource:
    statement_files: Sequence[tuple[str, InputFile]]
    citation_files: Sequence[InputFile]
    date_files: Sequence[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        """A concept has the name and type of its first predication. Faults are those of edges."""
        known: set[str] = set()
        for file, row in self._predications():
            builder = RecordBuilder(file.name, file.limits)
            for one in () if isinstance(row, MalformedRow) else (row.subject, row.object):
                if one.id not in known:
                    known.add(one.id)
                    line = 0 if isinstance(row, MalformedRow) else row.line
                    yield builder.build_node(line, one.id, one.type, one.name)

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        with closing(MentionIndex()) as mentions:
            yield from self._read_dates(mentions)
            for _, row in self._predications():
                if isinstance(row, MalformedRow):
                    yield row
                else:
                    mentions.add(statement_key(row), row.pmid)
            builder = RecordBuilder("predications", self.statement_files[0][1].limits)
            is_dated = bool(self.citation_files or self.date_files)
            for one in mentions.read(PaperIndex.MAX_PAPERS):
                yield make_edge(builder, one, is_dated=is_dated)

    def _predications(self) -> Iterator[tuple[InputFile, Predication | MalformedRow]]:
        for role, file in self.statement_files:
            for row in READERS[role](file):
                yield file, row

    def _read_dates(self, mentions: MentionIndex) -> Iterator[MalformedRow]:
        for file in self.citation_files:
            has_header = FileSample(file.name, file.head()).first_line.startswith(("PMID", '"PMID'))
            layout = TableLayout(",", Quoting.ESCAPED)
            table = DelimitedTable(file, layout, () if has_header else CITATIONS)
            places = table.column("PMID"), table.column("PYEAR")
            for row in table:
                yield from put_year(mentions, table, row, *places)
        for file in self.date_files:
            mapped = MappedTable(file)
            names = [normalize_column(name) for name in mapped.table.header]
            for row in mapped.table:
                yield from put_year(
                    mentions, mapped.table, row, names.index("pmid"), names.index("date")
                )


def put_year(
    mentions: MentionIndex, table: DelimitedTable, row: TableRow | MalformedRow, at: int, dated: int
) -> Iterator[MalformedRow]:
    """The fault of a row that dates no paper. A paper without a date stays without."""
    if isinstance(row, MalformedRow):
        yield row
        return
    written = row.cells[dated]
    pmid, year = parse_pmid(row.cells[at]), parse_year(written)
    if pmid is None or (year is None and written not in UNDATED):
        yield table.builder.malformed_row(row.line, "number", f"{row.cells[at]} {written}")
    elif year is not None:
        mentions.put_year(pmid, year)


def statement_key(row: Predication) -> str:
    """A symmetric statement is one in both directions."""
    ends = row.subject.id, row.object.id
    known = RELATIONS.get(row.predicate)
    if known is not None and known.symmetric:
        ends = min(ends), max(ends)
    return "\t".join((ends[0], row.predicate, ends[1]))


def make_edge(
    builder: RecordBuilder, one: DatedStatement, *, is_dated: bool
) -> EdgeRow | MalformedRow:
    source, predicate, target = one.statement.split("\t")
    return builder.build_edge(
        0,
        source,
        predicate,
        target,
        score=one.papers,
        evidence=EVIDENCE,
        publications=tuple(f"PMID:{pmid}" for pmid in one.pmids),
        first_year=one.year,
        first_pmid=None if is_dated else one.pmids[0],
        date_source=DATED_BY if is_dated and one.year else "",
    )


FORMAT = GraphFormat(
    name="semrep",
    title="SemRep or SemMedDB",
    description=(
        "A predication is one edge with the number of its papers as score; its year is that of "
        "the first paper, from CITATIONS or a table of pmid and date."
    ),
    file_hint="SemRep's full fielded output or PREDICATION; optionally CITATIONS, or pmid and date",
    required_roles=role_sets("fielded", "predications"),
    role_of=role_of,
    open=open_semrep,
    recognition_order=-1,
)
