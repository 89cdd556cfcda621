"""Unsupervised training of the graph convolution network on a graph's links.

Every epoch partitions the links again: the network uses most of them, predicts the others, each
against itself with an end replaced, and makes one step of Adam (Kingma and Ba, ICLR 2015). If it
predicts links that it uses, it memorizes each: on the sample of Hetionet hiding a third raises the
AUC against uniform negatives from 0.74 to 0.79. Against negatives of the same type the network does
not beat the propagation that it starts from (docs/reference/rns.md).

A checkpoint holds the complete state of the next epoch: parameters, both moments, and the state of
the generator. Resuming after any epoch gives the bytes of an uninterrupted training on the same
machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import Artifact
from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.runtime.checkpoint import Checkpoint
from backend.runtime.jit import jit_compile
from backend.science.embeddings.column_file import split_chunks
from backend.science.embeddings.edge_partition import partition_links
from backend.science.embeddings.embedding_store import NormalizingSink
from backend.science.embeddings.gcn import GraphNetwork
from backend.science.embeddings.negative_sampling import (
    NEGATIVE_KINDS,
    NegativeKind,
    NegativeSampler,
)
from backend.science.embeddings.propagation import EmbeddingProgress, ignore_progress
from backend.science.embeddings.sparse_products import Block, check_width
from backend.science.embeddings.undirected_graph import UndirectedGraph
from backend.science.transition.simd import aligned_zeros

CHECKPOINT_KIND = "gcn-checkpoint"
STEP = "epochs"
Types = NDArray[np.integer[Any]]
StartVectors = Callable[[], NDArray[np.float32]]
DEFAULT_EPOCHS = 50
MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """Parameters of a training, apart from the graph and the start vectors."""

    dimensions: int = 64
    epochs: int = DEFAULT_EPOCHS
    seed: int = 0
    rate: float = 0.01
    hidden: float = 0.3
    negatives: NegativeKind = "uniform"
    """degree_matched: degree is uninformative in training, at the cost of the other AUCs.
    same_type: so is the type of an end."""

    def __post_init__(self) -> None:
        check_width(self.dimensions)
        if self.epochs < 0 or self.rate <= 0 or self.negatives not in NEGATIVE_KINDS:
            raise ValueError("a training has some epochs, a rate above 0 and known negatives")
        if not 0 < self.hidden < 1:
            raise ValueError("some links are hidden in an epoch, and not all")


@dataclass
class AdamParameter:
    """A parameter with its running gradient moments."""

    value: Block
    mean: Block
    square: Block

    @classmethod
    def of(cls, value: NDArray[np.float32]) -> AdamParameter:
        nothing = np.zeros_like(value)
        return cls(aligned_copy(value), aligned_copy(nothing), aligned_copy(nothing))

    def step(self, slope: Block, rate: float, epoch: int) -> None:
        """Epochs are counted from 1."""
        size = rate * (1 - SQUARE_DECAY**epoch) ** 0.5 / (1 - MEAN_DECAY**epoch)
        for first, last in split_chunks(len(self.value)):
            adam_step(self.value, self.mean, self.square, slope, size, first, last)


@jit_compile
def adam_step(
    value: Block, mean: Block, square: Block, slope: Block, size: float, first: int, last: int
) -> None:
    for row in range(first, last):
        for at in range(value.shape[1]):
            push = slope[row, at]
            mean[row, at] = MEAN_DECAY * mean[row, at] + (1 - MEAN_DECAY) * push
            square[row, at] = SQUARE_DECAY * square[row, at] + (1 - SQUARE_DECAY) * push * push
            value[row, at] -= size * mean[row, at] / (np.sqrt(square[row, at]) + EPSILON)


@dataclass
class TrainingState:
    """The complete state of the next epoch."""

    inputs: AdamParameter
    weights: AdamParameter
    chance: np.random.Generator
    epoch: int = 0
    losses: list[float] = field(default_factory=list)

    @classmethod
    def initial(
        cls, count: int, settings: TrainingSettings, begin: StartVectors | None
    ) -> TrainingState:
        """Seeded normal numbers of about unit length, or `begin`; W starts as the identity."""
        rng = np.random.default_rng([settings.seed, 2])
        shape = (count, settings.dimensions)
        if begin is None:
            start = rng.standard_normal(shape, np.float32) / np.float32(shape[1] ** 0.5)
        else:
            start = begin()
        if start.shape != shape:
            raise ValueError(f"a start of the shape {shape} is needed, and this has {start.shape}")
        weights = np.eye(settings.dimensions, dtype=np.float32)
        return cls(AdamParameter.of(start), AdamParameter.of(weights), rng)

    def arrays(self) -> dict[str, Block]:
        both = {"inputs": self.inputs, "weights": self.weights}
        return {
            f"{name}.{part}": getattr(moments, part)
            for name, moments in both.items()
            for part in ("value", "mean", "square")
        }

    def facts(self) -> dict[str, Any]:
        generator = self.chance.bit_generator.state
        return {"epoch": self.epoch, "losses": self.losses, "generator": generator}

    @classmethod
    def from_checkpoint(cls, out: Artifact) -> TrainingState:
        moments = [
            [out.arrays[f"{name}.{part}"] for part in ("value", "mean", "square")]
            for name in ("inputs", "weights")
        ]
        output = [AdamParameter(*(aligned_copy(one) for one in three)) for three in moments]
        rng = np.random.default_rng()
        rng.bit_generator.state = out.facts["generator"]
        return cls(output[0], output[1], rng, out.facts["epoch"], list(out.facts["losses"]))


def aligned_copy(array: NDArray[np.float32]) -> Block:
    rows, columns = array.shape
    result = aligned_zeros(rows, columns, np.float32)
    result[:] = array
    return result


@dataclass
class TrainingRun:
    """One training, from the start or resumed from its checkpoint."""

    graph: UndirectedGraph
    settings: TrainingSettings
    state: TrainingState
    checkpoint: Checkpoint | None = None
    progress: EmbeddingProgress = ignore_progress
    stop: CancellationToken = field(default_factory=CancellationToken)
    types: Types | None = None

    def run(self) -> Block:
        """The vectors, of length 1 or 0. Cancellation saves the last full epoch, then raises."""
        network = GraphNetwork(self.graph.entity_count, self.settings.dimensions, self.stop)
        sampler = NegativeSampler.of(self.graph, self.settings.negatives, self.types)
        while self.state.epoch < self.settings.epochs:
            self.progress("training", self.state.epoch, self.settings.epochs)
            generator = self.state.chance.bit_generator.state
            try:
                self.epoch(network, sampler)
            except Cancelled:
                self.state.chance.bit_generator.state = generator
                self.save()
                raise
            if self.checkpoint is not None and self.checkpoint.is_due():
                self.save()
        return network.forward(self.graph, self.state.inputs.value, self.state.weights.value)

    def epoch(self, network: GraphNetwork, sampler: NegativeSampler) -> None:
        """The state except the generator changes only after the last point of cancellation."""
        state, rate = self.state, self.settings.rate
        network.stop.raise_if_cancelled()
        visible, hidden = partition_links(
            self.graph, int(state.chance.integers(2**63)), self.settings.hidden
        )
        replaced = sampler.draw(hidden.neighbours, state.chance)
        network.forward(visible, state.inputs.value, state.weights.value)
        loss = network.loss(hidden, replaced)
        by_inputs, by_weights = network.backward(state.weights.value)
        state.epoch += 1
        state.inputs.step(by_inputs, rate, state.epoch)
        state.weights.step(by_weights, rate, state.epoch)
        state.losses.append(loss)

    def save(self) -> None:
        if self.checkpoint is not None:
            self.checkpoint.save_step(STEP, self.state.arrays(), self.state.facts())


def train_gcn(
    graph: UndirectedGraph,
    sink: NormalizingSink,
    settings: TrainingSettings | None = None,
    *,
    start_vectors: StartVectors | None = None,
    source: str = "",
    checkpoint: Path | None = None,
    progress: EmbeddingProgress = ignore_progress,
    stop: CancellationToken | None = None,
    types: Types | None = None,
) -> Mapping[str, Any]:
    """Write the vectors of all entities to the sink; return the facts about them.

    start_vectors  returns start vectors [V, d], such as those of `propagate`; random by default.
                   Not called when resuming from a checkpoint
    source         a digest of the graph and of the start vectors
    checkpoint     a folder written after an epoch, a minute after it was last, and on cancellation;
                   training of the same source and settings resumes from it
    types          of each entity [V], for negatives of the same type
    Needs about V · d · 28 bytes and 8 per entry. Raises Cancelled; ValueError for a start of
    another shape, or for negatives of the same type without types.
    """
    settings, given = settings or TrainingSettings(), stop or CancellationToken()
    steps = None
    if checkpoint is not None:
        steps = Checkpoint(checkpoint, CHECKPOINT_KIND, source, asdict(settings))
    step = steps.load_latest_step(STEP) if steps else None
    state = (
        TrainingState.from_checkpoint(step)
        if step
        else TrainingState.initial(graph.entity_count, settings, start_vectors)
    )
    run = TrainingRun(graph, settings, state, steps, progress, given, types)
    vectors = run.run()
    linked = graph.degrees() > 0
    for first, last in split_chunks(graph.entity_count):
        sink.write(vectors[first:last] * linked[first:last, None])
    return {"losses": state.losses}
