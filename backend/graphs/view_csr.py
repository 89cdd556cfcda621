"""CSR arrays for compiled code: of a snapshot, of one until a date, or of a changed one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.common.errors import DomainError
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.records import AdjacencyRow
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.adjacency import Adjacency, EdgeIds, Relations
from backend.science.bidirectional_csr import BidirectionalCsr, bidirectional_csr
from backend.science.path_kernels import Types

MAX_COPIED_ENTITIES = 200_000  # entities of a changed graph whose rows are copied at most
EntityNumbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ViewCsr:
    """Bidirectional CSR with the entity types and the symmetry of the relations.

    For a changed graph it is a copy of the rows of some entities; others appear to have no edges.
    `entity_numbers` then has the graph's number of each CSR row, ascending.
    """

    links: BidirectionalCsr
    types: Types
    symmetric: NDArray[np.uint8]
    entity_numbers: EntityNumbers | None = None

    def to_csr_numbers(self, numbers: Sequence[int]) -> list[int]:
        if self.entity_numbers is None:
            return list(numbers)
        return [
            int(one) for one in np.searchsorted(self.entity_numbers, np.asarray(numbers, np.int64))
        ]

    def to_view_number(self, number: int) -> int:
        return number if self.entity_numbers is None else int(self.entity_numbers[number])


def csr_around(view: GraphView, ends: Sequence[int]) -> ViewCsr:
    """CSR with all edges of the entities and of their neighbours, as path search needs."""
    if isinstance(view, Snapshot | DatedView):
        return csr_of_view(view)
    around = {*ends}
    for end in ends:
        for outgoing in (True, False):
            around.update(view.row(end, outgoing=outgoing).neighbours.tolist())
    return csr_of_entities(view, around)


def csr_of_view(view: GraphView) -> ViewCsr:
    """CSR of the whole graph, for kernels of paths and walks where there is a cut-off.

    Raises DomainError for a changed graph that is too large to copy.
    """
    if isinstance(view, Snapshot):
        links = bidirectional_csr(view.forward, view.reverse)
        return ViewCsr(links, view.type_of, relation_symmetry(view))
    if isinstance(view, DatedView):
        base, dates = view.base, view.dates.values
        links = bidirectional_csr(base.forward, base.reverse, dates=dates, until=view.until)
        return ViewCsr(links, view.type_of, relation_symmetry(view))
    return csr_of_entities(view, range(view.entity_count))


def relation_symmetry(view: GraphView) -> NDArray[np.uint8]:
    return np.array([relation.symmetric for relation in view.relations], np.uint8)


def csr_of_entities(view: GraphView, entities: Iterable[int]) -> ViewCsr:
    """Copy the rows of these entities, renumbered together with their neighbours."""
    chosen = sorted(entities)
    if len(chosen) > MAX_COPIED_ENTITIES:
        raise DomainError(
            f"A changed graph is searched around {MAX_COPIED_ENTITIES:,} entities at most. "
            "Choose entities with fewer neighbours.",
            code="too_many",
        )
    rows = [[view.row(n, outgoing=way) for n in chosen] for way in (True, False)]
    met = [row.neighbours for side in rows for row in side]
    numbers = np.unique(np.concatenate([np.array(chosen, np.int64), *met])).astype(np.int64)
    places = np.searchsorted(numbers, chosen)
    forward, reverse = (row_columns(side, places, numbers) for side in rows)
    sides = bidirectional_csr(Adjacency(*forward), Adjacency(*reverse), partial=True)
    return ViewCsr(sides, view.type_of[numbers], relation_symmetry(view), numbers)


def row_columns(
    rows: list[AdjacencyRow], places: NDArray[np.int64], numbers: EntityNumbers
) -> tuple[EntityNumbers, NDArray[np.int32], Relations, EdgeIds]:
    """Offsets, neighbours, relations and edge numbers of one direction, in a snapshot's dtypes."""
    counts = np.zeros(len(numbers) + 1, np.int64)
    counts[places + 1] = [len(row) for row in rows]
    nothing = AdjacencyRow(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.int32))
    every = [nothing, *rows]
    neighbours = np.concatenate([row.neighbours for row in every])
    edges = np.concatenate([row.edge_ids() for row in every])
    return (
        np.cumsum(counts),
        np.searchsorted(numbers, neighbours).astype(np.int32),
        np.concatenate([row.relations for row in every]),
        edges.astype(np.int32) if edges.max(initial=0) < 2**31 else edges,
    )
