"""A snapshot as baselines match questions with it, see `backend.tracks.named_graphs`."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.search.normalization import normalize
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.lru_cache import LruCache
from backend.tracks.baseline_tasks import Numbers
from backend.tracks.item_table import NameFinder
from backend.tracks.named_graphs import NamedRelation

MOST_NEIGHBOURS = 1_000
GRAPHS_AT_ONCE = 1  # the index of a graph's names stays in memory


class SnapshotNames:
    """Implements NamedGraph. Names are hashed: an entity takes 16 bytes and not its name."""

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
        hashes, numbers = self._by_hash
        form = normalize(name)
        target = hash_of(form)
        first, last = (int(np.searchsorted(hashes, target, side)) for side in ("left", "right"))
        owners: list[int] = np.unique(numbers[first:last]).tolist()
        return [one for one in owners if form in self._forms(one)]

    def _forms(self, number: int) -> Iterator[str]:
        entity = self._snapshot.entity(number)
        return (form for name in (entity.name, *entity.synonyms) if (form := normalize(name)))

    @cached_property
    def _by_hash(self) -> tuple[Numbers, Numbers]:
        """Hashes of all names in order, and the entity of each."""
        pairs = [
            (hash_of(form), number)
            for number in range(self._snapshot.entity_count)
            for form in self._forms(number)
        ]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        table = table[np.lexsort((table[:, 1], table[:, 0]))]
        return table[:, 0], table[:, 1]

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


def hash_of(form: str) -> int:
    """Of 8 bytes. Python's own differs between processes, which does not matter in one."""
    return hash(form)


_names: LruCache[SnapshotNames] = LruCache(GRAPHS_AT_ONCE)


def name_finder(version: Version) -> NameFinder:
    """Identifiers of the entities of a graph by name, synonym or identifier, in order."""
    snapshot = open_version_snapshot(version)
    names = _names.get_or_create(version.snapshot, lambda: SnapshotNames(snapshot))

    def find(name: str) -> tuple[str, ...]:
        numbers, own = names.find_by_name(name), snapshot.find_number(name)
        every = {*numbers} if own is None else {*numbers, own}
        return tuple(sorted(snapshot.entity_summary(one).id for one in every))

    return find
