"""Snapshots whose names are searched, without a database."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backend.graphs.rows import EdgeRow, NodeRow, RelationInfo
from backend.graphs.search.building import build_lexicon
from backend.graphs.search.lexicon import Lexicon, open_lexicon
from backend.graphs.search.names import Hit, Search
from backend.graphs.search.opening import folder_of
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import Snapshot, open_snapshot


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
    lexicon: Lexicon

    @classmethod
    def of(cls, folder: Path, rows: Sequence[NodeRow]) -> "Searched":
        snapshot = open_snapshot(build_snapshot(Named(rows), folder).path)
        build_lexicon(snapshot, folder_of(snapshot), lambda *_: None)
        path = folder_of(snapshot)
        return cls(snapshot, open_lexicon(path, snapshot.path.name, snapshot.entity_count))

    def hits(self, asked: str, limit: int = 20, types: Sequence[str] = ()) -> list[Hit]:
        wanted = {self.snapshot.types.index(it) for it in types} or None
        return Search(self.snapshot, self.lexicon, limit, wanted).run(asked).hits

    def found(self, asked: str, limit: int = 20, types: Sequence[str] = ()) -> list[str]:
        """The ids, the best first."""
        return [self.snapshot.entity(hit.entity).id for hit in self.hits(asked, limit, types)]

    def met(self, asked: str) -> list[tuple[str, str]]:
        return [(hit.kind, hit.text) for hit in self.hits(asked)]
