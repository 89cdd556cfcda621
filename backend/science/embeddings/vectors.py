"""What an embedding is, and how its vectors are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from backend.science.artefact import open_artefact

KIND = "embedding"
Rows = NDArray[np.float64] | NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Embedding:
    """vectors float32 [V, d], of length 1 or zero; has bool [V], False where one is zero.

    An entity has none when it has no links, or none that tie it to the rest of the graph; it
    counts as orthogonal to all. The arrays may be memory maps.
    """

    vectors: NDArray[np.float32]
    has: NDArray[np.bool_]
    facts: Mapping[str, Any]

    def of(self, entities: NDArray[np.int64]) -> NDArray[np.float64]:
        """Their vectors. Raises IndexError for an entity that is not there."""
        if len(entities) and not 0 <= entities.min() <= entities.max() < len(self.has):
            raise IndexError(f"entities are numbered from 0 to {len(self.has) - 1}")
        return self.vectors[entities].astype(np.float64)


def open_embedding(path: Path, *, source: str | None = None, checksums: bool = True) -> Embedding:
    """As `embed` wrote it. Raises ArtefactRefused."""
    found = open_artefact(path, kind=KIND, source=source, checksums=checksums)
    facts = {"parameters": dict(found.parameters), **found.facts}
    return Embedding(found.arrays["vectors"], found.arrays["has"], facts)


class Output(Protocol):
    """Whatever takes an array front to back, in parts along its first axis."""

    def write(self, part: NDArray[Any]) -> None: ...


class Sink:
    """Takes the vectors of all entities in their order, scales them to length 1, passes them on.

    least    a vector that is not longer is none
    wanted   entities, rising, whose vectors are also kept at hand: `rows` [len(wanted), d]
    """

    def __init__(
        self,
        output: Output,
        count: int,
        dimensions: int,
        wanted: NDArray[np.int64] | None = None,
    ) -> None:
        wanted = np.empty(0, np.int64) if wanted is None else wanted
        self.output, self.wanted, self.least = output, wanted, 0.0
        self.has = np.zeros(count, np.bool_)
        self.rows = np.zeros((len(wanted), dimensions), np.float32)
        self.done = 0

    def write(self, rows: Rows) -> None:
        lengths = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1))
        has = lengths > self.least
        unit = np.where(has[:, None], rows / np.where(has, lengths, 1)[:, None], 0)
        made = unit.astype(np.float32)
        end = self.done + len(rows)
        low, high = np.searchsorted(self.wanted, [self.done, end])
        self.rows[low:high] = made[self.wanted[low:high] - self.done]
        self.has[self.done : end] = has
        self.output.write(made)
        self.done = end


class Kept:
    """An output in memory, for small graphs."""

    def __init__(self) -> None:
        self.parts: list[NDArray[np.float32]] = []

    def write(self, part: NDArray[Any]) -> None:
        self.parts.append(part)

    def whole(self) -> NDArray[np.float32]:
        return np.concatenate(self.parts)
