"""What a build dropped, folded and decided, with the first rows of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from backend.graphs.rows import Malformed

SHOWN = 100


@dataclass(slots=True)
class Report:
    """Counts of what did not go in as it came. Dropped rows are counted by reason.

    Repeated: rows of a node that say nothing new. Conflicts: by field, nodes whose rows differ
    there. Folded: edge rows that are equal to another in every column.
    """

    node_rows: int = 0
    edge_rows: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    conflicts: Counter[str] = field(default_factory=Counter)
    folded: int = 0
    faults: list[Malformed] = field(default_factory=list)

    def drop(self, fault: Malformed) -> None:
        self.dropped[fault.reason] += 1
        if len(self.faults) < SHOWN:
            self.faults.append(fault)


@dataclass(frozen=True, slots=True)
class Built:
    """A snapshot on disk, and what became of the rows that it was built from."""

    path: Path
    id: str
    entities: int
    edges: int
    types: dict[str, int]
    relations: dict[str, int]
    report: Report

    @property
    def dropped(self) -> Counter[str]:
        return self.report.dropped

    @property
    def folded(self) -> int:
        return self.report.folded

    @property
    def conflicts(self) -> Counter[str]:
        return self.report.conflicts

    @property
    def faults(self) -> list[Malformed]:
        return self.report.faults
