"""JSON of networkx's node_link_data, with the attributes that our own export writes."""

from collections.abc import Mapping, Sequence

from backend.graphs.cell_encoding import parse_sections
from backend.graphs.importers.common.base import (
    FileSample,
    FileSource,
    GraphFormat,
    ImportOptions,
    Relations,
    Roles,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.json_stream import JsonItem, json_reader, read_json_value
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, RelationInfo

EDGE_KEYS = ("edges", "links")
"""The key of the list depends on the version of networkx."""
JsonObject = Mapping[str, object]


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    keys = (b'"directed"', b'"multigraph"', b'"nodes"')
    return "json" if sample.is_object and all(key in sample.head for key in keys) else None


def open_nodelink(roles: Roles, options: ImportOptions) -> FileSource:
    files = require_role(roles, "json", "There is no JSON file of nodes and edges.")
    readers = json_reader(_build_node, "nodes"), json_reader(_build_edge, *EDGE_KEYS)
    return FileSource(files, files, *readers, lambda: _read_relations(files))


def _read_relations(files: Sequence[InputFile]) -> Relations:
    result = {}
    for file in files:
        maker = RecordBuilder(file.name, file.limits)
        about = read_json_value(file, "graph")
        listed = about.get("relations") if isinstance(about, dict) else None
        for record in listed if isinstance(listed, list) else ():
            if isinstance(record, dict) and (info := _parse_relation(record)).name:
                result[info.name] = maker.check_relation(1, info)
    return result


def _parse_relation(record: JsonObject) -> RelationInfo:
    name, forward, backward = (_text_value(record, key) for key in ("name", "forward", "backward"))
    return RelationInfo(name, forward, backward, record.get("symmetric") is True)


def _build_node(maker: RecordBuilder, item: JsonItem) -> NodeRow | MalformedRow:
    record: JsonObject = item.value if isinstance(item.value, dict) else {}
    document = parse_sections(record.get("document", []))
    if document is None:
        return maker.malformed_row(item.line, "json", f"nodes[{item.index}] {item.value}")
    return maker.build_node(
        item.line,
        _text_value(record, "id"),
        _text_value(record, "type"),
        _text_value(record, "name"),
        synonyms=_list_value(record, "synonyms"),
        xrefs=_list_value(record, "xrefs"),
        document=document,
    )


def _build_edge(maker: RecordBuilder, item: JsonItem) -> EdgeRow | MalformedRow:
    record: JsonObject = item.value if isinstance(item.value, dict) else {}
    return maker.build_edge(
        item.line,
        _text_value(record, "source"),
        _text_value(record, "relation"),
        _text_value(record, "target"),
        score=_number_value(record, "score"),
        evidence=_text_value(record, "evidence"),
        level=_text_value(record, "level"),
        p_value=_number_value(record, "p_value"),
        publications=_list_value(record, "publications"),
        first_pmid=_number_value(record, "first_pmid"),
        first_year=_number_value(record, "first_year"),
        first_seen=_number_value(record, "first_seen"),
        date_source=_text_value(record, "date_source"),
    )


def _text_value(record: JsonObject, key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _list_value(record: JsonObject, key: str) -> tuple[str, ...]:
    value = record.get(key)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _number_value(record: JsonObject, key: str) -> float | str | None:
    """A number, or the text of another value, which RecordBuilder validates."""
    value = record.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return None if value is None else str(value)


FORMAT = GraphFormat(
    name="json",
    title="JSON of networkx",
    description="The object that `node_link_data` of networkx writes.",
    file_hint="one object with nodes and edges",
    required_roles=role_sets("json"),
    role_of=role_of,
    open=open_nodelink,
    recognition_order=2,
)
