"""Compiles the kernels that readers wait for, before one of them does:
python -m backend.graphs.warming

Machine code is kept on disk beside the sources, so this takes long once for each installation.
The arrays are of the kinds that a snapshot of ordinary size has; for a graph of more types or
relations than a byte counts, code is still compiled by whoever asks first.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from backend.graphs.paths import search_paths
from backend.graphs.rows import EdgeRow, NodeRow, RelationInfo
from backend.graphs.search.names import Search
from backend.graphs.search.opening import lexicon_of
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from backend.graphs.subgraph import subgraph_of
from backend.graphs.walks import walk_from
from backend.science.compiled import forget_old_code
from backend.science.paths import Question
from backend.science.stopping import Stop

LENGTH = 4


class Chain:
    """Entities in a row, each linked to the next: a path of three steps, and ends to join."""

    relations: Mapping[str, RelationInfo] = {}

    def nodes(self) -> Iterator[NodeRow]:
        return (NodeRow(f"EX:{number}", "Link", f"link {number}") for number in range(LENGTH))

    def edges(self) -> Iterator[EdgeRow]:
        pairs = range(LENGTH - 1)
        return (EdgeRow(f"EX:{one}", "precedes", f"EX:{one + 1}") for one in pairs)


def compile_kernels() -> None:
    with tempfile.TemporaryDirectory(prefix="serendib-") as folder:
        built = build_snapshot(Chain(), Path(folder))
        ask_everything(open_snapshot(built.path))


def ask_everything(snapshot: Snapshot) -> None:
    first, last = snapshot.number_of("EX:0"), snapshot.number_of(f"EX:{LENGTH - 1}")
    if first is None or last is None:
        raise AssertionError("a snapshot has the entities that it was built of")
    search_paths(snapshot, Question([first], [last]), Stop())
    walk_from(snapshot, first, 2, seed=0, restart=0.1, stop=Stop())
    subgraph_of(snapshot, [first, last], Stop())
    for typed in ("link 1", "lnik 1", "lnik lixk"):
        Search(snapshot, lexicon_of(snapshot), 2).run(typed)


if __name__ == "__main__":
    os.nice(10)  # whoever reads a page meanwhile comes first
    forget_old_code()
    compile_kernels()
