"""The plain format: one table of entities, one of edges, and one of relations if there is one.

    entities   id, name, type; may have synonyms, xrefs, document
    edges      source, relation, target; may have score, evidence, level, p_value, publications
    relations  name, forward, backward; may have symmetric (yes or no)

Comma, semicolon or tab, told by the header. A comma or semicolon file is quoted as RFC 4180
says; in a tab file a quotation mark is a character. Lists are separated by bars, documents are
text or JSON (backend/graphs/cells.py). A cell that this software's own export escaped for
spreadsheets is put back (backend/common/spreadsheets.py). Columns of other names can be mapped;
those that nobody asks for are left alone.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from backend.common.spreadsheets import unescape
from backend.graphs.cells import split_document, split_list
from backend.graphs.importers.files import FileRefused, InputFile
from backend.graphs.importers.reading import TSV, Cells, Layout, Quoting, Table
from backend.graphs.importers.sources import Options, Relations, Roles, Sample, required, rows_of
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, RelationInfo

ENTITIES = ("id", "name", "type")
ENTITIES_MORE = ("synonyms", "xrefs", "document")
EDGES = ("source", "relation", "target")
EDGES_MORE = ("score", "evidence", "level", "p_value", "publications")
RELATIONS = ("name", "forward", "backward")
NEEDED = {"entities": ENTITIES, "edges": EDGES, "relations": RELATIONS}
YES = {"yes", "true", "1"}
NO = {"no", "false", "0", ""}
MOST_RELATIONS = 65_535


def spelt(name: str) -> str:
    return name.strip().casefold()


def layout_of(sample: Sample) -> tuple[Layout, list[str]] | None:
    """How a table is written, told by its header: the sign that gives the most columns."""
    line = sample.first_line
    found = []
    for sign in "\t,;":
        layout = TSV if sign == "\t" else Layout(sign, Quoting.CSV)
        try:
            names = line.split(sign) if sign == "\t" else next(csv.reader([line], delimiter=sign))
        except (csv.Error, StopIteration):
            continue
        found.append((layout, names))
    best = max(found, key=lambda it: len(it[1]), default=None)
    return best if best and len(best[1]) > 1 else None


def role_of(sample: Sample, options: Options) -> str | None:
    """Whether a file has the columns of entities, edges or relations."""
    found = layout_of(sample)
    if found is None:
        return None
    names = {spelt(name) for name in found[1]}
    for role, needed in NEEDED.items():
        if all(spelt(options.columns.get(name, name)) in names for name in needed):
            return role
    return None


def open_plain(roles: Roles, options: Options) -> PlainSource:
    entities = required(roles, "entities", "There is no table of entities (id, name, type).")
    edges = required(roles, "edges", "There is no table of edges (source, relation, target).")
    return PlainSource(entities, edges, roles.get("relations", ()), options)


@dataclass
class PlainSource:
    entity_files: Sequence[InputFile]
    edge_files: Sequence[InputFile]
    relation_files: Sequence[InputFile]
    options: Options

    @cached_property
    def relations(self) -> Relations:
        """The relations that the tables name; a table of them is small, and read whole."""
        found: dict[str, RelationInfo] = {}
        for file in self.relation_files:
            table = _Named(file, self.options)
            for row in table.table:
                info = _relation(table, row)
                if info.name in found or len(found) == MOST_RELATIONS:
                    detail = f"{file.name} names {info.name} twice, or too many relations."
                    raise FileRefused(file.name, detail, code="relations")
                found[info.name] = info
        return found

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        for file in self.entity_files:
            table = _Named(file, self.options)
            yield from rows_of(table.table, _entity_maker(table))

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        for file in self.edge_files:
            table = _Named(file, self.options)
            yield from rows_of(table.table, _edge_maker(table))


class _Named:
    """A table whose columns have the names of the format, or those that the mapping gives."""

    def __init__(self, file: InputFile, options: Options) -> None:
        layout, _ = layout_of(Sample(file.name, file.head())) or (TSV, [])
        self.table = Table(file, layout)
        self._columns: Mapping[str, str] = options.columns
        self._spelt = [spelt(name) for name in self.table.header]

    def reader(self, name: str) -> Callable[[list[str]], str]:
        """Reads the cell of a column; the empty cell where the table has no such column."""
        wanted = spelt(self._columns.get(name, name))
        if wanted not in self._spelt:
            return lambda cells: ""
        at = self._spelt.index(wanted)
        return lambda cells: unescape(cells[at])


def _entity_maker(table: _Named) -> Callable[[Cells], NodeRow | Malformed]:
    identifier, name, kind = map(table.reader, ENTITIES)
    synonyms, xrefs, document = map(table.reader, ENTITIES_MORE)
    maker = table.table.maker

    def make(row: Cells) -> NodeRow | Malformed:
        cells = row.cells
        return maker.node(
            row.line,
            identifier(cells),
            kind(cells),
            name(cells),
            synonyms=split_list(synonyms(cells)),
            xrefs=split_list(xrefs(cells)),
            document=split_document(document(cells)),
        )

    return make


def _edge_maker(table: _Named) -> Callable[[Cells], EdgeRow | Malformed]:
    source, relation, target = map(table.reader, EDGES)
    score, evidence, level, p_value, publications = map(table.reader, EDGES_MORE)
    maker = table.table.maker

    def make(row: Cells) -> EdgeRow | Malformed:
        cells = row.cells
        return maker.edge(
            row.line,
            source(cells),
            relation(cells),
            target(cells),
            score=score(cells),
            evidence=evidence(cells),
            level=level(cells),
            p_value=p_value(cells),
            publications=split_list(publications(cells)),
        )

    return make


def _relation(table: _Named, row: Cells | Malformed) -> RelationInfo:
    """One relation. A phrase that cannot be read would be wrong on every screen: no dropping."""
    file = table.table.file.name
    if isinstance(row, Malformed):
        detail = f"{file}, line {row.line}: {row.detail}."
        raise FileRefused(file, detail, code=row.reason)
    name, forward, backward = (table.reader(column)(row.cells) for column in RELATIONS)
    symmetric = table.reader("symmetric")(row.cells).casefold()
    if symmetric not in YES | NO:
        detail = f"{file}, line {row.line}: symmetric is {symmetric!r}."
        raise FileRefused(file, detail, code="relations", expected="yes or no")
    info = RelationInfo(name, forward, backward, symmetric in YES)
    return table.table.maker.relation(row.line, info)
