from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class EntitySummary:
    """The fields shown wherever an entity is mentioned."""

    number: int
    id: str
    type: str
    name: str


@dataclass(frozen=True, slots=True)
class EntityRecord(EntitySummary):
    synonyms: tuple[str, ...]
    xrefs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EdgeRecord:
    """An edge between two entity numbers; row_count is the number of equal source rows.

    first_pmid or first_year: when the edge was first seen, None for an undated one.
    date_source: where that date is from; SYNTHETIC of one that is made up for trying out.
    """

    edge: int
    source: int
    relation: int
    target: int
    score: float | None
    evidence: str
    level: str
    p_value: float | None
    publications: tuple[str, ...]
    row_count: int
    first_pmid: int | None = None
    first_year: int | None = None
    date_source: str = ""


@dataclass(frozen=True, slots=True)
class RelationDegree:
    """Number of entries of one relation on one side of an entity."""

    relation: int
    outgoing: bool
    count: int


@dataclass(frozen=True, slots=True)
class AdjacencyRow:
    """All entries of one entity on one side, sorted by (relation, neighbour, edge).

    If `edges` is None, entry i is edge first + i.
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
class NeighbourPage:
    """A page of an entity's entries; `next` is the `after` of the following page, if any."""

    neighbours: NDArray[np.int32]
    relations: NDArray[np.uint8] | NDArray[np.uint16]
    edges: NDArray[np.int64]
    count: int
    next: int | None

    def __len__(self) -> int:
        return len(self.neighbours)
