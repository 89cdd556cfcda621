"""CSV tables of entities, edges, relations and provenance, which the csv importer reads.

Every cell is quoted. A text cell that a spreadsheet would run as a formula is escaped reversibly
(backend/validation/csv_escaping.py); numbers are not escaped.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from backend.graphs.cell_encoding import join_document, join_list
from backend.graphs.exporters.base import (
    ZIP_TYPE,
    ExportedGraph,
    Exporter,
    format_number,
    provenance_json,
    zip_chunks,
)
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.validation.csv_escaping import escape

ENTITY_COLUMNS = ("id", "name", "type", "synonyms", "xrefs", "document")
EDGE_COLUMNS = (
    "source",
    "relation",
    "target",
    "score",
    "evidence",
    "level",
    "p_value",
    "publications",
    "first_pmid",
    "first_year",
    "date_source",
)
RELATION_COLUMNS = ("name", "forward", "backward", "symmetric")


def write_csv(exported: ExportedGraph) -> Iterator[bytes]:
    return zip_chunks(
        (
            ("provenance.json", provenance_json(exported)),
            ("relations.csv", _csv_chunks(RELATION_COLUMNS, _relation_cells(exported))),
            ("entities.csv", _csv_chunks(ENTITY_COLUMNS, map(_entity_cells, exported.nodes))),
            ("edges.csv", _csv_chunks(EDGE_COLUMNS, map(_edge_cells, exported.edges))),
        )
    )


def _csv_chunks(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _relation_cells(exported: ExportedGraph) -> Iterator[Sequence[str]]:
    for info in exported.relations.values():
        texts = map(escape, (info.name, info.forward, info.backward))
        yield (*texts, "yes" if info.symmetric else "no")


def _entity_cells(row: NodeRow) -> Sequence[str]:
    lists = (join_list(row.synonyms), join_list(row.xrefs), join_document(row.document))
    return tuple(map(escape, (row.id, row.name, row.type, *lists)))


def _edge_cells(row: EdgeRow) -> Sequence[str]:
    return (
        *map(escape, (row.source, row.relation, row.target)),
        format_number(row.score),
        *map(escape, (row.evidence, row.level)),
        format_number(row.p_value),
        escape(join_list(row.publications)),
        format_number(row.first_pmid),
        format_number(row.first_year),
        escape(row.date_source),
    )


EXPORTERS = (Exporter("csv", "Tables (CSV)", "-csv.zip", ZIP_TYPE, write_csv),)
