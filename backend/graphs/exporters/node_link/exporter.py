"""JSON for networkx's node_link_graph: one object, written as a stream."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict

from backend.graphs.exporters.base import ExportedGraph, Exporter, encode_chunks
from backend.graphs.source_records import EdgeRow, NodeRow

JsonObject = Mapping[str, object]


def write_json(exported: ExportedGraph) -> Iterator[bytes]:
    return encode_chunks(_json_chunks(exported))


def _json_chunks(exported: ExportedGraph) -> Iterator[str]:
    relations = [asdict(info) for info in exported.relations.values()]
    about = {**exported.provenance.as_dict(), "relations": relations}
    yield '{"directed": true, "multigraph": true,\n"graph": '
    yield _json(about)
    yield ',\n"nodes": ['
    yield from _list_items(_node_record(row) for row in exported.nodes)
    yield '],\n"edges": ['
    yield from _list_items(_edge_record(at, row) for at, row in enumerate(exported.edges))
    yield "]}\n"


def _list_items(records: Iterable[JsonObject]) -> Iterator[str]:
    for at, record in enumerate(records):
        yield (",\n" if at else "\n") + _json(record)


def _json(record: JsonObject) -> str:
    fields = {key: value for key, value in record.items() if value not in (None, "", [])}
    return json.dumps(fields, ensure_ascii=False)


def _node_record(row: NodeRow) -> JsonObject:
    document = [asdict(section) for section in row.document]
    return {
        "id": row.id,
        "type": row.type,
        "name": row.name,
        "synonyms": [*row.synonyms],
        "xrefs": [*row.xrefs],
        "document": document,
    }


def _edge_record(at: int, row: EdgeRow) -> JsonObject:
    """networkx distinguishes parallel edges by their key."""
    return {
        "source": row.source,
        "target": row.target,
        "key": at,
        "relation": row.relation,
        "score": row.score,
        "evidence": row.evidence,
        "level": row.level,
        "p_value": row.p_value,
        "publications": [*row.publications],
        "first_pmid": row.first_pmid,
        "first_year": row.first_year,
        "date_source": row.date_source,
    }


EXPORTERS = (Exporter("json", "JSON (networkx)", ".json", "application/json", write_json),)
