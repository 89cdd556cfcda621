"""What an import made of its files, in a form that is stored and shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from backend.graphs.importers.catalogue import Opened
from backend.graphs.importers.making import REASONS, excerpt
from backend.graphs.importers.report import Report as Watch
from backend.graphs.importers.report import Threshold, TooManyDropped, Watched
from backend.graphs.rows import EdgeRow, GraphSource, Malformed, NodeRow, RelationInfo
from backend.graphs.snapshots.reports import Built, Report

FIRST = 10
SENTENCES = {
    **REASONS,
    "no-identifier": "The entity has no identifier.",
    "no-relation": "The edge has no relation.",
    "bad-number": "A number is not one that a graph can hold.",
    "bad-text": "A text is not Unicode, or longer than is taken.",
    "unknown-source": "The edge begins at an entity that is not among the entities.",
    "unknown-target": "The edge ends at an entity that is not among the entities.",
    "unknown-source-and-target": "Neither end of the edge is among the entities.",
}
Row = TypeVar("Row", NodeRow, EdgeRow)


@dataclass
class Noted:
    """A source, of which the first rows are kept as they were understood."""

    source: GraphSource
    entities: list[NodeRow] = field(default_factory=list)
    edges_seen: list[EdgeRow] = field(default_factory=list)

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        return self.source.relations

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        return _noting(self.source.nodes(), self.entities)

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        return _noting(self.source.edges(), self.edges_seen)


def _noting(rows: Iterable[Row | Malformed], kept: list[Row]) -> Iterator[Row | Malformed]:
    for row in rows:
        if len(kept) < FIRST and not isinstance(row, Malformed):
            kept.append(row)
        yield row


@dataclass
class Understanding:
    """One reading of files: watched for what is malformed, with its first rows noted."""

    opened: Opened
    threshold: Threshold

    def __post_init__(self) -> None:
        self.noted = Noted(self.opened.source)
        self.watch = Watch(self.threshold)
        self.source = Watched(self.noted, self.watch)

    def judge(self, report: Report) -> None:
        """Edges whose ends are nowhere count as dropped too. Raises TooManyDropped."""
        dropped = report.dropped.total()
        rows = report.node_rows + report.edge_rows + self.watch.dropped.total()
        if dropped > self.threshold.share * rows:
            said = f"{dropped:,} of {rows:,} rows cannot be used. Nothing was imported."
            raise TooManyDropped(said, data={"dropped": dict(report.dropped)})

    def as_json(self, report: Report | None = None, built: Built | None = None) -> dict[str, Any]:
        found = report or (built.report if built else None)
        return {
            "format": self.opened.format.name,
            "files": dict(self.opened.used),
            "ignored": list(self.opened.ignored)[:100],
            "first": self.first(),
            **(_of_report(found) if found else self._so_far()),
            **(_of_built(built) if built else {}),
        }

    def _so_far(self) -> dict[str, Any]:
        """Of a reading that was refused before its end."""
        return {"dropped": dict(self.watch.reasons), "faults": _faults(self.watch.first)}

    def first(self) -> dict[str, Any]:
        relations = self.noted.relations
        return {
            "entities": [_entity(row) for row in self.noted.entities],
            "edges": [_edge(row, relations) for row in self.noted.edges_seen],
        }


def _of_report(report: Report) -> dict[str, Any]:
    return {
        "rows": {"entities": report.node_rows, "edges": report.edge_rows},
        "dropped": dict(report.dropped),
        "repeated": report.repeated,
        "conflicts": dict(report.conflicts),
        "folded": report.folded,
        "faults": _faults(report.faults),
    }


def _of_built(built: Built) -> dict[str, Any]:
    return {
        "snapshot": built.path.name,
        "entities": built.entities,
        "edges": built.edges,
        "types": built.types,
        "relations": built.relations,
    }


def _faults(faults: Iterable[Malformed]) -> list[dict[str, Any]]:
    return [
        {
            "file": excerpt(fault.file),
            "line": fault.line,
            "reason": fault.reason,
            "message": SENTENCES.get(fault.reason, fault.reason),
            "detail": excerpt(fault.detail),
        }
        for fault in faults
    ]


def _entity(row: NodeRow) -> dict[str, Any]:
    return {
        "id": excerpt(row.id),
        "name": excerpt(row.name),
        "type": excerpt(row.type),
        "synonyms": [excerpt(text) for text in row.synonyms[:FIRST]],
        "xrefs": [excerpt(text) for text in row.xrefs[:FIRST]],
        "sections": [excerpt(section.title) for section in row.document[:FIRST]],
    }


def _edge(row: EdgeRow, relations: Mapping[str, RelationInfo]) -> dict[str, Any]:
    info = relations.get(row.relation)
    return {
        "source": excerpt(row.source),
        "relation": excerpt(row.relation),
        "phrase": excerpt(info.forward) if info else "",
        "target": excerpt(row.target),
        "score": row.score,
        "evidence": excerpt(row.evidence),
        "level": excerpt(row.level),
        "p_value": row.p_value,
        "publications": [excerpt(text) for text in row.publications[:FIRST]],
    }
