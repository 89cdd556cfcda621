"""CSV tables that the plain importer reads: entities, edges, relations, and where they are from.

Every cell is quoted. A cell that a spreadsheet would run as a formula is escaped so that the way
back is exact (backend/common/spreadsheets.py); numbers are numbers and are left as they are.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from backend.common.spreadsheets import escape
from backend.graphs.cells import join_document, join_list
from backend.graphs.exporters.exported import Exported, provenance_json, zipped
from backend.graphs.rows import EdgeRow, NodeRow

ENTITIES = ("id", "name", "type", "synonyms", "xrefs", "document")
EDGES = ("source", "relation", "target", "score", "evidence", "level", "p_value", "publications")
RELATIONS = ("name", "forward", "backward", "symmetric")


def write_csv(exported: Exported) -> Iterator[bytes]:
    return zipped(
        (
            ("provenance.json", provenance_json(exported)),
            ("relations.csv", _table(RELATIONS, _relations(exported))),
            ("entities.csv", _table(ENTITIES, map(_entity, exported.nodes))),
            ("edges.csv", _table(EDGES, map(_edge, exported.edges))),
        )
    )


def number(value: float | None) -> str:
    """The shortest text that reads back as the same number."""
    return "" if value is None else repr(value)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _relations(exported: Exported) -> Iterator[Sequence[str]]:
    for info in exported.relations.values():
        texts = map(escape, (info.name, info.forward, info.backward))
        yield (*texts, "yes" if info.symmetric else "no")


def _entity(row: NodeRow) -> Sequence[str]:
    lists = (join_list(row.synonyms), join_list(row.xrefs), join_document(row.document))
    return tuple(map(escape, (row.id, row.name, row.type, *lists)))


def _edge(row: EdgeRow) -> Sequence[str]:
    return (
        *map(escape, (row.source, row.relation, row.target)),
        number(row.score),
        *map(escape, (row.evidence, row.level)),
        number(row.p_value),
        escape(join_list(row.publications)),
    )
