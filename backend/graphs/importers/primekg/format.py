"""PrimeKG: kg.csv, with its tables of drug and disease features and of grouped diseases.

Peculiarities of the files:
- Identifiers have no prefix and no leading zeros: CURIEs are rebuilt from source and type.
- A grouped disease has many MONDO numbers: the first becomes the entity's identifier, the others
  its cross-references, and the names of the grouped diseases its synonyms.
- Every edge is listed in both directions: both rows are oriented the same way, so that they are
  equal and fold into one. The direction of 'parent-child' is lost, so it is symmetric here.
- disease_features.csv has several rows for one disease: all of them are read.
- x_index and y_index are the node numbers by which STaRK's queries name their answers: they become
  cross-references, `STARK:number`.
- No table of nodes has reliable names: entities are read from kg.csv itself, with the set of
  known identifiers (130,000) in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from backend.graphs.cell_encoding import join_document, parse_sections
from backend.graphs.importers.common.base import (
    FileSample,
    GraphFormat,
    ImportOptions,
    Roles,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.delimited_reader import CSV, DelimitedTable, TableRow
from backend.graphs.importers.common.disk_index import TextSpool
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.importers.primekg.vocabulary import (
    DISEASE_SOURCES,
    NON_TEXT_COLUMNS,
    RELATIONS,
    find_relation,
    make_identifiers,
    order_ends,
)
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section

COLUMNS = (
    *("relation", "display_relation", "x_index", "x_id", "x_type", "x_name", "x_source"),
    *("y_index", "y_id", "y_type", "y_name", "y_source"),
)
DRUG_TITLES = {"atc_1": "ATC 1", "atc_2": "ATC 2", "atc_3": "ATC 3", "atc_4": "ATC 4"} | {
    "tpsa": "Polar surface area",
    "clogp": "Partition coefficient (cLogP)",
    "half_life": "Half-life",
}


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    columns = sample.first_line.split(",")
    if columns[-len(COLUMNS) :] == [*COLUMNS]:
        return "kg"
    named = {name.strip('"') for name in columns}
    if {"node_index", "mondo_definition", "umls_description"} <= named:
        return "disease_features"
    if {"node_index", "mechanism_of_action", "half_life"} <= named:
        return "drug_features"
    return "groups" if {"node_id", "group_id_bert"} <= named else None


def open_primekg(roles: Roles, options: ImportOptions) -> PrimeKGSource:
    return PrimeKGSource(require_role(roles, "kg", "There is no kg.csv."), roles)


@dataclass
class PrimeKGSource:
    files: Sequence[InputFile]
    roles: Roles
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        with closing(TextSpool()) as spool:
            for role in ("drug_features", "disease_features", "groups"):
                for file in self.roles.get(role, ()):
                    yield from _spool_features(DelimitedTable(file, CSV), role, spool)
            known: set[tuple[str, str]] = set()
            for file in self.files:
                for row in _read_rows(file):
                    # edges() reports the malformed rows.
                    if isinstance(row, _KgRow):
                        yield from row.new_nodes(known, spool)

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        for file in self.files:
            for row in _read_rows(file):
                yield row.edge() if isinstance(row, _KgRow) else row


def _read_rows(file: InputFile) -> Iterator[_KgRow | MalformedRow]:
    """The rows of a kg.csv, which may start with an unnamed index column."""
    table = DelimitedTable(file, CSV)
    first = table.column(COLUMNS[0])
    for row in table:
        if isinstance(row, MalformedRow):
            yield row
        else:
            yield _KgRow(table.builder, row.line, row.cells[first:])


@dataclass(frozen=True, slots=True)
class _KgRow:
    maker: RecordBuilder
    line: int
    cells: list[str]

    def new_nodes(
        self, known: set[tuple[str, str]], spool: TextSpool
    ) -> Iterator[NodeRow | MalformedRow]:
        """Nodes of another number and the same identifier become one entity with both numbers."""
        for index, raw, kind, name, source in (self.cells[2:7], self.cells[7:12]):
            identifiers = make_identifiers(source, raw)
            if identifiers and (identifiers[0], index) not in known:
                known.add((identifiers[0], index))
                yield self.maker.build_node(
                    self.line,
                    identifiers[0],
                    kind,
                    name,
                    synonyms=tuple(_group_names(spool, raw, name)),
                    xrefs=(*identifiers[1:], *_stark_number(index)),
                    document=_document(spool, index),
                )

    def edge(self) -> EdgeRow | MalformedRow:
        _, display, _, x_id, x_type, _, x_source, _, y_id, y_type, _, y_source = self.cells
        source, target = make_identifiers(x_source, x_id), make_identifiers(y_source, y_id)
        if not source or not target:
            detail = f"{x_source} {x_id}, {y_source} {y_id}"
            return self.maker.malformed_row(self.line, "identifier", detail)
        relation = find_relation(display, x_type, y_type)
        if not relation:
            return self.maker.malformed_row(self.line, "relation", f"{x_type} {display} {y_type}")
        name, swapped = relation
        ends = order_ends(name, source[0], target[0], swapped=swapped)
        return self.maker.build_edge(self.line, ends[0], name, ends[1])


def _stark_number(index: str) -> tuple[str, ...]:
    """STaRK numbers the nodes of its 'prime' by their index in kg.csv (its skb/prime.py)."""
    return (f"STARK:{index}",) if index.isascii() and index.isdigit() else ()


def _spool_features(table: DelimitedTable, role: str, spool: TextSpool) -> Iterator[MalformedRow]:
    """Store the rows of a table of features until their node is read from kg.csv."""
    key = table.column("group_id_bert" if role == "groups" else "node_index")
    name = table.get_column("node_name")
    for row in table:
        if isinstance(row, MalformedRow):
            yield row
        elif role == "groups":
            if name is not None:
                spool.put(f"group {row.cells[key]}", row.cells[name])
        else:
            document = _feature_sections(table.header, row, role)
            if document:
                spool.put(f"document {row.cells[key]}", join_document(document))


def _feature_sections(header: Sequence[str], row: TableRow, role: str) -> tuple[Section, ...]:
    of = _drug_section if role == "drug_features" else _disease_section
    pairs = zip(header, row.cells, strict=True)
    return tuple(
        of(column, text) for column, text in pairs if text and column not in NON_TEXT_COLUMNS
    )


def _drug_section(column: str, text: str) -> Section:
    title = DRUG_TITLES.get(column) or column.replace("_", " ").capitalize()
    return Section(title, text, "DrugBank")


def _disease_section(column: str, text: str) -> Section:
    source, _, words = column.partition("_")
    title = words.replace("_", " ").capitalize() or column
    return Section(title, text, DISEASE_SOURCES.get(source, source))


def _group_names(spool: TextSpool, raw: str, name: str) -> Iterator[str]:
    """The distinct names of the diseases in a group, without the group's own name."""
    yield from (it for it in dict.fromkeys(spool.get(f"group {raw}")) if it and it != name)


def _document(spool: TextSpool, index: str) -> tuple[Section, ...]:
    """The distinct sections of all rows of a node."""
    rows = (parse_sections(json.loads(text)) for text in spool.get(f"document {index}"))
    return tuple(dict.fromkeys(section for row in rows for section in row or ()))


FORMAT = GraphFormat(
    name="primekg",
    title="PrimeKG",
    description=(
        "Identifiers are rebuilt, both rows of an edge fold into one, `parent-child` is symmetric, "
        "and the index of a node is kept as STaRK's number."
    ),
    file_hint=(
        "kg.csv; with drug_features.csv, disease_features.csv, kg_grouped_diseases_bert_map.csv"
    ),
    required_roles=role_sets("kg"),
    role_of=role_of,
    open=open_primekg,
)
