"""Report of a snapshot build: rows dropped, repeated, folded or in conflict, with examples."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from backend.graphs.source_records import MalformedRow

MAX_REPORTED_FAULTS = 100


@dataclass(slots=True)
class BuildReport:
    """Counts of rows that were not stored unchanged. Dropped rows are counted by reason.

    repeated_rows: duplicate rows of an entity. conflicts: by field, the entities whose rows
    disagree.
    folded_rows: edge rows that equal another in every column.
    """

    node_rows: int = 0
    edge_rows: int = 0
    dropped_rows: Counter[str] = field(default_factory=Counter)
    repeated_rows: int = 0
    conflicts: Counter[str] = field(default_factory=Counter)
    folded_rows: int = 0
    faults: list[MalformedRow] = field(default_factory=list)

    def drop(self, fault: MalformedRow) -> None:
        self.dropped_rows[fault.reason] += 1
        if len(self.faults) < MAX_REPORTED_FAULTS:
            self.faults.append(fault)


@dataclass(frozen=True, slots=True)
class BuildResult:
    path: Path
    id: str
    entities: int
    edges: int
    types: dict[str, int]
    relations: dict[str, int]
    report: BuildReport
