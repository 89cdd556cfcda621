"""JSON as networkx's node_link_graph reads it: one object, written while the rows come."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict

from backend.graphs.exporters.exported import Exported, encoded
from backend.graphs.rows import EdgeRow, NodeRow

Record = Mapping[str, object]


def write_json(exported: Exported) -> Iterator[bytes]:
    return encoded(_texts(exported))


def _texts(exported: Exported) -> Iterator[str]:
    relations = [asdict(info) for info in exported.relations.values()]
    about = {**exported.provenance.as_dict(), "relations": relations}
    yield '{"directed": true, "multigraph": true,\n"graph": '
    yield _json(about)
    yield ',\n"nodes": ['
    yield from _items(_node(row) for row in exported.nodes)
    yield '],\n"edges": ['
    yield from _items(_edge(at, row) for at, row in enumerate(exported.edges))
    yield "]}\n"


def _items(records: Iterable[Record]) -> Iterator[str]:
    for at, record in enumerate(records):
        yield (",\n" if at else "\n") + _json(record)


def _json(record: Record) -> str:
    said = {key: value for key, value in record.items() if value not in (None, "", [])}
    return json.dumps(said, ensure_ascii=False)


def _node(row: NodeRow) -> Record:
    document = [asdict(section) for section in row.document]
    return {
        "id": row.id,
        "type": row.type,
        "name": row.name,
        "synonyms": [*row.synonyms],
        "xrefs": [*row.xrefs],
        "document": document,
    }


def _edge(at: int, row: EdgeRow) -> Record:
    """Parallel edges are told apart by their key."""
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
    }
