"""JSON as networkx's node_link_data writes it, with the attributes that our own export has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from backend.graphs.cells import sections_of
from backend.graphs.importers.files import InputFile
from backend.graphs.importers.making import Maker
from backend.graphs.importers.sources import Options, Relations, Roles, Sample, required
from backend.graphs.importers.streams import Item, json_items, json_value
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, RelationInfo

EDGE_KEYS = ("edges", "links")
"""networkx has called the list both."""
Record = Mapping[str, object]


def role_of(sample: Sample, options: Options) -> str | None:
    keys = (b'"directed"', b'"multigraph"', b'"nodes"')
    return "json" if sample.is_object and all(key in sample.head for key in keys) else None


def open_nodelink(roles: Roles, options: Options) -> NodeLink:
    return NodeLink(required(roles, "json", "There is no JSON file of nodes and edges."))


@dataclass
class NodeLink:
    files: Sequence[InputFile]

    @cached_property
    def relations(self) -> Relations:
        found = {}
        for file in self.files:
            maker = Maker(file.name, file.limits)
            about = json_value(file, "graph")
            listed = about.get("relations") if isinstance(about, dict) else None
            for record in listed if isinstance(listed, list) else ():
                if isinstance(record, dict) and (info := _relation(record)).name:
                    found[info.name] = maker.relation(1, info)
        return found

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        for file in self.files:
            maker = Maker(file.name, file.limits)
            for item in json_items(file, "nodes"):
                yield _node(maker, item)

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        for file in self.files:
            maker = Maker(file.name, file.limits)
            for item in json_items(file, *EDGE_KEYS):
                yield _edge(maker, item)


def _relation(record: Record) -> RelationInfo:
    name, forward, backward = (_text(record, key) for key in ("name", "forward", "backward"))
    return RelationInfo(name, forward, backward, record.get("symmetric") is True)


def _node(maker: Maker, item: Item) -> NodeRow | Malformed:
    record: Record = item.value if isinstance(item.value, dict) else {}
    document = sections_of(record.get("document", []))
    if document is None:
        return maker.drop(item.line, "json", f"nodes[{item.index}] {item.value}")
    return maker.node(
        item.line,
        _text(record, "id"),
        _text(record, "type"),
        _text(record, "name"),
        synonyms=_list(record, "synonyms"),
        xrefs=_list(record, "xrefs"),
        document=document,
    )


def _edge(maker: Maker, item: Item) -> EdgeRow | Malformed:
    record: Record = item.value if isinstance(item.value, dict) else {}
    return maker.edge(
        item.line,
        _text(record, "source"),
        _text(record, "relation"),
        _text(record, "target"),
        score=_number(record, "score"),
        evidence=_text(record, "evidence"),
        level=_text(record, "level"),
        p_value=_number(record, "p_value"),
        publications=_list(record, "publications"),
    )


def _text(record: Record, key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _list(record: Record, key: str) -> tuple[str, ...]:
    value = record.get(key)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _number(record: Record, key: str) -> float | str | None:
    """Numbers as they are; what is no number is judged, and dropped, where rows are made."""
    value = record.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return None if value is None else str(value)
