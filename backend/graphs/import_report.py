"""Report of an import: samples, counts and faults, in the form that is stored and shown."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from backend.graphs.importers.common.drop_report import DropReport, TooManyDropped
from backend.graphs.importers.common.record_builder import DROP_REASONS, excerpt
from backend.graphs.importers.registry import OpenedGraph
from backend.graphs.snapshots.build_report import BuildReport, BuildResult
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, RelationInfo

SAMPLE_ROWS = 10
REASON_MESSAGES = {
    **DROP_REASONS,
    "no-identifier": "The entity has no identifier.",
    "no-relation": "The edge has no relation.",
    "bad-number": "A number is infinite or outside the range that a graph can store.",
    "bad-text": "A text is not Unicode or is too long.",
    "unknown-source": "The source of the edge is not in the table of entities.",
    "unknown-target": "The target of the edge is not in the table of entities.",
    "unknown-source-and-target": "Neither end of the edge is in the table of entities.",
}
SourceRow = TypeVar("SourceRow", NodeRow, EdgeRow)


def _sample_rows(
    rows: Iterable[SourceRow | MalformedRow], sample: list[SourceRow]
) -> Iterator[SourceRow | MalformedRow]:
    for row in rows:
        if len(sample) < SAMPLE_ROWS and not isinstance(row, MalformedRow):
            sample.append(row)
        yield row


@dataclass
class ImportReport:
    """The source of an import, which samples and counts the rows while they are read once."""

    opened: OpenedGraph
    drop_report: DropReport = field(default_factory=DropReport)
    node_sample: list[NodeRow] = field(default_factory=list)
    edge_sample: list[EdgeRow] = field(default_factory=list)

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        return self.opened.source.relations

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        rows = _sample_rows(self.opened.source.nodes(), self.node_sample)
        return self.drop_report.count_rows("nodes", rows)

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        rows = _sample_rows(self.opened.source.edges(), self.edge_sample)
        return self.drop_report.count_rows("edges", rows)

    def check_dropped_share(self, report: BuildReport) -> None:
        """Raises TooManyDropped, counting also edges with an unknown end."""
        dropped = report.dropped_rows.total()
        rows = report.node_rows + report.edge_rows + self.drop_report.dropped.total()
        if dropped > self.drop_report.max_share * rows:
            detail = f"{dropped:,} of {rows:,} rows cannot be used. Nothing was imported."
            raise TooManyDropped(detail, data={"dropped": dict(report.dropped_rows)})

    def to_json(
        self, report: BuildReport | None = None, built: BuildResult | None = None
    ) -> dict[str, Any]:
        build_report = report or (built.report if built else None)
        return {
            "format": self.opened.format.name,
            "files": dict(self.opened.used_files),
            "ignored": list(self.opened.ignored_files)[:100],
            "first": self.sample_payload(),
            **(_build_report_payload(build_report) if build_report else self._partial_payload()),
            **(_snapshot_payload(built) if built else {}),
        }

    def _partial_payload(self) -> dict[str, Any]:
        """The report of files that were refused before their end."""
        return {
            "dropped": dict(self.drop_report.reasons),
            "faults": _fault_payloads(self.drop_report.first_dropped),
        }

    def sample_payload(self) -> dict[str, Any]:
        return {
            "entities": [_node_payload(row) for row in self.node_sample],
            "edges": [_edge_payload(row, self.relations) for row in self.edge_sample],
        }


def _build_report_payload(report: BuildReport) -> dict[str, Any]:
    return {
        "rows": {"entities": report.node_rows, "edges": report.edge_rows},
        "dropped": dict(report.dropped_rows),
        "repeated": report.repeated_rows,
        "conflicts": dict(report.conflicts),
        "folded": report.folded_rows,
        "faults": _fault_payloads(report.faults),
    }


def _snapshot_payload(built: BuildResult) -> dict[str, Any]:
    return {
        "snapshot": built.path.name,
        "entities": built.entities,
        "edges": built.edges,
        "types": built.types,
        "relations": built.relations,
    }


def _fault_payloads(faults: Iterable[MalformedRow]) -> list[dict[str, Any]]:
    return [
        {
            "file": excerpt(fault.file),
            "line": fault.line,
            "reason": fault.reason,
            "message": REASON_MESSAGES.get(fault.reason, fault.reason),
            "detail": excerpt(fault.detail),
        }
        for fault in faults
    ]


def _node_payload(row: NodeRow) -> dict[str, Any]:
    return {
        "id": excerpt(row.id),
        "name": excerpt(row.name),
        "type": excerpt(row.type),
        "synonyms": [excerpt(text) for text in row.synonyms[:SAMPLE_ROWS]],
        "xrefs": [excerpt(text) for text in row.xrefs[:SAMPLE_ROWS]],
        "sections": [excerpt(section.title) for section in row.document[:SAMPLE_ROWS]],
    }


def _edge_payload(row: EdgeRow, relations: Mapping[str, RelationInfo]) -> dict[str, Any]:
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
        "publications": [excerpt(text) for text in row.publications[:SAMPLE_ROWS]],
    }
