"""Tables of entities and edges, and an optional table of relations.

    entities   id, name, type; optional: synonyms, xrefs, document
    edges      source, relation, target; optional: score, evidence, level, p_value, publications,
               first_pmid or first_year (when the edge was first seen) or first_seen, which is a
               year up to 9,999 and else a PMID; date_source (what states it)
    relations  name, forward, backward; optional: symmetric (yes or no)

The delimiter (comma, semicolon or tab) is detected in the header. Comma and semicolon files are
quoted as in RFC 4180; in tab files quotation marks are ordinary characters. Lists and documents
are decoded by backend/graphs/cell_encoding.py. Cells that our export escaped for spreadsheets are
unescaped (backend/validation/csv_escaping.py). Columns with other names can be mapped; further
columns are ignored.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence

from backend.graphs.cell_encoding import split_document, split_list
from backend.graphs.importers.common.base import (
    FileSample,
    FileSource,
    GraphFormat,
    ImportOptions,
    Relations,
    Roles,
    build_rows,
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
from backend.graphs.importers.common.input_files import FileRefused, InputFile
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, RelationInfo
from backend.validation.csv_escaping import unescape

ENTITY_COLUMNS = ("id", "name", "type")
OPTIONAL_ENTITY_COLUMNS = ("synonyms", "xrefs", "document")
EDGE_COLUMNS = ("source", "relation", "target")
OPTIONAL_EDGE_COLUMNS = ("score", "evidence", "level", "p_value", "publications")
DATE_COLUMNS = ("first_pmid", "first_year", "first_seen", "date_source")
RELATION_COLUMNS = ("name", "forward", "backward")
REQUIRED_COLUMNS = {
    "entities": ENTITY_COLUMNS,
    "edges": EDGE_COLUMNS,
    "relations": RELATION_COLUMNS,
}
TRUE_WORDS = {"yes", "true", "1"}
FALSE_WORDS = {"no", "false", "0", ""}
MAX_RELATIONS = 65_535


def normalize_column(name: str) -> str:
    return name.strip().casefold()


def detect_layout(sample: FileSample) -> tuple[TableLayout, list[str]] | None:
    """Detect the delimiter: the one that gives the most columns in the header."""
    line = sample.first_line
    candidates = []
    for sign in "\t,;":
        layout = TSV if sign == "\t" else TableLayout(sign, Quoting.CSV)
        try:
            names = line.split(sign) if sign == "\t" else next(csv.reader([line], delimiter=sign))
        except (csv.Error, StopIteration):
            continue
        candidates.append((layout, names))
    best = max(candidates, key=lambda it: len(it[1]), default=None)
    return best if best and len(best[1]) > 1 else None


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    """The role of a file by its columns: entities, edges or relations."""
    layout = detect_layout(sample)
    if layout is None:
        return None
    names = {normalize_column(name) for name in layout[1]}
    for role, needed in REQUIRED_COLUMNS.items():
        if all(
            normalize_column(options.column_mapping.get(name, name)) in names for name in needed
        ):
            return role
    return None


def open_csv(roles: Roles, options: ImportOptions) -> FileSource:
    return FileSource(
        require_role(roles, "entities", "There is no table of entities (id, name, type)."),
        require_role(roles, "edges", "There is no table of edges (source, relation, target)."),
        lambda file: _read_entities(_MappedTable(file, options)),
        lambda file: _read_edges(_MappedTable(file, options)),
        lambda: _read_relations(roles.get("relations", ()), options),
    )


def _read_relations(files: Sequence[InputFile], options: ImportOptions) -> Relations:
    """The relations of the tables, which are small and read at once."""
    result: dict[str, RelationInfo] = {}
    for file in files:
        table = _MappedTable(file, options)
        for row in table.table:
            info = _relation(table, row)
            if info.name in result or len(result) == MAX_RELATIONS:
                detail = f"{file.name} names {info.name} twice, or too many relations."
                raise FileRefused(file.name, detail, code="relations")
            result[info.name] = info
    return result


class _MappedTable:
    """A table whose columns are found by the format's names or by the column mapping."""

    def __init__(self, file: InputFile, options: ImportOptions) -> None:
        layout, _ = detect_layout(FileSample(file.name, file.head())) or (TSV, [])
        self.table = DelimitedTable(file, layout)
        self._columns: Mapping[str, str] = options.column_mapping
        self._normalized_header = [normalize_column(name) for name in self.table.header]

    def reader(self, name: str) -> Callable[[list[str]], str]:
        """A function that reads the cell of a column; '' if the table lacks the column."""
        column = normalize_column(self._columns.get(name, name))
        if column not in self._normalized_header:
            return lambda cells: ""
        at = self._normalized_header.index(column)
        return lambda cells: unescape(cells[at])


def _read_entities(table: _MappedTable) -> Iterator[NodeRow | MalformedRow]:
    identifier, name, kind = map(table.reader, ENTITY_COLUMNS)
    synonyms, xrefs, document = map(table.reader, OPTIONAL_ENTITY_COLUMNS)
    maker = table.table.builder

    def make(row: TableRow) -> NodeRow | MalformedRow:
        cells = row.cells
        return maker.build_node(
            row.line,
            identifier(cells),
            kind(cells),
            name(cells),
            synonyms=split_list(synonyms(cells)),
            xrefs=split_list(xrefs(cells)),
            document=split_document(document(cells)),
        )

    return build_rows(table.table, make)


def _read_edges(table: _MappedTable) -> Iterator[EdgeRow | MalformedRow]:
    source, relation, target = map(table.reader, EDGE_COLUMNS)
    score, evidence, level, p_value, publications = map(table.reader, OPTIONAL_EDGE_COLUMNS)
    first_pmid, first_year, first_seen, date_source = map(table.reader, DATE_COLUMNS)
    maker = table.table.builder

    def make(row: TableRow) -> EdgeRow | MalformedRow:
        cells = row.cells
        return maker.build_edge(
            row.line,
            source(cells),
            relation(cells),
            target(cells),
            score=score(cells),
            evidence=evidence(cells),
            level=level(cells),
            p_value=p_value(cells),
            publications=split_list(publications(cells)),
            first_pmid=first_pmid(cells),
            first_year=first_year(cells),
            first_seen=first_seen(cells),
            date_source=date_source(cells),
        )

    return build_rows(table.table, make)


def _relation(table: _MappedTable, row: TableRow | MalformedRow) -> RelationInfo:
    """Build a relation. Raises FileRefused: a wrong phrase would appear on every screen."""
    file = table.table.file.name
    if isinstance(row, MalformedRow):
        detail = f"{file}, line {row.line}: {row.detail}."
        raise FileRefused(file, detail, code=row.reason)
    name, forward, backward = (table.reader(column)(row.cells) for column in RELATION_COLUMNS)
    symmetric = table.reader("symmetric")(row.cells).casefold()
    if symmetric not in TRUE_WORDS | FALSE_WORDS:
        detail = f"{file}, line {row.line}: symmetric is {symmetric!r}."
        raise FileRefused(file, detail, code="relations", expected="yes or no")
    info = RelationInfo(name, forward, backward, symmetric in TRUE_WORDS)
    return table.table.builder.check_relation(row.line, info)


FORMAT = GraphFormat(
    name="csv",
    title="Tables (CSV or TSV)",
    description=(
        "Comma, semicolon or tab, detected in the header; columns with other names can be mapped."
    ),
    file_hint=(
        "entities (id, name, type) and edges (source, relation, target); optionally relations"
    ),
    required_roles=role_sets("entities edges"),
    role_of=role_of,
    open=open_csv,
    recognition_order=3,
    has_column_mapping=True,
)
