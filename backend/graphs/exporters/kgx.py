"""KGX tables and JSON lines, for other tools of the Biolink model.

Biolink's categories and predicates are the nearest to our types and relations; beside them stand
our own words (serendib_…), with which the importer gets back exactly what there was. In a table
a cell cannot hold a tab or a line end: rows that would are escaped, and marked so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from backend.graphs.cells import join_list
from backend.graphs.exporters.exported import Exported, provenance_json, zipped
from backend.graphs.exporters.tables import number
from backend.graphs.importers.biolink import category_for, predicate_for
from backend.graphs.importers.kgx import ESCAPED, ESCAPES
from backend.graphs.rows import EdgeRow, NodeRow

NODE_COLUMNS = (
    *("id", "category", "name", "synonym", "xref", "description"),
    *("serendib_type", "serendib_document", ESCAPED),
)
EDGE_COLUMNS = (
    *("id", "subject", "predicate", "object", "primary_knowledge_source", "knowledge_level"),
    *("agent_type", "publications", "score", "p_value", "level", "serendib_relation", ESCAPED),
)
UNSAID = "not_provided"
SOURCE = "infores:"
UNFIT = re.compile(r"[\t\n\r]")
TO_ESCAPE = re.compile(r"[\t\n\r\\]")
WRITTEN = {sign: f"\\{letter}" for letter, sign in ESCAPES.items()}
Record = Mapping[str, object]


def write_kgx(exported: Exported) -> Iterator[bytes]:
    """Tables: nodes.tsv and edges.tsv."""
    nodes, edges = _records(exported)
    return zipped(
        (
            ("provenance.json", provenance_json(exported)),
            ("nodes.tsv", _table(NODE_COLUMNS, nodes)),
            ("edges.tsv", _table(EDGE_COLUMNS, edges)),
        )
    )


def write_kgx_lines(exported: Exported) -> Iterator[bytes]:
    """JSON lines: nodes.jsonl and edges.jsonl."""
    nodes, edges = _records(exported)
    return zipped(
        (
            ("provenance.json", provenance_json(exported)),
            ("nodes.jsonl", map(_line, nodes)),
            ("edges.jsonl", map(_line, edges)),
        )
    )


def _records(exported: Exported) -> tuple[Iterator[Record], Iterator[Record]]:
    nodes = (_node(row) for row in exported.nodes)
    edges = (_edge(exported, at, row) for at, row in enumerate(exported.edges, start=1))
    return nodes, edges


def _node(row: NodeRow) -> Record:
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


def _edge(exported: Exported, at: int, row: EdgeRow) -> Record:
    # One prefix is taken off when it is read; a source that has it itself gets a second.
    doubled = SOURCE if row.evidence.startswith(SOURCE) else ""
    return {
        "id": f"{exported.provenance.snapshot}#{at}",
        "subject": row.source,
        "predicate": predicate_for(row.relation, exported.phrase(row.relation)),
        "object": row.target,
        "primary_knowledge_source": doubled + row.evidence,
        "knowledge_level": UNSAID,
        "agent_type": UNSAID,
        "publications": [*row.publications],
        "score": row.score,
        "p_value": row.p_value,
        "level": row.level,
        "serendib_relation": row.relation,
    }


def _line(record: Record) -> str:
    said = {key: value for key, value in record.items() if value not in (None, "", [])}
    return json.dumps(said, ensure_ascii=False) + "\n"


def _table(columns: Sequence[str], records: Iterable[Record]) -> Iterator[str]:
    yield "\t".join(columns) + "\n"
    for record in records:
        cells = [_cell(key, record.get(key)) for key in columns]
        if any(map(UNFIT.search, cells)):
            cells = [TO_ESCAPE.sub(lambda found: WRITTEN[found[0]], cell) for cell in cells]
            cells[columns.index(ESCAPED)] = "yes"
        yield "\t".join(cells) + "\n"


def _cell(key: str, value: object) -> str:
    if key == "serendib_document" and isinstance(value, list):
        return json.dumps(value, ensure_ascii=False) if value else ""
    if isinstance(value, list):
        return join_list(map(str, value))
    if isinstance(value, float):
        return number(value)
    return "" if value is None else str(value)
