"""python -m tests.bench.embed_graph SNAPSHOT METHOD EPOCHS FOLDER: one embedding, as JSON.

A process of its own, so that the peak of its memory is that of the embedding.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.science.embeddings.embed import EmbeddingPlan, compute_embedding
from backend.science.embeddings.embedding_store import Embedding
from tests.bench.memory import peak
from tests.science.embeddings.graphs import random_multigraph


def main(path: Path, plan: EmbeddingPlan, folder: Path) -> None:
    warm(plan)
    snapshot, began = open_snapshot(path), time.perf_counter()
    created = of_snapshot(snapshot, plan, folder / "made")
    reported = {
        "seconds": time.perf_counter() - began,
        "peak": peak(),
        "held_out": created.facts["held_out"],
    }
    sys.stdout.write(json.dumps(reported))


def of_snapshot(snapshot: Snapshot, plan: EmbeddingPlan, into: Path) -> Embedding:
    sides = (snapshot.forward, snapshot.reverse)
    return compute_embedding(*sides, snapshot.type_of, into, plan, source=snapshot.id)


def warm(plan: EmbeddingPlan) -> None:
    """Compiled code is made, or read, in here."""
    graph = random_multigraph(1)
    with tempfile.TemporaryDirectory() as folder:
        compute_embedding(*graph.sides(), graph.types_of(), Path(folder) / "made", plan, source="")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        EmbeddingPlan("gcn" if sys.argv[2] == "gcn" else "propagation", epochs=int(sys.argv[3])),
        Path(sys.argv[4]),
    )
