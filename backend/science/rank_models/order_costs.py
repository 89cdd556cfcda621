"""What a weak order costs, as the sum of its Kendall distances to rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.science.rankings import Groups, ranked_ids

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class OrderCosts:
    """Doubled costs of a pair of positions, whole numbers, each (n, n).

    before[i, j]: of i before j, 2 for each ranking with j before i and 1 for each that ties them.
    tied[i, j]: of tying them, 1 for each ranking that does not.
    """

    before: IntArray
    tied: IntArray

    @classmethod
    def of(cls, rankings: Sequence[Groups], ids: Sequence[str]) -> OrderCosts:
        place = {candidate: number for number, candidate in enumerate(ids)}
        if len(place) != len(ids):
            raise ValueError("the ids to rank must be distinct")
        ahead, equal = np.zeros((2, len(ids), len(ids)), dtype=np.int64)
        for groups in rankings:
            if not set(ranked_ids(groups)) <= set(place):
                raise ValueError("a ranking may only have the ids of its question")
            ranks = np.full(len(ids), np.nan)
            for rank, group in enumerate(groups):
                ranks[[place[candidate] for candidate in group]] = rank
            ahead += ranks[:, None] < ranks
            equal += ranks[:, None] == ranks
        np.fill_diagonal(equal, 0)
        return cls(2 * ahead.T + equal, ahead + ahead.T)

    def doubled_cost(self, groups: Sequence[Sequence[int]]) -> int:
        """Of a weak order over all positions."""
        ranks = np.empty(len(self.before), dtype=np.int64)
        for rank, group in enumerate(groups):
            ranks[list(group)] = rank
        ahead, equal = ranks[:, None] < ranks, ranks[:, None] == ranks
        return int(self.before[ahead].sum()) + int(self.tied[np.triu(equal, 1)].sum())
