"""A snapshot as baselines match questions with it, see `backend.tracks.named_graphs`."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from backend.graphs.search.normalization import normalize
from backend.graphs.snapshots.snapshot import Snapshot
from backend.tracks.named_graphs import NamedRelation

MOST_NEIGHBOURS = 1_000


class SnapshotNames:
    """Implements NamedGraph."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.types: Sequence[str] = snapshot.types
        self.relations = [
            NamedRelation(one.name, one.forward, one.backward, one.symmetric)
            for one in snapshot.relations
        ]
        self._numbers = {one.name: one.number for one in snapshot.relations}

    def normalize(self, text: str) -> str:
        return normalize(text, None)

    def find_by_name(self, name: str) -> Sequence[int]:
        return self._names.get(name, ())

    @cached_property
    def _names(self) -> Mapping[str, Sequence[int]]:
        names: defaultdict[str, list[int]] = defaultdict(list)
        for entity in self._snapshot.entities():
            for text in dict.fromkeys(map(normalize, (entity.name, *entity.synonyms))):
                names[text].append(entity.number)
        return dict(names)

    def type_of(self, number: int) -> str:
        return self.types[int(self._snapshot.type_of[number])]

    def neighbours(self, number: int, relation: str, *, outgoing: bool) -> Sequence[int]:
        relation_number = self._numbers[relation]
        is_symmetric = self._snapshot.relations[relation_number].symmetric
        ways = (True, False) if is_symmetric else (outgoing,)
        numbers: set[int] = set()
        for way in ways:
            page = self._snapshot.neighbours(
                number, relation_number, outgoing=way, limit=MOST_NEIGHBOURS
            )
            numbers.update(page.neighbours.tolist())
        return sorted(numbers)[:MOST_NEIGHBOURS]
