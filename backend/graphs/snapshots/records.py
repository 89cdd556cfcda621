"""What a reader of a graph gets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Named:
    """What is said of an entity wherever it is mentioned."""

    number: int
    id: str
    type: str
    name: str


@dataclass(frozen=True, slots=True)
class EntityRecord(Named):
    synonyms: tuple[str, ...]
    xrefs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EdgeRecord:
    """An edge between two entities' numbers; folded says how many equal rows stated it."""

    edge: int
    source: int
    relation: int
    target: int
    score: float | None
    evidence: str
    level: str
    p_value: float | None
    publications: tuple[str, ...]
    folded: int


@dataclass(frozen=True, slots=True)
class Degree:
    """How many entries of one relation an entity has on one side."""

    relation: int
    outgoing: bool
    count: int


@dataclass(frozen=True, slots=True)
class NewEdge:
    """An edge that an overlay adds, between numbers of its snapshot."""

    source: int
    relation: int
    target: int
    score: float | None = None
    evidence: str = ""
    level: str = ""
    p_value: float | None = None
    publications: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """All entries of one entity on one side, sorted by (relation, neighbour, edge).

    Without edges, entry i is edge first + i.
    """

    neighbours: NDArray[np.int32]
    relations: NDArray[np.uint8] | NDArray[np.uint16]
    edges: NDArray[np.int32] | NDArray[np.int64] | None
    first: int = 0

    def __len__(self) -> int:
        return len(self.neighbours)

    def edge_ids(self, first: int = 0, last: int | None = None) -> NDArray[np.int64]:
        last = len(self) if last is None else last
        if self.edges is None:
            return np.arange(self.first + first, self.first + last)
        return self.edges[first:last].astype(np.int64)


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries of an entity; `next` is the `after` of the page behind it, None at the end."""

    neighbours: NDArray[np.int32]
    relations: NDArray[np.uint8] | NDArray[np.uint16]
    edges: NDArray[np.int64]
    count: int
    next: int | None

    def __len__(self) -> int:
        return len(self.neighbours)
