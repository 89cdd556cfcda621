"""Vectors of the texts of entities, of which each has one or several."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.floating[Any]]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


class BestRows(NamedTuple):
    """For some entities: the highest product with a query, and the row that has it."""

    scores: Floats
    rows: Longs


class TextPieces(NamedTuple):
    """vectors [n, d] of length 1 or 0; starts int64 [V]: the first row of each entity.

    Every entity has a row. The arrays may be memory maps.
    """

    vectors: Vectors
    starts: Longs

    @property
    def entity_count(self) -> int:
        return len(self.starts)

    def best_rows(self, entities: Longs, query: Vectors) -> BestRows:
        """Equal products: the first row. entities: some, not none."""
        ends = np.append(self.starts[1:], len(self.vectors))
        counts = (ends[entities] - self.starts[entities]).astype(np.int64)
        first = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(entities)), counts)
        rows = np.arange(len(owner)) + (self.starts[entities] - first)[owner]
        products = self.vectors[rows] @ query.astype(self.vectors.dtype)
        best = np.maximum.reduceat(products, first)
        places = np.flatnonzero(products == best[owner])
        _, at = np.unique(owner[places], return_index=True)
        return BestRows(best.astype(np.float64), rows[places[at]])

    def best_products(self, query: Vectors) -> Floats:
        """[V]: of all entities."""
        products = (self.vectors @ query.astype(self.vectors.dtype)).astype(np.float64)
        best: Floats = np.maximum.reduceat(products, self.starts)
        return best

    def first_vectors(self, entities: Longs) -> Vectors:
        """The first row of each."""
        return self.vectors[self.starts[entities]]
