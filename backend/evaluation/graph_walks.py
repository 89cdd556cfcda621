"""Entities of a release's graph that a metapath reaches, for baselines."""

from collections.abc import Iterator, Sequence

import numpy as np

from backend.common.errors import DomainError
from backend.graphs.metapaths import parse_metapath
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.path_answers import Metapath
from backend.tracks.baseline_tasks import Numbers

NOTHING = np.zeros(0, dtype=np.int64)


class GraphWalks:
    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

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
