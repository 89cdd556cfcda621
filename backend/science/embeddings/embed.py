"""Computation of an embedding and its evaluation, stored as an artifact."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import (
    artifact_writer,
)
from backend.runtime.atomic_dirs import workspace
from backend.runtime.cancellation import CancellationToken
from backend.runtime.checkpoint import Checkpoint
from backend.science.adjacency import Adjacency
from backend.science.embeddings.embedding_store import (
    KIND,
    Embedding,
    MemoryOutput,
    NormalizingSink,
    open_embedding,
)
from backend.science.embeddings.evaluation import draw_trial, evaluate
from backend.science.embeddings.holdout import DEFAULT_SHARE, hold_out_edges
from backend.science.embeddings.link_ranks import rank_held_out
from backend.science.embeddings.negative_sampling import NegativeKind
from backend.science.embeddings.propagation import EmbeddingProgress, ignore_progress, propagate
from backend.science.embeddings.training import DEFAULT_EPOCHS, TrainingSettings, train_gcn
from backend.science.embeddings.undirected_graph import UndirectedGraph, undirected_graph

EmbeddingMethod = Literal["propagation", "gcn"]
Types = NDArray[np.uint8] | NDArray[np.uint16]
MAX_TRAINED_ENTITIES = 2_000_000  # entities, at V · d · 28 bytes of memory


@dataclass(frozen=True, slots=True)
class EmbeddingPlan:
    """Method and parameters of an embedding. A network starts from the vectors of propagation.

    share: share of edges held out for evaluation. epochs, negatives: of the network only.
    """

    method: EmbeddingMethod = "propagation"
    dimensions: int = 64
    seed: int = 0
    share: float = DEFAULT_SHARE
    epochs: int = DEFAULT_EPOCHS
    negatives: NegativeKind = "uniform"

    def settings(self) -> TrainingSettings:
        return TrainingSettings(self.dimensions, self.epochs, self.seed, negatives=self.negatives)


@dataclass
class EmbeddingRun:
    """One plan during its execution."""

    graph: UndirectedGraph
    plan: EmbeddingPlan
    source: str
    scratch: Path
    checkpoint: Path | None
    progress: EmbeddingProgress
    stop: CancellationToken

    def write(self, sink: NormalizingSink) -> Mapping[str, Any]:
        if self.plan.method == "propagation":
            return self.propagate(sink)
        return train_gcn(
            self.graph,
            sink,
            self.plan.settings(),
            start_vectors=self.initial_vectors,
            source=self.source,
            checkpoint=self.checkpoint and self.checkpoint / "training",
            progress=self.progress,
            stop=self.stop,
        )

    def initial_vectors(self) -> NDArray[np.float32]:
        output = MemoryOutput()
        self.propagate(NormalizingSink(output, self.graph.entity_count, self.plan.dimensions))
        return output.to_array()

    def propagate(self, sink: NormalizingSink) -> Mapping[str, Any]:
        return propagate(
            self.graph,
            sink,
            scratch=self.scratch,
            dimensions=self.plan.dimensions,
            seed=self.plan.seed,
            progress=self.progress,
            stop=self.stop,
            checkpoint=self.propagation_checkpoint(),
        )

    def propagation_checkpoint(self) -> Checkpoint | None:
        if self.checkpoint is None:
            return None
        folder = self.checkpoint / "propagation"
        return Checkpoint(folder, "propagation-checkpoint", self.source, asdict(self.plan))


def compute_embedding(
    forward: Adjacency,
    reverse: Adjacency,
    types: Types,
    into: Path,
    plan: EmbeddingPlan | None = None,
    *,
    source: str,
    checkpoint: Path | None = None,
    progress: EmbeddingProgress = ignore_progress,
    stop: CancellationToken | None = None,
) -> Embedding:
    """Vectors of all entities as the artifact `into`, with the AUCs on held-out links
    and their ranks among all entities.

    types: the number of each entity's type [V]. source: a digest of the graph. checkpoint: a folder
    in which an interrupted run resumes; remove it once the embedding exists. Deterministic on one
    machine. Needs V · (d + 16) · 4 bytes more beside `into`, or twice that in the checkpoint.
    Raises Cancelled, and ValueError for an invalid plan or graph.
    """
    plan = plan or EmbeddingPlan()
    if plan.method == "gcn" and forward.entity_count > MAX_TRAINED_ENTITIES:
        raise ValueError(f"a network is trained for at most {MAX_TRAINED_ENTITIES:,} entities")
    held_out = hold_out_edges(forward, reverse, seed=plan.seed, share=plan.share)
    graph = undirected_graph(forward, reverse, without=held_out)
    trial = draw_trial(forward, reverse, types, graph, held_out, seed=plan.seed)
    count, collected = graph.entity_count, trial.entities()
    with (
        workspace(into.parent) as scratch,
        artifact_writer(into, KIND, source, asdict(plan)) as writer,
    ):
        vectors = writer.open_array("vectors", (count, plan.dimensions), "<f4")
        sink = NormalizingSink(vectors, count, plan.dimensions, collected)
        work = EmbeddingRun(
            graph, plan, source, scratch, checkpoint, progress, stop or CancellationToken()
        )
        writer.facts.update(work.write(sink))
        writer.add("has", sink.has)
        results = evaluate(trial, collected, sink.rows)
        writer.facts["held_out"] = [asdict(result) for result in results]
        stored = vectors.read_back()
        writer.facts["ranks"] = asdict(rank_held_out(trial, forward, reverse, stored, work.stop))
        writer.facts["without_vector"] = int(count - sink.has.sum())
    return open_embedding(into, checksums=False)
