"""KGX tables and JSON lines, for tools that use the Biolink model.

Types and relations become the nearest Biolink categories and predicates; the columns serendib_…
have the original ones, from which the importer restores the same graph. A cell of a KGX table
cannot contain a tab or line end: such rows are escaped and marked as escaped.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from backend.graphs.cell_encoding import join_list
from backend.graphs.exporters.base import (
    ZIP_TYPE,
    ExportedGraph,
    Exporter,
    format_number,
    provenance_json,
    zip_chunks,
)
from backend.graphs.importers.kgx.biolink import category_for, predicate_for
from backend.graphs.importers.kgx.format import ESCAPED_COLUMN, ESCAPES
from backend.graphs.source_records import EdgeRow, NodeRow

NODE_COLUMNS = (
    *("id", "category", "name", "synonym", "xref", "description"),
    *("serendib_type", "serendib_document", ESCAPED_COLUMN),
)
EDGE_COLUMNS = (
    *("id", "subject", "predicate", "object", "primary_knowledge_source", "knowledge_level"),
    *(
        "agent_type",
        "publications",
        "score",
        "p_value",
        "level",
        "first_pmid",
        "first_year",
        "date_source",
        "serendib_relation",
        ESCAPED_COLUMN,
    ),
)
NOT_PROVIDED = "not_provided"
INFORES_PREFIX = "infores:"
NEEDS_ESCAPING = re.compile(r"[\t\n\r]")
ESCAPED_CHARACTERS = re.compile(r"[\t\n\r\\]")
ESCAPE_SEQUENCES = {sign: f"\\{name}" for name, sign in ESCAPES.items()}
JsonObject = Mapping[str, object]


def write_kgx(exported: ExportedGraph) -> Iterator[bytes]:
    """Write nodes.tsv and edges.tsv."""
    return _write(exported, "tsv", _table_lines)


def write_kgx_lines(exported: ExportedGraph) -> Iterator[bytes]:
    """Write nodes.jsonl and edges.jsonl."""
    return _write(exported, "jsonl", lambda _columns, records: map(_json_line, records))


def _write(
    exported: ExportedGraph,
    suffix: str,
    encode: Callable[[Sequence[str], Iterable[JsonObject]], Iterable[str]],
) -> Iterator[bytes]:
    nodes = map(_node_record, exported.nodes)
    edges = (_edge_record(exported, at, row) for at, row in enumerate(exported.edges, start=1))
    return zip_chunks(
        (
            ("provenance.json", provenance_json(exported)),
            (f"nodes.{suffix}", encode(NODE_COLUMNS, nodes)),
            (f"edges.{suffix}", encode(EDGE_COLUMNS, edges)),
        )
    )


def _node_record(row: NodeRow) -> JsonObject:
    return {
        "id": row.id,
        "category": [category_for(row.type)],
        "name": row.name,
        "synonym": [*row.synonyms],
        "xref": [*row.xrefs],
        "description": " ".join(section.text for section in row.document),
        "serendib_type": row.type,
        "serendib_document": [asdict(section) for section in row.document],
    }


def _edge_record(exported: ExportedGraph, at: int, row: EdgeRow) -> JsonObject:
    # The importer removes one prefix, so a source that starts with it gets a second one.
    doubled = INFORES_PREFIX if row.evidence.startswith(INFORES_PREFIX) else ""
    return {
        "id": f"{exported.provenance.snapshot}#{at}",
        "subject": row.source,
        "predicate": predicate_for(row.relation, exported.relation_phrase(row.relation)),
        "object": row.target,
        "primary_knowledge_source": doubled + row.evidence,
        "knowledge_level": NOT_PROVIDED,
        "agent_type": NOT_PROVIDED,
        "publications": [*row.publications],
        "score": row.score,
        "p_value": row.p_value,
        "level": row.level,
        "first_pmid": row.first_pmid,
        "first_year": row.first_year,
        "date_source": row.date_source,
        "serendib_relation": row.relation,
    }


def _json_line(record: JsonObject) -> str:
    fields = {key: value for key, value in record.items() if value not in (None, "", [])}
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _table_lines(columns: Sequence[str], records: Iterable[JsonObject]) -> Iterator[str]:
    yield "\t".join(columns) + "\n"
    for record in records:
        cells = [_cell(key, record.get(key)) for key in columns]
        if any(map(NEEDS_ESCAPING.search, cells)):
            cells = [
                ESCAPED_CHARACTERS.sub(lambda match: ESCAPE_SEQUENCES[match[0]], cell)
                for cell in cells
            ]
            cells[columns.index(ESCAPED_COLUMN)] = "yes"
        yield "\t".join(cells) + "\n"


def _cell(key: str, value: object) -> str:
    if key == "serendib_document" and isinstance(value, list):
        return json.dumps(value, ensure_ascii=False) if value else ""
    if isinstance(value, list):
        return join_list(map(str, value))
    if isinstance(value, float):
        return format_number(value)
    return "" if value is None else str(value)


EXPORTERS = (
    Exporter("kgx", "KGX tables (Biolink)", "-kgx.zip", ZIP_TYPE, write_kgx),
    Exporter("kgx-jsonl", "KGX JSON lines (Biolink)", "-kgx-jsonl.zip", ZIP_TYPE, write_kgx_lines),
)
