"""Entities one step of a metapath away, read from the rows of a snapshot.

A row is a slice of the memory-mapped arrays, so that only what a question reads is in memory.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.graph_view import relation_range
from backend.graphs.snapshots.snapshot import Snapshot

Numbers = NDArray[np.int64]
Step = tuple[int, bool]  # relation, along its edges


@dataclass(frozen=True)
class StepReader:
    """Neighbours over one step that have the type where it ends."""

    graph: Snapshot
    step: Step
    end_type: int

    def upper_bound(self, number: int) -> int:
        """At least as many neighbours as there are, without reading them."""
        return sum(len(one) for one in self._slices(number))

    def neighbours(self, number: int) -> Numbers:
        """Distinct, ascending, without the entity itself."""
        ends = np.concatenate([one.astype(np.int64) for one in self._slices(number)])
        ends = np.unique(ends[self.graph.type_of[ends] == self.end_type])
        others: Numbers = ends[ends != number]
        return others

    def _slices(self, number: int) -> list[NDArray[np.int32]]:
        relation, is_along = self.step
        is_symmetric = self.graph.relations[relation].symmetric
        slices = []
        for outgoing in (True, False) if is_symmetric else (is_along,):
            row = self.graph.row(number, outgoing=outgoing)
            first, last = relation_range(row, relation)
            slices.append(row.neighbours[first:last])
        return slices
