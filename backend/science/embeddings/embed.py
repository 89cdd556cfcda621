"""One call from a graph to an embedding on disk, with what it is worth beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency
from backend.science.artefact import writing
from backend.science.checkpoint import Checkpoint
from backend.science.embeddings.evaluation import evaluate, trial_of
from backend.science.embeddings.negatives import Drawn
from backend.science.embeddings.propagation import Progress, propagate, silent
from backend.science.embeddings.splitting import SHARE, split_edges
from backend.science.embeddings.training import EPOCHS, Settings, train_gcn
from backend.science.embeddings.undirected import Undirected, undirected
from backend.science.embeddings.vectors import KIND, Embedding, Kept, Sink, open_embedding
from backend.science.folders import workspace
from backend.science.stopping import Stop

Method = Literal["propagation", "gcn"]
Types = NDArray[np.uint8] | NDArray[np.uint16]
LARGEST_TRAINED = 2_000_000  # entities, at V · d · 28 bytes of memory


@dataclass(frozen=True, slots=True)
class Plan:
    """How entities become vectors. A network starts from the vectors that propagation finds.

    share: of the edges, held out from the method and then asked for.
    epochs, negatives: of the network alone.
    """

    method: Method = "propagation"
    dimensions: int = 64
    seed: int = 0
    share: float = SHARE
    epochs: int = EPOCHS
    negatives: Drawn = "uniform"

    def settings(self) -> Settings:
        return Settings(self.dimensions, self.epochs, self.seed, negatives=self.negatives)


@dataclass
class Work:
    """One plan under way."""

    graph: Undirected
    plan: Plan
    source: str
    scratch: Path
    checkpoint: Path | None
    progress: Progress
    stop: Stop

    def write(self, sink: Sink) -> Mapping[str, Any]:
        if self.plan.method == "propagation":
            return self.propagate(sink)
        return train_gcn(
            self.graph,
            sink,
            self.plan.settings(),
            begin=self.begin,
            source=self.source,
            checkpoint=self.checkpoint and self.checkpoint / "training",
            progress=self.progress,
            stop=self.stop,
        )

    def begin(self) -> NDArray[np.float32]:
        kept = Kept()
        self.propagate(Sink(kept, self.graph.entity_count, self.plan.dimensions))
        return kept.whole()

    def propagate(self, sink: Sink) -> Mapping[str, Any]:
        return propagate(
            self.graph,
            sink,
            scratch=self.scratch,
            dimensions=self.plan.dimensions,
            seed=self.plan.seed,
            progress=self.progress,
            stop=self.stop,
            checkpoint=self.propagated(),
        )

    def propagated(self) -> Checkpoint | None:
        if self.checkpoint is None:
            return None
        folder = self.checkpoint / "propagation"
        return Checkpoint(folder, "propagation-checkpoint", self.source, asdict(self.plan))


def embed(
    forward: Adjacency,
    reverse: Adjacency,
    types: Types,
    into: Path,
    plan: Plan | None = None,
    *,
    source: str,
    checkpoint: Path | None = None,
    progress: Progress = silent,
    stop: Stop | None = None,
) -> Embedding:
    """Vectors of all entities as the artefact `into`, with the AUCs of what was held out.

    types: the number of each entity's type [V]. source: a digest of the graph. checkpoint: a
    folder in which what was interrupted goes on; whoever has the embedding may remove it.
    The same input gives the same bytes on one machine. Beside `into` there must be room for
    V · (d + 16) · 4 bytes more, or twice that in the checkpoint. Raises Stopped, and ValueError
    for a plan or a graph that cannot be.
    """
    plan = plan or Plan()
    if plan.method == "gcn" and forward.entity_count > LARGEST_TRAINED:
        raise ValueError(f"a network is trained for at most {LARGEST_TRAINED:,} entities")
    held_out = split_edges(forward, reverse, seed=plan.seed, share=plan.share)
    graph = undirected(forward, reverse, without=held_out)
    trial = trial_of(forward, reverse, types, graph, held_out, seed=plan.seed)
    count, wanted = graph.entity_count, trial.entities()
    with (
        workspace(into.parent) as scratch,
        writing(into, KIND, source, asdict(plan)) as writer,
    ):
        vectors = writer.stream("vectors", (count, plan.dimensions), "<f4")
        sink = Sink(vectors, count, plan.dimensions, wanted)
        work = Work(graph, plan, source, scratch, checkpoint, progress, stop or Stop())
        writer.facts.update(work.write(sink))
        writer.array("has", sink.has)
        results = evaluate(trial, wanted, sink.rows)
        writer.facts["held_out"] = [asdict(result) for result in results]
        writer.facts["without_vector"] = int(count - sink.has.sum())
    return open_embedding(into, checksums=False)
