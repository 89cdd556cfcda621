"""PubTator 3 as TruthHypo uses it: nodes.tsv with edges_train.tsv, or with relation2pubtator3.

Its traps, and what is done about them:
- mention_counts is a Python dictionary in a cell: it is read as a literal, never run.
- edges_test.tsv (told by its column `question`) holds the answers to be found: it is left alone.
- TruthHypo's edges name no paper: where relation2pubtator3 is among the files, the papers are
  joined to them, up to 20 an edge, through a table on the disk.
- The relations were extracted by a machine, and the evidence says so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from backend.graphs.identifiers import canonical, curie, scheme_of
from backend.graphs.importers.files import InputFile
from backend.graphs.importers.making import Maker
from backend.graphs.importers.reading import TSV, Cells, Layout, Quoting, Table
from backend.graphs.importers.sources import (
    Options,
    Roles,
    Sample,
    relation_table,
    required,
    rows_of,
)
from backend.graphs.importers.spool import Papers
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, Section

LAYOUT = Layout("\t", Quoting.CSV)
EVIDENCE = "PubTator 3 (machine-extracted)"
COLUMNS = ("pmid", "relation", "first", "second")
RELATION_LINE = re.compile(r"\d+\t[a-z_]+\t\w+\|[^\t]+\t\w+\|[^\t]+")
MOST_SYNONYMS = 50
LONGEST_LITERAL = 1_000_000
SPECIES = ("species", "Species", "tax_id", "taxid")
PREFIXES = {"Gene": "NCBIGene", "Species": "NCBITaxon", "CellLine": "CVCL"} | {
    "Chemical": "MESH",
    "Disease": "MESH",
}
FROM_CHEMICAL = {"treat", "cause", "prevent"}

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


def role_of(sample: Sample, options: Options) -> str | None:
    columns = {name.strip('"') for name in sample.tabbed}
    if {"Type", "ConceptID", "mention"} <= columns:
        return "nodes"
    if {"x_id", "y_id", "relation"} <= columns:
        return None if "question" in columns else "edges"
    return "relations" if RELATION_LINE.fullmatch(sample.first_line) else None


def open_pubtator(roles: Roles, options: Options) -> PubTator:
    nodes = required(roles, "nodes", "There is no nodes.tsv (Type, ConceptID, mention).")
    return PubTator(nodes, roles.get("edges", ()), roles.get("relations", ()))


def identifier_of(kind: str, raw: str) -> str | None:
    """The CURIE of a concept: 'Chemical', 'MESH:C000541'; None where PubTator has found none."""
    if raw in {"", "-"}:
        return None
    if scheme_of(raw):
        return canonical(raw)
    if raw.startswith("rs") and raw[2:].isdigit():
        return curie("DBSNP", raw)
    if kind in {"Gene", "Species"} and not (raw.isascii() and raw.isdigit()):
        return f"PUBTATOR.{kind}:{raw}"
    return curie(PREFIXES.get(kind, f"PUBTATOR.{kind}"), raw)


def ends_of(relation: str, first: str, second: str) -> tuple[str, str] | None:
    """The ends of an edge, in the order in which it is said; None if either names nothing."""
    first_kind, _, first_raw = first.partition("|")
    second_kind, _, second_raw = second.partition("|")
    source, target = identifier_of(first_kind, first_raw), identifier_of(second_kind, second_raw)
    if not source or not target or relation not in RELATIONS:
        return None
    turned = first_kind == "Disease" and second_kind == "Chemical" and relation in FROM_CHEMICAL
    if turned or (RELATIONS[relation].symmetric and target < source):
        return target, source
    return source, target


@dataclass
class PubTator:
    node_files: Sequence[InputFile]
    edge_files: Sequence[InputFile]
    relation_files: Sequence[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        for file in self.node_files:
            table = Table(file, LAYOUT)
            yield from rows_of(table, _node_maker(table))

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        if not self.edge_files:
            for table in self._relation_tables():
                yield from rows_of(table, _extracted(table.maker))
            return
        with Papers() as papers:
            if self.relation_files:
                self._ask(papers)
                yield from self._answer(papers)
            for file in self.edge_files:
                table = Table(file, LAYOUT)
                yield from rows_of(table, _edge_maker(table, papers))

    def _relation_tables(self) -> Iterator[Table]:
        for file in self.relation_files:
            yield Table(file, TSV, COLUMNS)

    def _ask(self, papers: Papers) -> None:
        """Which statements papers are wanted for."""
        for file in self.edge_files:
            table = Table(file, LAYOUT)
            columns = [table.column(name) for name in ("relation", "x_id", "y_id")]
            for row in table:
                if isinstance(row, Cells) and (key := _key(*(row.cells[at] for at in columns))):
                    papers.ask(key)

    def _answer(self, papers: Papers) -> Iterator[Malformed]:
        for table in self._relation_tables():
            for row in table:
                if isinstance(row, Malformed):
                    yield row
                elif key := _key(*row.cells[1:]):
                    papers.put(key, row.cells[0])


def _key(relation: str, first: str, second: str) -> str:
    ends = ends_of(relation, first, second)
    return "\t".join((relation, *ends)) if ends else ""


def _node_maker(table: Table) -> Callable[[Cells], NodeRow | Malformed]:
    kind, concept, mention = (table.column(name) for name in ("Type", "ConceptID", "mention"))
    counts = table.get_column("mention_counts")
    species = next((at for name in SPECIES if (at := table.get_column(name)) is not None), None)
    maker = table.maker

    def make(row: Cells) -> NodeRow | Malformed:
        cells = row.cells
        identifier = identifier_of(cells[kind], cells[concept])
        if identifier is None:
            return maker.drop(row.line, "identifier", f"{cells[kind]} {cells[concept]}")
        names = mentions_of(cells[counts]) if counts is not None else []
        if names is None:
            return maker.drop(row.line, "literal", cells[counts or 0])
        return maker.node(
            row.line,
            identifier,
            cells[kind],
            cells[mention],
            synonyms=tuple(name for name in names if name and name != cells[mention]),
            document=_species(cells[species]) if species is not None else (),
        )

    return make


def _species(text: str) -> tuple[Section, ...]:
    """Genes here are of every species: a reader must see that one is not human."""
    return (Section("Species", text, "PubTator 3"),) if text else ()


def mentions_of(cell: str) -> list[str] | None:
    """The most frequent mentions of a concept, most frequent first; None if it is no literal."""
    if not cell:
        return []
    if len(cell) > LONGEST_LITERAL:
        return None
    try:
        counts = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    if not isinstance(counts, dict):
        return None
    if not all(isinstance(k, str) and isinstance(v, int) for k, v in counts.items()):
        return None
    return sorted(counts, key=lambda name: (-counts[name], name))[:MOST_SYNONYMS]


def _edge_maker(table: Table, papers: Papers) -> Callable[[Cells], EdgeRow | Malformed]:
    relation, first, second = (table.column(name) for name in ("relation", "x_id", "y_id"))
    maker = table.maker

    def make(row: Cells) -> EdgeRow | Malformed:
        cells = row.cells
        said = cells[relation], cells[first], cells[second]
        return _edge(maker, row.line, *said, papers.get(_key(*said)))

    return make


def _extracted(maker: Maker) -> Callable[[Cells], EdgeRow | Malformed]:
    def make(row: Cells) -> EdgeRow | Malformed:
        number, relation, first, second = row.cells
        return _edge(maker, row.line, relation, first, second, [number])

    return make


def _edge(
    maker: Maker, line: int, relation: str, first: str, second: str, papers: list[str]
) -> EdgeRow | Malformed:
    written = f"{first} {relation} {second}"
    if relation not in RELATIONS:
        return maker.drop(line, "relation", written)
    ends = ends_of(relation, first, second)
    if ends is None:
        return maker.drop(line, "identifier", written)
    publications = tuple(curie("PMID", number) for number in papers)
    return maker.edge(
        line, ends[0], relation, ends[1], evidence=EVIDENCE, publications=publications
    )
