"""Models that give each entity a vector, so that a pair is scored by the cosine of its two.

Relations and directions of links are not used. With types, a replaced end in the training of
node2vec and of the network is of the type of what it replaces; propagation has no such ends.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.checkpoint import Checkpoint
from backend.science.embeddings.embedding_store import MemoryOutput, NormalizingSink
from backend.science.embeddings.node2vec import WalkSettings, node2vec
from backend.science.embeddings.propagation import propagate
from backend.science.embeddings.training import DEFAULT_EPOCHS, TrainingSettings, train_gcn
from backend.science.embeddings.training_source import digest_arrays
from backend.science.embeddings.undirected_graph import UndirectedGraph

Vectors = NDArray[np.float32]
Types = NDArray[np.integer[Any]]
DIMENSIONS = 64
MOST_ENTRIES = 100_000_000  # that a network reads in all its epochs: about ten minutes


class VectorModel(Protocol):
    def __call__(
        self,
        graph: UndirectedGraph,
        types: Types | None,
        seed: int,
        stop: CancellationToken | None = None,
        checkpoint: Path | None = None,
    ) -> Vectors:
        """[V, d], of length 1 or 0. The same seed gives the same bytes on the same machine.

        types: of each entity [V], None to train without them. checkpoint: a folder, from which an
        interrupted training of the same input goes on. Raises Cancelled.
        """


def propagated_vectors(
    graph: UndirectedGraph,
    types: Types | None,
    seed: int,
    stop: CancellationToken | None = None,
    checkpoint: Path | None = None,
) -> Vectors:
    output = MemoryOutput()
    sink = NormalizingSink(output, graph.entity_count, DIMENSIONS)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        steps = None
        if checkpoint is not None:
            source, parameters = digest_arrays(graph.offsets, graph.neighbours), {"seed": seed}
            steps = Checkpoint(checkpoint, "propagation-checkpoint", source, parameters)
        propagate(
            graph,
            sink,
            scratch=folder,
            dimensions=DIMENSIONS,
            seed=seed,
            stop=stop,
            checkpoint=steps,
        )
        return output.to_array()


def network_vectors(
    graph: UndirectedGraph,
    types: Types | None,
    seed: int,
    stop: CancellationToken | None = None,
    checkpoint: Path | None = None,
) -> Vectors:
    """By the graph convolution network, from the vectors of propagation."""
    epochs = max(1, min(DEFAULT_EPOCHS, MOST_ENTRIES // max(len(graph.neighbours), 1)))
    settings = TrainingSettings(
        DIMENSIONS, epochs, seed, negatives="uniform" if types is None else "same_type"
    )
    output = MemoryOutput()
    train_gcn(
        graph,
        NormalizingSink(output, graph.entity_count, DIMENSIONS),
        settings,
        start_vectors=lambda: propagated_vectors(
            graph, types, seed, stop, checkpoint and checkpoint / "start"
        ),
        source=digest_arrays(graph.offsets, graph.neighbours, types),
        checkpoint=checkpoint and checkpoint / "network",
        types=types,
        stop=stop,
    )
    return output.to_array()


def walk_vectors(
    graph: UndirectedGraph,
    types: Types | None,
    seed: int,
    stop: CancellationToken | None = None,
    checkpoint: Path | None = None,
) -> Vectors:
    settings = WalkSettings(DIMENSIONS, seed=seed)
    return node2vec(graph, settings, types=types, stop=stop, checkpoint=checkpoint)


VECTOR_MODELS: Mapping[str, VectorModel] = {
    "propagation": propagated_vectors,
    "node2vec": walk_vectors,
    "gcn": network_vectors,
}
