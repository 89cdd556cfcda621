"""Training of a model that orders the candidates of queries, one list a query.

The loss of a list with the scores s, of which the first p are of true answers and n of others, is

    1/p Σ_i -log( exp(s_i) / (exp(s_i) + Σ_n exp(s_n)) ),

so that true answers do not push each other away. Each step is one of Adam (Kingma and Ba, ICLR
2015) for the mean over a batch of queries, after which all weights shrink by a fixed share
(Loshchilov and Hutter, ICLR 2019).

A checkpoint has weights, both moments, losses and the state of the generator after an epoch: a
resumed training has the bytes of an uninterrupted one on the same machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import Artifact
from backend.runtime.cancellation import CancellationToken
from backend.runtime.checkpoint import Checkpoint

Floats = NDArray[np.float64]
Weights = Mapping[str, Floats]
MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8
STREAM = 8  # of the seeds of this package
STEP = "epoch"


class ListLoss(NamedTuple):
    value: float
    slopes: Floats  # by the scores


class QueryLoss(NamedTuple):
    value: float
    slopes: Weights


class QueryModel(Protocol):
    """What is trained: its queries have numbers from 0."""

    @property
    def query_count(self) -> int: ...

    def initial(self, rng: np.random.Generator) -> Weights: ...

    def loss(self, weights: Weights, query: int, rng: np.random.Generator) -> QueryLoss: ...


@dataclass(frozen=True, slots=True)
class QueryTrainingSettings:
    """decay: share by which weights shrink, times the rate, at every step."""

    epochs: int = 20
    batch: int = 8
    rate: float = 0.001
    decay: float = 0.01
    seed: int = 0

    def __post_init__(self) -> None:
        if self.epochs < 0 or self.batch < 1 or self.rate <= 0 or self.decay < 0:
            raise ValueError("a training has some epochs, a batch, and a rate above 0")


def list_loss(scores: Floats, positives: int) -> ListLoss:
    """positives: how many of the first scores are of true answers; one at least."""
    true, others = scores[:positives], scores[positives:]
    totals = np.logaddexp(true, np.logaddexp.reduce(others, initial=-np.inf))
    slopes = np.empty_like(scores)
    slopes[:positives] = (np.exp(true - totals) - 1) / positives
    slopes[positives:] = np.exp(others[:, None] - totals).sum(axis=1) / positives
    return ListLoss(float(np.mean(totals - true)), slopes)


@dataclass
class QueryTraining:
    """The complete state after some epochs."""

    values: dict[str, Floats]
    means: dict[str, Floats]
    squares: dict[str, Floats]
    rng: np.random.Generator
    epoch: int = 0
    steps: int = 0
    losses: list[float] = field(default_factory=list)

    @classmethod
    def initial(cls, model: QueryModel, seed: int) -> QueryTraining:
        rng = np.random.default_rng([seed, STREAM])
        values = {name: value.copy() for name, value in model.initial(rng).items()}
        means, squares = (
            {name: np.zeros_like(one) for name, one in values.items()} for _ in range(2)
        )
        return cls(values, means, squares, rng)

    @classmethod
    def of_checkpoint(cls, step: Artifact) -> QueryTraining:
        parts: dict[str, dict[str, Floats]] = {"value": {}, "mean": {}, "square": {}}
        for key, array in step.arrays.items():
            name, _, part = key.rpartition(".")
            parts[part][name] = array.copy()
        rng = np.random.default_rng()
        facts = step.facts
        rng.bit_generator.state = facts["generator"]
        moments = parts["value"], parts["mean"], parts["square"]
        return cls(*moments, rng, facts["epoch"], facts["steps"], list(facts["losses"]))

    def save(self, checkpoint: Checkpoint) -> None:
        parts = {"value": self.values, "mean": self.means, "square": self.squares}
        arrays = {
            f"{name}.{part}": array
            for part, named in parts.items()
            for name, array in named.items()
        }
        facts = {"epoch": self.epoch, "steps": self.steps, "losses": self.losses}
        state = {"generator": self.rng.bit_generator.state}
        checkpoint.save_step(STEP, arrays, facts | state)

    def run_epoch(
        self, model: QueryModel, settings: QueryTrainingSettings, stop: CancellationToken | None
    ) -> None:
        order, total = self.rng.permutation(model.query_count), 0.0
        for first in range(0, len(order), settings.batch):
            if stop is not None:
                stop.raise_if_cancelled()
            batch = order[first : first + settings.batch].tolist()
            slopes = {name: np.zeros_like(value) for name, value in self.values.items()}
            for query in batch:
                loss = model.loss(self.values, query, self.rng)
                total += loss.value
                for name, slope in loss.slopes.items():
                    slopes[name] += slope / len(batch)
            self.step(slopes, settings)
        self.epoch += 1
        self.losses.append(total / max(len(order), 1))

    def step(self, slopes: Weights, settings: QueryTrainingSettings) -> None:
        self.steps += 1
        size = (1 - SQUARE_DECAY**self.steps) ** 0.5 / (1 - MEAN_DECAY**self.steps)
        for name, value in self.values.items():
            mean, square, slope = self.means[name], self.squares[name], slopes[name]
            mean += (1 - MEAN_DECAY) * (slope - mean)
            square += (1 - SQUARE_DECAY) * (slope * slope - square)
            value *= 1 - settings.rate * settings.decay
            value -= settings.rate * size * mean / (np.sqrt(square) + EPSILON)


def train_queries(
    model: QueryModel,
    settings: QueryTrainingSettings,
    *,
    checkpoint: Checkpoint | None = None,
    stop: CancellationToken | None = None,
) -> QueryTraining:
    """checkpoint: from which an interrupted training of the same input goes on. Raises Cancelled.

    Without queries the weights are the initial ones.
    """
    step = checkpoint.load_latest_step(STEP) if checkpoint else None
    state = (
        QueryTraining.of_checkpoint(step) if step else QueryTraining.initial(model, settings.seed)
    )
    while model.query_count and state.epoch < settings.epochs:
        state.run_epoch(model, settings, stop)
        if checkpoint and (checkpoint.is_due() or state.epoch == settings.epochs):
            state.save(checkpoint)
    return state
