"""PrimeKG: kg.csv, with its tables of drug and disease features and of grouped diseases.

Its traps, and what is done about them:
- Identifiers are bare and have lost their zeros: CURIEs are rebuilt from source and type.
- A grouped disease has many MONDO numbers: the first becomes the entity's identifier, the others
  its cross-references, and the names of the grouped diseases its synonyms.
- Every edge is there twice, once each way: both rows are turned the same way, so that they are
  equal and fold into one. 'parent-child' has lost its direction by that, and is symmetric here.
- disease_features.csv has several rows for one disease: all of them are kept.
- There is no table of nodes to be trusted with names: entities come out of kg.csv itself, of
  which only the set of identifiers seen (130,000) is in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.graphs.cells import join_document, sections_of
from backend.graphs.importers.files import InputFile
from backend.graphs.importers.making import Maker
from backend.graphs.importers.primekg_words import (
    DISEASE_SOURCES,
    NO_TEXT,
    RELATIONS,
    directed,
    identifiers_of,
    relation_between,
)
from backend.graphs.importers.reading import CSV, Cells, Table
from backend.graphs.importers.sources import Options, Roles, Sample, required
from backend.graphs.importers.spool import Spool
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, Section

COLUMNS = (
    *("relation", "display_relation", "x_index", "x_id", "x_type", "x_name", "x_source"),
    *("y_index", "y_id", "y_type", "y_name", "y_source"),
)
DRUG_TITLES = {"atc_1": "ATC 1", "atc_2": "ATC 2", "atc_3": "ATC 3", "atc_4": "ATC 4"} | {
    "tpsa": "Polar surface area",
    "clogp": "Partition coefficient (cLogP)",
    "half_life": "Half-life",
}


def role_of(sample: Sample, options: Options) -> str | None:
    columns = sample.first_line.split(",")
    if columns[-len(COLUMNS) :] == [*COLUMNS]:
        return "kg"
    named = {name.strip('"') for name in columns}
    if {"node_index", "mondo_definition", "umls_description"} <= named:
        return "disease_features"
    if {"node_index", "mechanism_of_action", "half_life"} <= named:
        return "drug_features"
    return "groups" if {"node_id", "group_id_bert"} <= named else None


def open_primekg(roles: Roles, options: Options) -> PrimeKG:
    return PrimeKG(required(roles, "kg", "There is no kg.csv."), roles)


@dataclass
class PrimeKG:
    files: Sequence[InputFile]
    roles: Roles
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        with Spool() as spool:
            for role in ("drug_features", "disease_features", "groups"):
                for file in self.roles.get(role, ()):
                    yield from _set_aside(Table(file, CSV), role, spool)
            seen: set[str] = set()
            for file in self.files:
                for row in _Rows(file):
                    # What cannot be read is told once, by edges().
                    if isinstance(row, _Row):
                        yield from row.new_nodes(seen, spool)

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        for file in self.files:
            for row in _Rows(file):
                yield row.edge() if isinstance(row, _Row) else row


class _Rows:
    """The rows of a kg.csv, which may have a nameless column of numbers before its own."""

    def __init__(self, file: InputFile) -> None:
        self._table = Table(file, CSV)
        self._first = self._table.column(COLUMNS[0])

    def __iter__(self) -> Iterator[_Row | Malformed]:
        for row in self._table:
            if isinstance(row, Malformed):
                yield row
            else:
                yield _Row(self._table.maker, row.line, row.cells[self._first :])


@dataclass(frozen=True, slots=True)
class _Row:
    maker: Maker
    line: int
    cells: list[str]

    def new_nodes(self, seen: set[str], spool: Spool) -> Iterator[NodeRow | Malformed]:
        for index, raw, kind, name, source in (self.cells[2:7], self.cells[7:12]):
            found = identifiers_of(source, raw)
            if found and found[0] not in seen:
                seen.add(found[0])
                yield self.maker.node(
                    self.line,
                    found[0],
                    kind,
                    name,
                    synonyms=tuple(_group_names(spool, raw, name)),
                    xrefs=found[1:],
                    document=_document(spool, index),
                )

    def edge(self) -> EdgeRow | Malformed:
        _, display, _, x_id, x_type, _, x_source, _, y_id, y_type, _, y_source = self.cells
        source, target = identifiers_of(x_source, x_id), identifiers_of(y_source, y_id)
        if not source or not target:
            detail = f"{x_source} {x_id}, {y_source} {y_id}"
            return self.maker.drop(self.line, "identifier", detail)
        found = relation_between(display, x_type, y_type)
        if not found:
            return self.maker.drop(self.line, "relation", f"{x_type} {display} {y_type}")
        name, swapped = found
        ends = directed(name, source[0], target[0], swapped=swapped)
        return self.maker.edge(self.line, ends[0], name, ends[1])


def _set_aside(table: Table, role: str, spool: Spool) -> Iterator[Malformed]:
    """Keep what a table of features says until its node comes by in kg.csv."""
    key = table.column("group_id_bert" if role == "groups" else "node_index")
    name = table.get_column("node_name")
    for row in table:
        if isinstance(row, Malformed):
            yield row
        elif role == "groups":
            if name is not None:
                spool.put(f"group {row.cells[key]}", row.cells[name])
        else:
            document = _sections(table.header, row, role)
            if document:
                spool.put(f"document {row.cells[key]}", join_document(document))


def _sections(header: Sequence[str], row: Cells, role: str) -> tuple[Section, ...]:
    of = _drug_section if role == "drug_features" else _disease_section
    pairs = zip(header, row.cells, strict=True)
    return tuple(of(column, text) for column, text in pairs if text and column not in NO_TEXT)


def _drug_section(column: str, text: str) -> Section:
    title = DRUG_TITLES.get(column) or column.replace("_", " ").capitalize()
    return Section(title, text, "DrugBank")


def _disease_section(column: str, text: str) -> Section:
    source, _, words = column.partition("_")
    title = words.replace("_", " ").capitalize() or column
    return Section(title, text, DISEASE_SOURCES.get(source, source))


def _group_names(spool: Spool, raw: str, name: str) -> Iterator[str]:
    """The names of the diseases in a group, each once, without the group's own."""
    yield from (it for it in dict.fromkeys(spool.get(f"group {raw}")) if it and it != name)


def _document(spool: Spool, index: str) -> tuple[Section, ...]:
    """Every section that any row has about the node, each once."""
    rows = (sections_of(json.loads(text)) for text in spool.get(f"document {index}"))
    return tuple(dict.fromkeys(section for row in rows for section in row or ()))
