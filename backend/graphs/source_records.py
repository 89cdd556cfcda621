"""Records that importers produce and snapshots are built from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a document, with the source of its text."""

    title: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One entity. The id is a CURIE such as 'DRUGBANK:DB00945'."""

    id: str
    type: str
    name: str
    synonyms: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()
    document: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One edge. `evidence` names the source database or the kind of evidence.

    `publications` are CURIEs or URLs: 'PMID:123', 'DOI:10…'. `first_pmid` or `first_year` is when
    the edge was first seen: the earliest of all its articles, or a year; `date_source` is what
    states it, or 'synthetic'. `line` is its line in the file, 0 if unknown; it appears in error
    reports and is not part of the edge's content.
    """

    source: str
    relation: str
    target: str
    score: float | None = None
    evidence: str = ""
    level: str = ""
    p_value: float | None = None
    publications: tuple[str, ...] = ()
    first_pmid: int | None = None
    first_year: int | None = None
    date_source: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class MalformedRow:
    """A dropped row: its file and line, a reason code, and an excerpt of the text."""

    file: str
    line: int
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """The phrases of a relation: 'treats', 'is treated by'. Empty: derived from the name."""

    name: str
    forward: str = ""
    backward: str = ""
    symmetric: bool = False


class GraphSource(Protocol):
    """A graph as rows. Both streams can be read repeatedly, in constant memory.

    `relations` is read after the nodes and before the edges; it need not list every relation.
    """

    @property
    def relations(self) -> Mapping[str, RelationInfo]: ...
    def nodes(self) -> Iterator[NodeRow | MalformedRow]: ...
    def edges(self) -> Iterator[EdgeRow | MalformedRow]: ...
