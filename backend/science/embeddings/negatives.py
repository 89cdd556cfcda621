"""What a link is told apart from in training: the same entity with another end, drawn anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from backend.science.embeddings.undirected import Longs, Undirected

Drawn = Literal["uniform", "degree_matched"]
DRAWN: tuple[Drawn, ...] = get_args(Drawn)
NEAR = 1.1  # degrees within this factor are about the same …
NEAREST = 10  # … and so are this many entities next in the order of degrees, either way


@dataclass(frozen=True, slots=True)
class Sampler:
    """Linked entities by degree; entity v may be replaced by those at low[v] up to high[v]."""

    order: NDArray[np.int32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]

    @classmethod
    def of(cls, graph: Undirected, drawn: Drawn) -> Sampler:
        degrees = graph.degrees()
        linked = np.flatnonzero(degrees)
        order = linked[np.argsort(degrees[linked], kind="stable")]
        low, high = np.zeros_like(degrees), np.full_like(degrees, len(order))
        if drawn == "degree_matched":
            low, high = windows(degrees[order], degrees)
        return cls(*(one.astype(np.int32) for one in (order, low, high)))

    def draw(self, ends: NDArray[np.int32], chance: np.random.Generator) -> NDArray[np.int32]:
        """A replacement for each end. It may happen to be linked: those are few, and cost more
        to find than they harm."""
        low = self.low[ends]
        width = (self.high[ends] - low).astype(np.float32)
        places = low + (chance.random(len(ends), np.float32) * width).astype(np.int32)
        return self.order[np.minimum(places, self.high[ends] - 1)]


def windows(of_order: Longs, degrees: Longs) -> tuple[Longs, Longs]:
    """From where to where in the rising degrees `of_order` there are those about each of these."""
    place = np.searchsorted(of_order, degrees)
    low = np.minimum(np.searchsorted(of_order, degrees / NEAR), place - NEAREST)
    high = np.maximum(np.searchsorted(of_order, degrees * NEAR), place + NEAREST + 1)
    return np.maximum(low, 0), np.minimum(high, len(of_order))
