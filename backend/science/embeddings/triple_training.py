"""Training of a model of triples, which goes on from its checkpoint after an interruption.

A checkpoint has the tables with their squares and the state of the generator after an epoch, so
that a resumed training has the bytes of an uninterrupted one on the same machine.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import Artifact
from backend.runtime.cancellation import CancellationToken
from backend.runtime.checkpoint import Checkpoint
from backend.science.embeddings.training_source import digest_arrays
from backend.science.embeddings.triple_models import (
    AdagradTable,
    EndReplacer,
    TripleModel,
    Triples,
    TripleSettings,
    TripleVectors,
    epoch_batches,
)

KIND, STEP = "triple-checkpoint", "epoch"


@dataclass
class TripleTraining:
    """The complete state after some epochs."""

    vectors: TripleVectors
    rng: np.random.Generator
    epoch: int = 0

    @classmethod
    def initial(
        cls, model: TripleModel, counts: tuple[int, int], settings: TripleSettings
    ) -> TripleTraining:
        rng = np.random.default_rng([settings.seed, 3])
        return cls(TripleVectors.random(model, counts, settings.dimensions, rng), rng)

    @classmethod
    def of_checkpoint(cls, model: TripleModel, step: Artifact) -> TripleTraining:
        tables = []
        for name in ("entities", "relations"):
            table = AdagradTable(step.arrays[f"{name}.values"].copy())
            table.squares[:] = step.arrays[f"{name}.squares"]
            tables.append(table)
        rng = np.random.default_rng()
        rng.bit_generator.state = step.facts["generator"]
        return cls(TripleVectors(model, *tables), rng, step.facts["epoch"])

    def save(self, checkpoint: Checkpoint) -> None:
        tables = {"entities": self.vectors.entities, "relations": self.vectors.relations}
        arrays = {
            f"{name}.{part}": getattr(table, part)
            for name, table in tables.items()
            for part in ("values", "squares")
        }
        generator = self.rng.bit_generator.state
        checkpoint.save_step(STEP, arrays, {"epoch": self.epoch, "generator": generator})


def train_triples(
    model: TripleModel,
    triples: Triples,
    types: NDArray[np.integer[Any]],
    relation_count: int,
    settings: TripleSettings,
    *,
    checkpoint: Path | None = None,
    stop: CancellationToken | None = None,
) -> TripleVectors:
    """types: of each entity [V]; replaced ends are of the type of what they replace.

    checkpoint: a folder, from which an interrupted training of the same input goes on. Raises
    Cancelled.
    """
    counts = (len(types), relation_count)
    steps = checkpoint and open_checkpoint(checkpoint, model, triples, types, counts, settings)
    step = steps.load_latest_step(STEP) if steps else None
    state = (
        TripleTraining.of_checkpoint(model, step)
        if step
        else TripleTraining.initial(model, counts, settings)
    )
    vectors, replacer = state.vectors, EndReplacer(types)
    while state.epoch < settings.epochs_for(len(triples.heads)):
        for true in epoch_batches(triples, settings, state.rng):
            if stop is not None:
                stop.raise_if_cancelled()
            replaced = replacer.replace(true, settings.negatives, state.rng)
            _, by_entities, by_relations = vectors.loss_and_slopes(true, replaced)
            vectors.entities.step(by_entities, settings)
            vectors.relations.step(by_relations, settings)
        state.epoch += 1
        if steps and steps.is_due():
            state.save(steps)
    return vectors


def open_checkpoint(
    folder: Path,
    model: TripleModel,
    triples: Triples,
    types: NDArray[np.integer[Any]],
    counts: tuple[int, int],
    settings: TripleSettings,
) -> Checkpoint:
    parameters = {"model": type(model).__name__, "counts": [*counts], **asdict(settings)}
    return Checkpoint(folder, KIND, digest_arrays(*triples, types), parameters)
