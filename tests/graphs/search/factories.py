"""Snapshots whose names are searched, without a database."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backend.graphs.search.index_builder import build_term_index
from backend.graphs.search.index_cache import index_folder
from backend.graphs.search.name_search import NameHit, NameSearch
from backend.graphs.search.term_index import TermIndex, open_term_index
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo


@dataclass(frozen=True)
class Named:
    """Entities in the order of their degree: the first has most edges."""

    rows: Sequence[NodeRow]
    relations: dict[str, RelationInfo] = field(default_factory=dict)

    def nodes(self) -> Iterator[NodeRow]:
        return iter(self.rows)

    def edges(self) -> Iterator[EdgeRow]:
        for place, row in enumerate(self.rows):
            for number in range(len(self.rows) - place - 1):
                yield EdgeRow(row.id, f"r{number}", row.id)


@dataclass(frozen=True)
class Searched:
    snapshot: Snapshot
    lexicon: TermIndex

    @classmethod
    def of(cls, folder: Path, rows: Sequence[NodeRow], **limits: int) -> "Searched":
        snapshot = open_snapshot(build_snapshot(Named(rows), folder).path)
        build_term_index(snapshot, index_folder(snapshot), lambda *_: None, **limits)
        path = index_folder(snapshot)
        return cls(snapshot, open_term_index(path, snapshot.path.name, snapshot.entity_count))

    def hits(self, query: str, limit: int = 20, types: Sequence[str] = ()) -> list[NameHit]:
        expected = {self.snapshot.types.index(it) for it in types} or None
        return NameSearch(self.snapshot, self.lexicon, limit, expected).execute(query).hits

    def identifiers(self, query: str, limit: int = 20, types: Sequence[str] = ()) -> list[str]:
        """The ids, the best first."""
        return [self.snapshot.entity(hit.entity).id for hit in self.hits(query, limit, types)]

    def met(self, query: str) -> list[tuple[str, str]]:
        return [(hit.match_kind, hit.text) for hit in self.hits(query)]
