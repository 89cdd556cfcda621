"""A graph's rows as compiled code takes them, be it a snapshot or a snapshot with changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.common.errors import DomainError
from backend.graphs.snapshots.opening import Snapshot
from backend.graphs.snapshots.records import Row
from backend.graphs.snapshots.view import GraphView
from backend.science.adjacency import Adjacency, EdgeIds, Relations
from backend.science.links import Links, links_of
from backend.science.path_kernels import Types

COPIED = 200_000  # entities of a changed graph whose rows are copied at most
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sides:
    """Links, with the types and the symmetry that belong to them.

    Of a changed graph, rows are copied, of as many entities as were asked for; the others seem to
    have no edges. `numbers` then says which of the graph's entities each one is, in rising order.
    """

    links: Links
    types: Types
    symmetric: NDArray[np.uint8]
    numbers: Numbers | None = None

    def inside(self, numbers: Sequence[int]) -> list[int]:
        if self.numbers is None:
            return list(numbers)
        return [int(one) for one in np.searchsorted(self.numbers, np.asarray(numbers, np.int64))]

    def outside(self, number: int) -> int:
        return number if self.numbers is None else int(self.numbers[number])


def sides_around(view: GraphView, ends: Sequence[int]) -> Sides:
    """Complete for the entities named and for their neighbours: what paths between them need."""
    if isinstance(view, Snapshot):
        return sides_of(view)
    around = {*ends}
    for end in ends:
        for outgoing in (True, False):
            around.update(view.row(end, outgoing=outgoing).neighbours.tolist())
    return copied(view, around)


def sides_of(view: GraphView) -> Sides:
    """Complete for every entity. Raises DomainError for a changed graph that is too large."""
    if isinstance(view, Snapshot):
        return Sides(links_of(view.forward, view.reverse), view.type_of, symmetry_of(view))
    return copied(view, range(view.entity_count))


def symmetry_of(view: GraphView) -> NDArray[np.uint8]:
    return np.array([relation.symmetric for relation in view.relations], np.uint8)


def copied(view: GraphView, wanted: Iterable[int]) -> Sides:
    """The rows of these entities, numbered anew together with all that they lead to."""
    chosen = sorted(wanted)
    if len(chosen) > COPIED:
        raise DomainError(
            f"A graph with changes can be searched around {COPIED:,} entities at most.",
            code="too_many",
        )
    rows = [[view.row(n, outgoing=way) for n in chosen] for way in (True, False)]
    met = [row.neighbours for side in rows for row in side]
    numbers = np.unique(np.concatenate([np.array(chosen, np.int64), *met])).astype(np.int64)
    places = np.searchsorted(numbers, chosen)
    forward, reverse = (columns_of(side, places, numbers) for side in rows)
    sides = links_of(Adjacency(*forward), Adjacency(*reverse), partly=True)
    return Sides(sides, view.type_of[numbers], symmetry_of(view), numbers)


def columns_of(
    rows: list[Row], places: NDArray[np.int64], numbers: Numbers
) -> tuple[Numbers, NDArray[np.int32], Relations, EdgeIds]:
    """Offsets, neighbours, relations and edges of one side, as narrow as a snapshot's."""
    counts = np.zeros(len(numbers) + 1, np.int64)
    counts[places + 1] = [len(row) for row in rows]
    nothing = Row(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.int32))
    every = [nothing, *rows]
    neighbours = np.concatenate([row.neighbours for row in every])
    edges = np.concatenate([row.edge_ids() for row in every])
    return (
        np.cumsum(counts),
        np.searchsorted(numbers, neighbours).astype(np.int32),
        np.concatenate([row.relations for row in every]),
        edges.astype(np.int32) if edges.max(initial=0) < 2**31 else edges,
    )
