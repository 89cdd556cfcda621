"""Negative samples for training: links with one end replaced, drawn for each epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from backend.science.embeddings.undirected_graph import Longs, UndirectedGraph

NegativeKind = Literal["uniform", "same_type", "degree_matched"]
NEGATIVE_KINDS: tuple[NegativeKind, ...] = get_args(NegativeKind)
DEGREE_FACTOR = 1.1  # degrees within this factor are similar …
MIN_WINDOW = 10  # … and so are this many entities on either side in the order of degrees


@dataclass(frozen=True, slots=True)
class NegativeSampler:
    """Linked entities by degree, or by type; entity v may be replaced by those at low[v] up to
    high[v]."""

    order: NDArray[np.int32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]

    @classmethod
    def of(
        cls,
        graph: UndirectedGraph,
        drawn: NegativeKind,
        types: NDArray[np.integer[Any]] | None = None,
    ) -> NegativeSampler:
        """types: of each entity [V]. Raises ValueError where `same_type` has none."""
        degrees = graph.degrees()
        if drawn == "same_type":
            return cls.by_type(np.flatnonzero(degrees), types)
        linked = np.flatnonzero(degrees)
        order = linked[np.argsort(degrees[linked], kind="stable")]
        low, high = np.zeros_like(degrees), np.full_like(degrees, len(order))
        if drawn == "degree_matched":
            low, high = degree_windows(degrees[order], degrees)
        return cls(*(one.astype(np.int32) for one in (order, low, high)))

    @classmethod
    def by_type(cls, linked: Longs, types: NDArray[np.integer[Any]] | None) -> NegativeSampler:
        if types is None:
            raise ValueError("negatives of the same type need the types of the entities")
        kinds = types.astype(np.int64)
        order = linked[np.argsort(kinds[linked], kind="stable")]
        low, high = (np.searchsorted(kinds[order], kinds, side) for side in ("left", "right"))
        return cls(*(one.astype(np.int32) for one in (order, low, high)))

    def draw(self, ends: NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int32]:
        """A replacement for each end. A few are linked by chance: excluding them costs more."""
        low = self.low[ends]
        width = (self.high[ends] - low).astype(np.float32)
        places = low + (rng.random(len(ends), np.float32) * width).astype(np.int32)
        return self.order[np.minimum(places, self.high[ends] - 1)]


def degree_windows(of_order: Longs, degrees: Longs) -> tuple[Longs, Longs]:
    """Range in the ascending degrees `of_order` of similar degrees, for each degree."""
    place = np.searchsorted(of_order, degrees)
    low = np.minimum(np.searchsorted(of_order, degrees / DEGREE_FACTOR), place - MIN_WINDOW)
    high = np.maximum(np.searchsorted(of_order, degrees * DEGREE_FACTOR), place + MIN_WINDOW + 1)
    return np.maximum(low, 0), np.minimum(high, len(of_order))
