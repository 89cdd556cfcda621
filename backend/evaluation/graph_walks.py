"""Entities of a release's graph by name, and those that a metapath reaches, for baselines."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from backend.common.errors import DomainError
from backend.graphs.metapaths import parse_metapath
from backend.graphs.search.normalization import normalize
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.path_answers import Metapath
from backend.tracks.baseline_tasks import Numbers

NOTHING = np.zeros(0, dtype=np.int64)


class GraphWalks:
    """Names are hashed once, so that an entity takes 16 bytes and not its name."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def find_named(self, name: str) -> Numbers:
        hashes, numbers = self._by_hash
        target = hash_of(normalize(name))
        first, last = (int(np.searchsorted(hashes, target, side)) for side in ("left", "right"))
        owners = numbers[first:last]
        is_named = [self._has_name(int(one), normalize(name)) for one in owners]
        return np.unique(owners[is_named])

    def _has_name(self, number: int, form: str) -> bool:
        return form in self._forms(number)

    def _forms(self, number: int) -> Iterator[str]:
        entity = self.snapshot.entity(number)
        return (form for name in (entity.name, *entity.synonyms) if (form := normalize(name)))

    @cached_property
    def _by_hash(self) -> tuple[Numbers, Numbers]:
        """Hashes of all names in order, and the entity of each."""
        pairs = [
            (hash_of(form), number)
            for number in range(self.snapshot.entity_count)
            for form in self._forms(number)
        ]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        table = table[np.lexsort((table[:, 1], table[:, 0]))]
        return table[:, 0], table[:, 1]

    def reach(self, start: int, metapath: str, *, by_relation: bool) -> Numbers:
        try:
            walked = parse_metapath(self.snapshot, metapath)
        except DomainError:
            return NOTHING
        paths = {start: 1}
        for place in range(len(walked.steps)):
            paths = self._step(paths, walked, place, by_relation=by_relation)
        paths.pop(start, None)
        ordered = sorted(paths, key=lambda number: (-paths[number], number))
        return np.array(ordered, dtype=np.int64)

    def _step(
        self, paths: dict[int, int], walked: Metapath, place: int, *, by_relation: bool
    ) -> dict[int, int]:
        """Number of paths to each entity of the next type."""
        reached: dict[int, int] = {}
        end_type = walked.types[place + 1]
        for number, count in paths.items():
            rows = self._rows(number, walked.steps[place] if by_relation else None)
            for neighbour in np.concatenate([*rows, NOTHING]).tolist():
                if neighbour != number and self.snapshot.type_of[neighbour] == end_type:
                    reached[neighbour] = reached.get(neighbour, 0) + count
        return reached

    def _rows(self, number: int, step: tuple[int, bool] | None) -> Iterator[Numbers]:
        for outgoing in (True, False):
            row = self.snapshot.row(number, outgoing=outgoing)
            if step is None:
                yield row.neighbours.astype(np.int64)
            elif outgoing == step[1] or self.snapshot.relations[step[0]].symmetric:
                yield row.neighbours[row.relations == step[0]].astype(np.int64)

    def names_of(self, numbers: Numbers) -> Sequence[str]:
        return [self.snapshot.entity_summary(one).name for one in numbers.tolist()]


def hash_of(form: str) -> int:
    """Of 8 bytes. Python's own differs between processes, which does not matter in one."""
    return hash(form)
