"""Stored embeddings, and the sinks that receive vectors."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import (
    open_artifact,
)

KIND = "embedding"
Rows = NDArray[np.float64] | NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Embedding:
    """vectors float32 [V, d], of length 1 or zero; has_vector bool [V], False where one is zero.

    An entity has no vector if it has no links, or none to the rest of the graph; it counts as
    orthogonal to all others. The arrays may be memory maps.
    """

    vectors: NDArray[np.float32]
    has_vector: NDArray[np.bool_]
    facts: Mapping[str, Any]

    def vectors_of(self, entities: NDArray[np.int64]) -> NDArray[np.float64]:
        """Vectors of these entities. Raises IndexError for an unknown entity."""
        if len(entities) and not 0 <= entities.min() <= entities.max() < len(self.has_vector):
            raise IndexError(f"entities are numbered from 0 to {len(self.has_vector) - 1}")
        return self.vectors[entities].astype(np.float64)


def open_embedding(path: Path, *, source: str | None = None, checksums: bool = True) -> Embedding:
    """Open the artifact of `compute_embedding`. Raises InvalidArrayStore."""
    result = open_artifact(path, kind=KIND, source=source, checksums=checksums)
    facts = {"parameters": dict(result.parameters), **result.facts}
    return Embedding(result.arrays["vectors"], result.arrays["has"], facts)


class VectorOutput(Protocol):
    """Receives an array sequentially, in parts along its first axis."""

    def write(self, part: NDArray[Any]) -> None: ...


class NormalizingSink:
    """Receives the vectors of all entities in order, scales them to length 1 and forwards them.

    least    a vector of at most this length counts as missing
    collected  entities, ascending, whose vectors are also collected in `rows` [len(collected), d]
    """

    def __init__(
        self,
        output: VectorOutput,
        count: int,
        dimensions: int,
        collected: NDArray[np.int64] | None = None,
    ) -> None:
        collected = np.empty(0, np.int64) if collected is None else collected
        self.output, self.collected, self.least = output, collected, 0.0
        self.has = np.zeros(count, np.bool_)
        self.rows = np.zeros((len(collected), dimensions), np.float32)
        self.done = 0

    def write(self, rows: Rows) -> None:
        lengths = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1))
        has = lengths > self.least
        unit = np.where(has[:, None], rows / np.where(has, lengths, 1)[:, None], 0)
        output = unit.astype(np.float32)
        end = self.done + len(rows)
        low, high = np.searchsorted(self.collected, [self.done, end])
        self.rows[low:high] = output[self.collected[low:high] - self.done]
        self.has[self.done : end] = has
        self.output.write(output)
        self.done = end


class MemoryOutput:
    """An output in memory, for small graphs."""

    def __init__(self) -> None:
        self.parts: list[NDArray[np.float32]] = []

    def write(self, part: NDArray[Any]) -> None:
        self.parts.append(part)

    def to_array(self) -> NDArray[np.float32]:
        return np.concatenate(self.parts)
