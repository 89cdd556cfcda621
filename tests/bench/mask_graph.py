"""mask_graph WAY SNAPSHOT EDGES FOLDER, behind with_django: one masked version, as JSON.

A process of its own, so that the peak of its memory is that of the work. WAY: `shared` links what
has no edges, as of a public base; `rebuilt` numbers all entities anew, as of another; `indexed` is
the index of names of a base, and `renumbered` that of its rebuilt version, from the former.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from backend.graphs.masked_versions import rebuild_without
from backend.graphs.search.index_builder import build_term_index
from backend.graphs.search.index_cache import index_folder
from backend.graphs.search.index_renumbering import renumber_term_index
from backend.graphs.snapshots.masking import mask_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from tests.bench.memory import peak
from tests.bench.synthetic import build_synthetic

Work = Callable[[Snapshot, Sequence[int], Path], Path]


def index(snapshot: Snapshot, removed: Sequence[int], folder: Path) -> Path:
    build_term_index(snapshot, index_folder(snapshot), lambda *_: None)
    return snapshot.path


def renumber(snapshot: Snapshot, removed: Sequence[int], folder: Path) -> Path:
    """The snapshot under its own numbers in reverse, which moves as much as any others."""
    numbers = np.arange(snapshot.entity_count, dtype=np.int32)[::-1]
    if not index_folder(snapshot).exists():
        index(snapshot, removed, folder)
    renumber_term_index(index_folder(snapshot), folder, snapshot, numbers)
    return snapshot.path


WAYS: dict[str, Work] = {
    "shared": lambda *words: mask_snapshot(*words).path,
    "rebuilt": lambda *words: rebuild_without(*words).path,
    "indexed": index,
    "renumbered": renumber,
}


def main(way: str, path: Path, edges: Path, folder: Path) -> None:
    work = WAYS[way]
    with tempfile.TemporaryDirectory() as warm:  # compiled code is made, or read, in here
        small = open_snapshot(build_synthetic(100, 1_000, Path(warm) / "built").path)
        work(small, [0], Path(warm) / "masked")
    snapshot, removed = open_snapshot(path), np.load(edges).tolist()
    began = time.perf_counter()
    path_of_result = work(snapshot, removed, folder)
    seconds = time.perf_counter() - began
    sys.stdout.write(json.dumps({"seconds": seconds, "peak": peak(), "path": str(path_of_result)}))


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:5]))
