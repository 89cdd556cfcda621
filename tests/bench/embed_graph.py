"""python -m tests.bench.embed_graph SNAPSHOT METHOD EPOCHS FOLDER: one embedding, as JSON.

A process of its own, so that the peak of its memory is that of the embedding.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from backend.science.embeddings.embed import Plan, embed
from backend.science.embeddings.vectors import Embedding
from tests.bench.memory import peak
from tests.science.embeddings.graphs import random_multigraph


def main(path: Path, plan: Plan, folder: Path) -> None:
    warm(plan)
    snapshot, began = open_snapshot(path), time.perf_counter()
    made = of_snapshot(snapshot, plan, folder / "made")
    told = {
        "seconds": time.perf_counter() - began,
        "peak": peak(),
        "held_out": made.facts["held_out"],
    }
    sys.stdout.write(json.dumps(told))


def of_snapshot(snapshot: Snapshot, plan: Plan, into: Path) -> Embedding:
    sides = (snapshot.forward, snapshot.reverse)
    return embed(*sides, snapshot.type_of, into, plan, source=snapshot.id)


def warm(plan: Plan) -> None:
    """Compiled code is made, or read, in here."""
    graph = random_multigraph(1)
    with tempfile.TemporaryDirectory() as folder:
        embed(*graph.sides(), graph.types_of(), Path(folder) / "made", plan, source="")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        Plan("gcn" if sys.argv[2] == "gcn" else "propagation", epochs=int(sys.argv[3])),
        Path(sys.argv[4]),
    )
