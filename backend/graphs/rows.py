"""What an importer gives and a snapshot is built from: rows, or many rows at once as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a document; source says where its sentences come from."""

    title: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One entity. The id is a CURIE as the field writes it: 'DRUGBANK:DB00945'."""

    id: str
    type: str
    name: str
    synonyms: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()
    document: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One statement. Evidence names the source database or the kind of evidence.

    Publications are CURIEs or addresses: 'PMID:123', 'DOI:10…'. The line of its file, 0 where
    there is none, is for whoever is told what is wrong with it, and no part of what it says.
    """

    source: str
    relation: str
    target: str
    score: float | None = None
    evidence: str = ""
    level: str = ""
    p_value: float | None = None
    publications: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Malformed:
    """A row that was dropped: where, why in one of a few stable words, and what was there."""

    file: str
    line: int
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """How a relation is said each way: 'treats', 'is treated by'. Empty: made from the name."""

    name: str
    forward: str = ""
    backward: str = ""
    symmetric: bool = False


class GraphSource(Protocol):
    """A graph as rows. Both streams can be read more than once, in memory that does not grow.

    `relations` is read after the nodes and before the edges; it need not name every relation.
    """

    @property
    def relations(self) -> Mapping[str, RelationInfo]: ...
    def nodes(self) -> Iterator[NodeRow | Malformed]: ...
    def edges(self) -> Iterator[EdgeRow | Malformed]: ...


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of few different texts: texts[codes[i]] belongs to row i."""

    codes: NDArray[np.integer]
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class NodeColumns:
    """Many entities at once. Ids and names are UTF-8 in fixed width, as numpy's 'S' has them."""

    ids: NDArray[np.bytes_]
    types: Coded
    names: NDArray[np.bytes_]


@dataclass(frozen=True, slots=True)
class EdgeColumns:
    """Many edges at once. NaN is a missing number, '' a missing text; None, a missing column."""

    sources: NDArray[np.bytes_]
    relations: Coded
    targets: NDArray[np.bytes_]
    scores: NDArray[np.floating] | None = None
    evidence: Coded | None = None
    levels: Coded | None = None
    p_values: NDArray[np.floating] | None = None


@runtime_checkable
class ColumnSource(Protocol):
    """A graph as columns, a batch at a time: for graphs of hundreds of millions of edges."""

    @property
    def relations(self) -> Mapping[str, RelationInfo]: ...
    def node_columns(self) -> Iterator[NodeColumns | Malformed]: ...
    def edge_columns(self) -> Iterator[EdgeColumns | Malformed]: ...
