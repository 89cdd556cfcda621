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

from collections.abc import Iterator, Sequence

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
from backend.graphs.importers.common.delimited_reader import TableRow
from backend.graphs.importers.common.input_files import FileRefused, InputFile
from backend.graphs.importers.common.mapped_table import (
    MappedTable,
    detect_layout,
    normalize_column,
)
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, RelationInfo

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


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    """The role of a file by its columns: entities, edges or relations."""
    layout = detect_layout(sample.first_line)
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
        lambda file: _read_entities(MappedTable(file, options.column_mapping)),
        lambda file: _read_edges(MappedTable(file, options.column_mapping)),
        lambda: _read_relations(roles.get("relations", ()), options),
    )


def _read_relations(files: Sequence[InputFile], options: ImportOptions) -> Relations:
    """The relations of the tables, which are small and read at once."""
    result: dict[str, RelationInfo] = {}
    for file in files:
        table = MappedTable(file, options.column_mapping)
        for row in table.table:
            info = _relation(table, row)
            if info.name in result or len(result) == MAX_RELATIONS:
                detail = f"{file.name} names {info.name} twice, or too many relations."
                raise FileRefused(file.name, detail, code="relations")
            result[info.name] = info
    return result


def _read_entities(table: MappedTable) -> Iterator[NodeRow | MalformedRow]:
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


def _read_edges(table: MappedTable) -> Iterator[EdgeRow | MalformedRow]:
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


def _relation(table: MappedTable, row: TableRow | MalformedRow) -> RelationInfo:
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
