"""PubTator 3 as TruthHypo uses it: nodes.tsv with edges_train.tsv, or with relation2pubtator3.

Peculiarities of the files:
- mention_counts is a Python dictionary in a cell: it is parsed as a literal, never evaluated.
- edges_test.tsv (recognised by its column `question`) has the hidden answers, and edges_unseen.tsv
  (`first_unseen`) what is to be predicted: both are ignored.
- TruthHypo's edges name no paper: if relation2pubtator3 is among the files, its papers are joined
  to them, up to 20 per edge, by a temporary database on disk. Without that file, the first 20 of
  the column `pmids` are taken.
- An edge was first seen in the earliest of all its papers, also beyond those 20, or in the one that
  the column `first_seen` of the edges has, if that is earlier.
- The relations were extracted automatically, which is recorded as their evidence.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from backend.graphs.cell_encoding import split_list
from backend.graphs.identifiers import canonicalize, make_curie, scheme_of_curie
from backend.graphs.importers.common.base import (
    FileSample,
    GraphFormat,
    ImportOptions,
    Roles,
    build_rows,
    relation_table,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.delimited_reader import (
    TSV,
    DelimitedTable,
    Quoting,
    TableLayout,
    TableRow,
)
from backend.graphs.importers.common.disk_index import PaperIndex
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section

QUOTED_TSV = TableLayout("\t", Quoting.CSV)
EVIDENCE = "PubTator 3 (machine-extracted)"
RELATION_COLUMNS = ("pmid", "relation", "first", "second")
RELATION_LINE = re.compile(r"\d+\t[a-z_]+\t\w+\|[^\t]+\t\w+\|[^\t]+")
MAX_SYNONYMS = 50
MAX_PMID_DIGITS = 9
MAX_LITERAL_LENGTH = 1_000_000
FIRST_SEEN, FIRST_UNSEEN, PMIDS = "first_seen", "first_unseen", "pmids"
SPECIES_COLUMNS = ("species", "Species", "tax_id", "taxid")
PREFIXES = {"Gene": "NCBIGene", "Species": "NCBITaxon", "CellLine": "CVCL"} | {
    "Chemical": "MESH",
    "Disease": "MESH",
}
CHEMICAL_FIRST_RELATIONS = {"treat", "cause", "prevent"}

RELATIONS = relation_table(
    ("associate", "is associated with"),
    ("cause", "causes", "is caused by"),
    ("compare", "is compared with"),
    ("cotreat", "is given together with"),
    ("drug_interact", "interacts as a drug with"),
    ("inhibit", "inhibits", "is inhibited by"),
    ("interact", "interacts with"),
    ("negative_correlate", "is negatively correlated with"),
    ("no_relation", "has no relation with"),
    ("positive_correlate", "is positively correlated with"),
    ("prevent", "prevents", "is prevented by"),
    ("stimulate", "stimulates", "is stimulated by"),
    ("treat", "treats", "is treated by"),
)


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    columns = {name.strip('"') for name in sample.tab_cells}
    if {"Type", "ConceptID", "mention"} <= columns:
        return "nodes"
    if {"x_id", "y_id", "relation"} <= columns:
        return None if columns & {"question", FIRST_UNSEEN} else "edges"
    return "relations" if RELATION_LINE.fullmatch(sample.first_line) else None


def open_pubtator(roles: Roles, options: ImportOptions) -> PubTatorSource:
    nodes = require_role(roles, "nodes", "There is no nodes.tsv (Type, ConceptID, mention).")
    return PubTatorSource(nodes, roles.get("edges", ()), roles.get("relations", ()))


def make_identifier(kind: str, raw: str) -> str | None:
    """The CURIE of a concept: 'Chemical', 'MESH:C000541'; None if PubTator assigned none."""
    if raw in {"", "-"}:
        return None
    if scheme_of_curie(raw):
        return canonicalize(raw)
    if raw.startswith("rs") and raw[2:].isdigit():
        return make_curie("DBSNP", raw)
    if kind in {"Gene", "Species"} and not (raw.isascii() and raw.isdigit()):
        return f"PUBTATOR.{kind}:{raw}"
    return make_curie(PREFIXES.get(kind, f"PUBTATOR.{kind}"), raw)


def order_ends(relation: str, first: str, second: str) -> tuple[str, str] | None:
    """The ends of an edge in the direction of its relation; None if either is invalid."""
    first_kind, _, first_raw = first.partition("|")
    second_kind, _, second_raw = second.partition("|")
    source, target = (
        make_identifier(first_kind, first_raw),
        make_identifier(second_kind, second_raw),
    )
    if not source or not target or relation not in RELATIONS:
        return None
    turned = (
        first_kind == "Disease"
        and second_kind == "Chemical"
        and relation in CHEMICAL_FIRST_RELATIONS
    )
    if turned or (RELATIONS[relation].symmetric and target < source):
        return target, source
    return source, target


@dataclass
class PubTatorSource:
    node_files: Sequence[InputFile]
    edge_files: Sequence[InputFile]
    relation_files: Sequence[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        for file in self.node_files:
            table = DelimitedTable(file, QUOTED_TSV)
            yield from build_rows(table, _node_builder(table))

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        if not self.edge_files:
            for table in self._relation_tables():
                yield from build_rows(table, _extracted_edge_builder(table.builder))
            return
        with closing(PaperIndex()) as papers:
            if self.relation_files:
                self._register_statements(papers)
                yield from self._collect_papers(papers)
            for file in self.edge_files:
                table = DelimitedTable(file, QUOTED_TSV)
                yield from build_rows(table, _edge_builder(table, papers))

    def _relation_tables(self) -> Iterator[DelimitedTable]:
        for file in self.relation_files:
            yield DelimitedTable(file, TSV, RELATION_COLUMNS)

    def _register_statements(self, papers: PaperIndex) -> None:
        """Add the statements of all edges to the index, so that their papers are collected."""
        for file in self.edge_files:
            table = DelimitedTable(file, QUOTED_TSV)
            columns = [table.column(name) for name in ("relation", "x_id", "y_id")]
            for row in table:
                if isinstance(row, TableRow) and (
                    key := _statement_key(*(row.cells[at] for at in columns))
                ):
                    papers.add_statement(key)

    def _collect_papers(self, papers: PaperIndex) -> Iterator[MalformedRow]:
        for table in self._relation_tables():
            for row in table:
                if isinstance(row, MalformedRow):
                    yield row
                elif key := _statement_key(*row.cells[1:]):
                    papers.add_paper(key, row.cells[0], parse_pmid(row.cells[0]))


def _statement_key(relation: str, first: str, second: str) -> str:
    ends = order_ends(relation, first, second)
    return "\t".join((relation, *ends)) if ends else ""


def _node_builder(table: DelimitedTable) -> Callable[[TableRow], NodeRow | MalformedRow]:
    kind, concept, mention = (table.column(name) for name in ("Type", "ConceptID", "mention"))
    counts = table.get_column("mention_counts")
    species = next(
        (at for name in SPECIES_COLUMNS if (at := table.get_column(name)) is not None), None
    )
    maker = table.builder

    def make(row: TableRow) -> NodeRow | MalformedRow:
        cells = row.cells
        identifier = make_identifier(cells[kind], cells[concept])
        if identifier is None:
            return maker.malformed_row(row.line, "identifier", f"{cells[kind]} {cells[concept]}")
        names = parse_mentions(cells[counts]) if counts is not None else []
        if names is None:
            return maker.malformed_row(row.line, "literal", cells[counts or 0])
        return maker.build_node(
            row.line,
            identifier,
            cells[kind],
            cells[mention],
            synonyms=tuple(name for name in names if name and name != cells[mention]),
            document=_species_section(cells[species]) if species is not None else (),
        )

    return make


def _species_section(text: str) -> tuple[Section, ...]:
    """The species as a section: genes are of all species, not only human."""
    return (Section("Species", text, "PubTator 3"),) if text else ()


def parse_mentions(cell: str) -> list[str] | None:
    """The mentions of a concept, most frequent first; None if the cell is no valid literal."""
    if not cell:
        return []
    if len(cell) > MAX_LITERAL_LENGTH:
        return None
    try:
        counts = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    if not isinstance(counts, dict):
        return None
    if not all(isinstance(k, str) and isinstance(v, int) for k, v in counts.items()):
        return None
    return sorted(counts, key=lambda name: (-counts[name], name))[:MAX_SYNONYMS]


def _edge_builder(
    table: DelimitedTable, papers: PaperIndex
) -> Callable[[TableRow], EdgeRow | MalformedRow]:
    relation, first, second = (table.column(name) for name in ("relation", "x_id", "y_id"))
    dated, listed = (table.get_column(name) for name in (FIRST_SEEN, PMIDS))
    maker = table.builder

    def make(row: TableRow) -> EdgeRow | MalformedRow:
        cells = row.cells
        statement = cells[relation], cells[first], cells[second]
        key, written = _statement_key(*statement), cells[dated] if dated is not None else ""
        pmid = parse_pmid(written)
        if written and pmid is None:
            return maker.malformed_row(row.line, "number", f"first_seen {written}")
        dates = [date for date in (pmid, papers.get_earliest(key)) if date is not None]
        earliest = min(dates, default=None)
        own = split_list(cells[listed])[: papers.MAX_PAPERS] if listed is not None else ()
        if not all(map(parse_pmid, own)):
            return maker.malformed_row(row.line, "number", f"pmids {cells[listed or 0]}")
        return _build_edge(maker, row.line, *statement, papers.get(key) or own, earliest)

    return make


def _extracted_edge_builder(maker: RecordBuilder) -> Callable[[TableRow], EdgeRow | MalformedRow]:
    def make(row: TableRow) -> EdgeRow | MalformedRow:
        number, relation, first, second = row.cells
        return _build_edge(maker, row.line, relation, first, second, [number], parse_pmid(number))

    return make


def parse_pmid(text: str) -> int | None:
    if text.isdecimal() and text.isascii() and len(text) <= MAX_PMID_DIGITS:
        return int(text) or None
    return None


def _build_edge(
    maker: RecordBuilder,
    line: int,
    relation: str,
    first: str,
    second: str,
    papers: Sequence[str],
    first_pmid: int | None,
) -> EdgeRow | MalformedRow:
    written = f"{first} {relation} {second}"
    if relation not in RELATIONS:
        return maker.malformed_row(line, "relation", written)
    ends = order_ends(relation, first, second)
    if ends is None:
        return maker.malformed_row(line, "identifier", written)
    publications = tuple(make_curie("PMID", number) for number in papers)
    return maker.build_edge(
        line,
        ends[0],
        relation,
        ends[1],
        evidence=EVIDENCE,
        publications=publications,
        first_pmid=first_pmid,
    )


FORMAT = GraphFormat(
    name="pubtator",
    title="PubTator 3 as in TruthHypo",
    description=(
        "Papers are joined to edges, up to 20 each; files with the column `question` or "
        "`first_unseen` are ignored as a test set."
    ),
    file_hint="nodes.tsv with edges_train.tsv, with relation2pubtator3, or with both",
    required_roles=role_sets("nodes edges", "nodes relations"),
    role_of=role_of,
    open=open_pubtator,
)
