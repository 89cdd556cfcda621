"""A snapshot of which some edges are left out, without copying its arrays."""

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.records import AdjacencyRow, EntityRecord, EntitySummary
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.source_records import Section


class SnapshotView(GraphView):
    """Entities and edges keep the numbers that they have in `base`."""

    def __init__(self, base: Snapshot) -> None:
        self.base = base
        self.types, self.relations, self.type_of = base.types, base.relations, base.type_of

    @property
    def entity_count(self) -> int:
        return self.base.entity_count

    def find_number(self, identifier: str) -> int | None:
        return self.base.find_number(identifier)

    def entity_summary(self, number: int) -> EntitySummary:
        return self.base.entity_summary(number)

    def entity(self, number: int) -> EntityRecord:
        return self.base.entity(number)

    def document(self, number: int) -> tuple[Section, ...]:
        return self.base.document(number)

    def degree(self, number: int) -> int:
        return len(self.row(number)) + len(self.row(number, outgoing=False))


def select_entries(row: AdjacencyRow, chosen: NDArray[np.bool_]) -> AdjacencyRow:
    return AdjacencyRow(row.neighbours[chosen], row.relations[chosen], row.edge_ids()[chosen])
