"""Concepts of papers as a network: two that a paper mentions are linked.

A table of `pmid`, `date` and `cuis`, a row for each paper; another of `cui`, `name` and `type` may
name the concepts. No significance is demanded of a co-occurrence (Dyport, section 5.5), so the
graph has every pair that any paper mentions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations

from backend.graphs.importers.common.base import (
    FileSample,
    GraphFormat,
    ImportOptions,
    Roles,
    relation_table,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.disk_index import MentionIndex, PaperIndex
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.mapped_table import (
    MappedTable,
    detect_layout,
    normalize_column,
)
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.importers.common.umls_concepts import UNKNOWN_TYPE, concept_of
from backend.graphs.importers.paper_concepts.paper_table import (
    COLUMNS,
    PaperConcepts,
    PaperNumbers,
    PaperTable,
)
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow

RELATION = "mentioned_with"
RELATIONS = relation_table((RELATION, "is mentioned with"))
EVIDENCE, DATED_BY = "co-occurrence", "first paper with both concepts"
FILE = "papers"  # in reports of an edge, which is of no line


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    _, names = detect_layout(sample.first_line) or (None, [])
    columns = {normalize_column(name) for name in names}
    if {*COLUMNS} <= columns:
        return "papers"
    return "concepts" if {"cui", "name"} <= columns else None


def open_paper_concepts(roles: Roles, options: ImportOptions) -> PaperConceptSource:
    papers = require_role(roles, "papers", "There is no table of pmid, date and cuis.")
    return PaperConceptSource(papers, roles.get("concepts", ()))


@dataclass
class PaperConceptSource:
    paper_files: Sequence[InputFile]
    concept_files: Sequence[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        """Concepts that a paper mentions. Faults of papers are those of edges."""
        names: dict[str, tuple[str, str]] = {}
        yield from self._read_names(names)
        known: set[str] = set()
        for file, paper in self._papers():
            builder = RecordBuilder(file.name, file.limits)
            for concept in () if isinstance(paper, MalformedRow) else paper.concepts:
                if concept not in known:
                    known.add(concept)
                    name, kind = names.get(concept, ("", ""))
                    yield builder.build_node(0, concept, kind or UNKNOWN_TYPE, name)

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        with closing(MentionIndex()) as mentions:
            for _, paper in self._papers():
                if isinstance(paper, MalformedRow):
                    yield paper
                    continue
                mentions.put_year(paper.pmid, paper.year)
                for pair in combinations(paper.concepts, 2):
                    mentions.add("\t".join(pair), paper.pmid)
            builder = RecordBuilder(FILE, self.paper_files[0].limits)
            for one in mentions.read(PaperIndex.MAX_PAPERS):
                source, target = one.statement.split("\t")
                yield builder.build_edge(
                    0,
                    source,
                    RELATION,
                    target,
                    score=one.papers,
                    evidence=EVIDENCE,
                    publications=tuple(f"PMID:{pmid}" for pmid in one.pmids),
                    first_year=one.year,
                    date_source=DATED_BY,
                )

    def _papers(self) -> Iterator[tuple[InputFile, PaperConcepts | MalformedRow]]:
        known = PaperNumbers()
        for file in self.paper_files:
            for row in PaperTable(file, known):
                yield file, row

    def _read_names(self, names: dict[str, tuple[str, str]]) -> Iterator[MalformedRow]:
        """Name and type of each concept, by its first row."""
        for file in self.concept_files:
            mapped = MappedTable(file)
            cui, name, kind = (mapped.reader(column) for column in ("cui", "name", "type"))
            for row in mapped.table:
                if isinstance(row, MalformedRow):
                    yield row
                elif concept := cui(row.cells):
                    names.setdefault(concept_of(concept), (name(row.cells), kind(row.cells)))


FORMAT = GraphFormat(
    name="paper-concepts",
    title="Concepts of papers (co-occurrence)",
    description=(
        "Two concepts of one paper are linked, with the first year, the first 20 papers and the "
        "number of papers as score."
    ),
    file_hint="pmid, date, cuis; optionally a table of cui, name and type",
    required_roles=role_sets("papers"),
    role_of=role_of,
    open=open_paper_concepts,
)
