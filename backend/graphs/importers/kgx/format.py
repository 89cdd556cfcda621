"""KGX, the exchange format of the Biolink model: tables of nodes and edges, or JSON lines.

In the tables a tab always ends a cell and lists are separated by bars. Categories and predicates
become types and relations (biolink.py). A negated edge gets a relation of its own ('not treats').

Our own export has additional columns: serendib_type and serendib_relation are the original type
and relation, serendib_document has the sections, and in rows with serendib_escaped, tabs and line
ends are written as \\t and \\n.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from backend.graphs.cell_encoding import parse_sections, split_document, split_list
from backend.graphs.importers.common.base import (
    FileSample,
    FileSource,
    GraphFormat,
    ImportOptions,
    Roles,
    SourceRow,
    build_rows,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.delimited_reader import DelimitedTable, TableRow
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.json_stream import read_json_lines
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.importers.kgx.biolink import (
    RELATIONS,
    relation_for_predicate,
    type_for_categories,
)
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section

NODE_KEYS = {"id", "category"}
EDGE_KEYS = {"subject", "predicate", "object"}
ESCAPED_COLUMN = "serendib_escaped"
ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
ESCAPE = re.compile(r"\\([tnr\\])")
SOURCE_KEYS = ("primary_knowledge_source", "aggregator_knowledge_source", "knowledge_source")
TRUE_WORDS = {"true", "True", "TRUE", "1"}
JsonObject = Mapping[str, object]
BuildRow = Callable[[RecordBuilder, int, JsonObject], SourceRow | MalformedRow]


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    if not sample.head and sample.name.endswith("edges.jsonl"):
        return "edges_lines"  # a graph without edges
    suffix = "_lines" if sample.is_object else ""
    keys = _object_keys(sample.first_line) if sample.is_object else {*sample.tab_cells}
    if keys >= EDGE_KEYS:
        return f"edges{suffix}"
    return f"nodes{suffix}" if keys >= NODE_KEYS else None


def _object_keys(line: str) -> set[str]:
    """The keys of a JSON object, even if the sample ends inside it."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return set(re.findall(r'"(\w+)"\s*:', line[:65_536]))
    return {*record} if isinstance(record, dict) else set()


def open_kgx(roles: Roles, options: ImportOptions) -> FileSource:
    nodes = [*roles.get("nodes", ()), *roles.get("nodes_lines", ())]
    edges = [*roles.get("edges", ()), *roles.get("edges_lines", ())]
    require_role({"nodes": nodes}, "nodes", "There is no file of nodes (id, category).")
    require_role(
        {"edges": edges}, "edges", "There is no file of edges (subject, predicate, object)."
    )
    lines = {*roles.get("nodes_lines", ()), *roles.get("edges_lines", ())}

    def read(file: InputFile, make: BuildRow[SourceRow]) -> Iterator[SourceRow | MalformedRow]:
        return _from_lines(file, make) if file in lines else _from_table(file, make)

    return FileSource(
        nodes,
        edges,
        lambda file: read(file, _build_node),
        lambda file: read(file, _build_edge),
        lambda: RELATIONS,
    )


def unescape(cell: str) -> str:
    return ESCAPE.sub(lambda match: ESCAPES[match[1]], cell)


def _from_table(file: InputFile, make: BuildRow[SourceRow]) -> Iterator[SourceRow | MalformedRow]:
    table = DelimitedTable(file)
    return build_rows(table, partial(_table_row, table, make))


def _table_row(
    table: DelimitedTable, make: BuildRow[SourceRow], row: TableRow
) -> SourceRow | MalformedRow:
    record = dict(zip(table.header, row.cells, strict=True))
    if record.get(ESCAPED_COLUMN):
        record = {key: unescape(cell) for key, cell in record.items()}
    return make(table.builder, row.line, record)


def _from_lines(file: InputFile, make: BuildRow[SourceRow]) -> Iterator[SourceRow | MalformedRow]:
    maker = RecordBuilder(file.name, file.limits)
    for item in read_json_lines(file):
        if isinstance(item, MalformedRow):
            yield item
        elif isinstance(item.value, dict):
            yield make(maker, item.line, item.value)
        else:
            yield maker.malformed_row(item.line, "json", "the line is no object")


def _build_node(maker: RecordBuilder, line: int, record: JsonObject) -> NodeRow | MalformedRow:
    document = _document(record)
    if document is None:
        return maker.malformed_row(line, "json", "serendib_document")
    return maker.build_node(
        line,
        _text_value(record, "id"),
        _text_value(record, "serendib_type")
        or type_for_categories(_list_value(record, "category")),
        _text_value(record, "name"),
        synonyms=_list_value(record, "synonym"),
        xrefs=_list_value(record, "xref"),
        document=document,
    )


def _document(record: JsonObject) -> tuple[Section, ...] | None:
    """The sections of our own export, or the standard description."""
    own = record.get("serendib_document")
    if isinstance(own, list):
        return parse_sections(own)
    if isinstance(own, str) and own:
        return split_document(own)
    text = _text_value(record, "description")
    return (
        (Section("Description", text, _source(_text_value(record, "provided_by"))),) if text else ()
    )


def _build_edge(maker: RecordBuilder, line: int, record: JsonObject) -> EdgeRow | MalformedRow:
    negated = _text_value(record, "negated") in TRUE_WORDS
    relation = _text_value(record, "serendib_relation") or relation_for_predicate(
        _text_value(record, "predicate")
    )
    return maker.build_edge(
        line,
        _text_value(record, "subject"),
        f"not {relation}" if negated and relation else relation,
        _text_value(record, "object"),
        score=_number_text(record, "score", "has_confidence_score"),
        evidence=_evidence(record),
        level=_text_value(record, "level"),
        p_value=_number_text(record, "p_value", "adjusted_p_value"),
        publications=_list_value(record, "publications"),
        first_pmid=_number_text(record, "first_pmid"),
        first_year=_number_text(record, "first_year"),
        first_seen=_number_text(record, "first_seen"),
        date_source=_text_value(record, "date_source"),
    )


def _evidence(record: JsonObject) -> str:
    """The name of the source, with the knowledge level if the file has one."""
    if "serendib_relation" in record:
        return _source(_text_value(record, SOURCE_KEYS[0]))
    named = [_source(source) for key in SOURCE_KEYS for source in _list_value(record, key)]
    kind = _text_value(record, "knowledge_level")
    label = kind.replace("_", " ") if kind not in {"", "not_provided"} else ""
    source = named[0] if named else ""
    return f"{source} ({label})" if source and label else source or label


def _source(written: str) -> str:
    return written.removeprefix("infores:")


def _text_value(record: JsonObject, key: str) -> str:
    value = record.get(key)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return str(value[0]) if value else ""
    return "" if value is None else str(value)


def _list_value(record: JsonObject, key: str) -> tuple[str, ...]:
    value = record.get(key)
    if isinstance(value, list):
        return tuple(item for item in map(str, value) if item)
    return split_list(_text_value(record, key))


def _number_text(record: JsonObject, *keys: str) -> str:
    """The first text that is not empty; RecordBuilder validates it."""
    return next((text for key in keys if (text := _text_value(record, key))), "")


FORMAT = GraphFormat(
    name="kgx",
    title="KGX (Biolink)",
    description=(
        "Biolink categories and predicates in words; a negated edge has its own relation "
        "(`not treats`)."
    ),
    file_hint="nodes (id, category) and edges (subject, predicate, object), as TSV or JSON lines",
    required_roles=role_sets(
        "nodes edges", "nodes_lines edges_lines", "nodes edges_lines", "nodes_lines edges"
    ),
    role_of=role_of,
    open=open_kgx,
    recognition_order=1,
)
