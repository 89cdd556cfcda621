"""KGX, the exchange format of the Biolink model: tables of nodes and edges, or JSON lines.

In the tables a tab always ends a cell and lists are separated by bars. Categories and predicates
become types and relations in words (biolink.py). An edge that is marked as negated says the
opposite of its predicate, and gets a relation of its own ('not treats').

Files that this software wrote say more than Biolink can: serendib_type and serendib_relation are
the words before they were fitted to Biolink, serendib_document has the sections, and in a row
with serendib_escaped tabs and line ends are written as \\t and \\n.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from backend.graphs.cells import sections_of, split_document, split_list
from backend.graphs.importers.biolink import RELATIONS, relation_of, type_of
from backend.graphs.importers.files import InputFile
from backend.graphs.importers.making import Maker
from backend.graphs.importers.reading import Cells, Table
from backend.graphs.importers.sources import Options, Roles, Sample, required, rows_of
from backend.graphs.importers.streams import json_lines
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, Section

NODE_KEYS = {"id", "category"}
EDGE_KEYS = {"subject", "predicate", "object"}
ESCAPED = "serendib_escaped"
ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
ESCAPE = re.compile(r"\\([tnr\\])")
SOURCES = ("primary_knowledge_source", "aggregator_knowledge_source", "knowledge_source")
TRUE = {"true", "True", "TRUE", "1"}
Record = Mapping[str, object]
Row = TypeVar("Row", NodeRow, EdgeRow)
Make = Callable[[Maker, int, Record], Row | Malformed]


def role_of(sample: Sample, options: Options) -> str | None:
    if not sample.head and sample.name.endswith("edges.jsonl"):
        return "edges_lines"  # a graph without edges
    suffix = "_lines" if sample.is_object else ""
    keys = _keys(sample.first_line) if sample.is_object else {*sample.tabbed}
    if keys >= EDGE_KEYS:
        return f"edges{suffix}"
    return f"nodes{suffix}" if keys >= NODE_KEYS else None


def _keys(line: str) -> set[str]:
    """The keys of an object, also of one that is cut off by the sample's end."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return set(re.findall(r'"(\w+)"\s*:', line[:65_536]))
    return {*found} if isinstance(found, dict) else set()


def open_kgx(roles: Roles, options: Options) -> Kgx:
    nodes = [*roles.get("nodes", ()), *roles.get("nodes_lines", ())]
    edges = [*roles.get("edges", ()), *roles.get("edges_lines", ())]
    required({"nodes": nodes}, "nodes", "There is no file of nodes (id, category).")
    required({"edges": edges}, "edges", "There is no file of edges (subject, predicate, object).")
    return Kgx(nodes, edges, {*roles.get("nodes_lines", ()), *roles.get("edges_lines", ())})


def unescaped(cell: str) -> str:
    return ESCAPE.sub(lambda found: ESCAPES[found[1]], cell)


@dataclass
class Kgx:
    node_files: Sequence[InputFile]
    edge_files: Sequence[InputFile]
    lines: set[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        for file in self.node_files:
            if file in self.lines:
                yield from _from_lines(file, _node)
            else:
                yield from _from_table(file, _node)

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        for file in self.edge_files:
            if file in self.lines:
                yield from _from_lines(file, _edge)
            else:
                yield from _from_table(file, _edge)


def _from_table(file: InputFile, make: Make[Row]) -> Iterator[Row | Malformed]:
    table = Table(file)
    return rows_of(table, partial(_table_row, table, make))


def _table_row(table: Table, make: Make[Row], row: Cells) -> Row | Malformed:
    record = dict(zip(table.header, row.cells, strict=True))
    if record.get(ESCAPED):
        record = {key: unescaped(cell) for key, cell in record.items()}
    return make(table.maker, row.line, record)


def _from_lines(file: InputFile, make: Make[Row]) -> Iterator[Row | Malformed]:
    maker = Maker(file.name, file.limits)
    for item in json_lines(file):
        if isinstance(item, Malformed):
            yield item
        elif isinstance(item.value, dict):
            yield make(maker, item.line, item.value)
        else:
            yield maker.drop(item.line, "json", "the line is no object")


def _node(maker: Maker, line: int, record: Record) -> NodeRow | Malformed:
    document = _document(record)
    if document is None:
        return maker.drop(line, "json", "serendib_document")
    return maker.node(
        line,
        _text(record, "id"),
        _text(record, "serendib_type") or type_of(_list(record, "category")),
        _text(record, "name"),
        synonyms=_list(record, "synonym"),
        xrefs=_list(record, "xref"),
        document=document,
    )


def _document(record: Record) -> tuple[Section, ...] | None:
    """The sections that this software wrote, or the description that anybody did."""
    own = record.get("serendib_document")
    if isinstance(own, list):
        return sections_of(own)
    if isinstance(own, str) and own:
        return split_document(own)
    text = _text(record, "description")
    return (Section("Description", text, _source(_text(record, "provided_by"))),) if text else ()


def _edge(maker: Maker, line: int, record: Record) -> EdgeRow | Malformed:
    negated = _text(record, "negated") in TRUE
    relation = _text(record, "serendib_relation") or relation_of(_text(record, "predicate"))
    return maker.edge(
        line,
        _text(record, "subject"),
        f"not {relation}" if negated and relation else relation,
        _text(record, "object"),
        score=_number(record, "score", "has_confidence_score"),
        evidence=_evidence(record),
        level=_text(record, "level"),
        p_value=_number(record, "p_value", "adjusted_p_value"),
        publications=_list(record, "publications"),
    )


def _evidence(record: Record) -> str:
    """The source's name; with the kind of knowledge, where the file says one."""
    if "serendib_relation" in record:
        return _source(_text(record, SOURCES[0]))
    named = [_source(source) for key in SOURCES for source in _list(record, key)]
    kind = _text(record, "knowledge_level")
    said = kind.replace("_", " ") if kind not in {"", "not_provided"} else ""
    source = named[0] if named else ""
    return f"{source} ({said})" if source and said else source or said


def _source(written: str) -> str:
    return written.removeprefix("infores:")


def _text(record: Record, key: str) -> str:
    value = record.get(key)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return str(value[0]) if value else ""
    return "" if value is None else str(value)


def _list(record: Record, key: str) -> tuple[str, ...]:
    value = record.get(key)
    if isinstance(value, list):
        return tuple(item for item in map(str, value) if item)
    return split_list(_text(record, key))


def _number(record: Record, *keys: str) -> str:
    """The first of the keys that has anything; what it has is judged where rows are made."""
    return next((text for key in keys if (text := _text(record, key))), "")
