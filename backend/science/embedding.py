"""Texts as vectors whose angle says how alike they are, learnt from the texts of one collection.

Latent semantic analysis without a vocabulary: the features of a text are its words and the runs of
4 to 6 letters in them ('<metformin>' with its borders), each hashed to one of FEATURES columns.
A text is the row

    x_f = log(1 + n_f) · (1 + log((N + 1) / (N_f + 1))),   scaled to length 1,

where n_f counts a word as 1 and all runs of a word together as RUNS · √(their number), N is the
number of texts and N_f that of those with the feature. The truncated singular value decomposition
X = U S Vᵀ of the collection gives V (FEATURES by 256); the vector of a text is x V, scaled to 1.
Texts come in a normal form: lower case, words with one space between.

Degenerate cases: a text without a feature that the collection has is the zero vector; a collection
of rank r < 256 leaves all but r places zero, an empty one all of them.
Source: Deerwester et al., Indexing by latent semantic analysis (1990).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

DIMENSIONS = 256
FEATURES = 1 << 14
RUN_LENGTHS = (4, 5, 6)
RUNS = 3.0
LONGEST = 20_000  # characters of a text that count
SAMPLE = 2_000  # texts of a collection that components are best learnt from
NOISE = 1e-5  # lengths and squares of singular values below this are rounding

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Whatever turns texts into vectors of DIMENSIONS; those of unit length, or zero."""

    @property
    def name(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> Vectors: ...


@dataclass(frozen=True)
class LocalEmbedder:
    """What was learnt from a collection: the weight of each feature, and the components V."""

    weights: npt.NDArray[np.float32]
    components: npt.NDArray[np.float16]

    @property
    def name(self) -> str:
        return "local-1"

    @classmethod
    def learnt_from(cls, texts: Sequence[str]) -> LocalEmbedder:
        """The same texts in the same order give the same vectors, on one machine.

        Time and memory grow with the square of their number: SAMPLE of a collection are enough.
        """
        counts = counted(texts)
        having = np.bincount(counts.features, minlength=FEATURES)
        weights = (1 + np.log((len(counts) + 1) / (having + 1))).astype(np.float32)
        components = np.zeros((FEATURES, DIMENSIONS), np.float16)
        found = main_directions(weighted(counts, weights))
        components[:, : found.shape[1]] = found
        return cls(weights, components)

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = weighted(counted(texts), self.weights)
        found = np.zeros((len(texts), DIMENSIONS), np.float32)
        for place, (first, last) in enumerate(pairwise(rows.starts.tolist())):
            features, values = rows.features[first:last], rows.values[first:last]
            found[place] = values @ self.components[features].astype(np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        lengths[lengths < NOISE] = np.inf
        unit: Vectors = found / lengths
        return unit

    def as_bytes(self) -> bytes:
        return self.weights.astype("<f4").tobytes() + self.components.astype("<f2").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> LocalEmbedder:
        """Raises ValueError unless it is what `as_bytes` gave."""
        if len(data) != 4 * FEATURES + 2 * FEATURES * DIMENSIONS:
            raise ValueError("these are not the components of this embedder")
        weights = np.frombuffer(data, "<f4", FEATURES)
        components = np.frombuffer(data, "<f2", offset=4 * FEATURES)
        return cls(weights, components.reshape(FEATURES, DIMENSIONS))


@dataclass(frozen=True, slots=True)
class Rows:
    """Few features a row: those of row i are at starts[i] to starts[i + 1] - 1."""

    starts: npt.NDArray[np.int64]
    features: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def owners(self) -> npt.NDArray[np.int64]:
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def dense(self) -> npt.NDArray[np.float32]:
        found = np.zeros((len(self), FEATURES), np.float32)
        found[self.owners(), self.features] = self.values
        return found


def counted(texts: Sequence[str]) -> Rows:
    """log(1 + n_f), a row for each text."""
    features: list[int] = []
    values: list[float] = []
    starts = [0]
    for text in texts:
        row: dict[int, float] = {}
        for feature, count in features_of(text[:LONGEST]):
            row[feature] = row.get(feature, 0.0) + count
        features += row.keys()
        values += row.values()
        starts.append(len(features))
    logs = np.log1p(np.array(values, np.float32))
    return Rows(np.array(starts), np.array(features, np.int64), logs)


def features_of(text: str) -> Iterator[tuple[int, float]]:
    for word in text.split():
        yield hashed(f" {word}"), 1.0
        bordered = f"<{word}>"
        runs = [bordered[at : at + size] for size in RUN_LENGTHS for at in places(bordered, size)]
        for run in runs:
            yield hashed(run), RUNS / len(runs) ** 0.5


def places(text: str, size: int) -> range:
    return range(len(text) - size + 1)


def hashed(feature: str) -> int:
    return zlib.crc32(feature.encode(errors="replace")) % FEATURES


def weighted(counts: Rows, weights: npt.NDArray[np.float32]) -> Rows:
    values, owners = counts.values * weights[counts.features], counts.owners()
    squares = np.bincount(owners, values * values, minlength=len(counts))
    lengths = np.sqrt(np.where(squares > 0, squares, 1))
    return Rows(counts.starts, counts.features, (values / lengths[owners]).astype(np.float32))


def main_directions(rows: Rows) -> npt.NDArray[np.float32]:
    """The right singular vectors of the largest singular values, as columns.

    From the eigenvectors u of X Xᵀ, of which there are as many as texts: v = Xᵀ u / s. Each has its
    largest entry positive, for the decomposition leaves the sign open. X is made whole: 64 KiB a
    text.
    """
    if not len(rows.values):
        return np.empty((FEATURES, 0), np.float32)
    whole = rows.dense()
    squares, left = np.linalg.eigh((whole @ whole.T).astype(np.float64))
    kept = np.flatnonzero(squares > NOISE)[::-1][:DIMENSIONS]
    right = whole.T @ (left[:, kept] / np.sqrt(squares[kept])).astype(np.float32)
    largest = np.take_along_axis(right, np.abs(right).argmax(axis=0, keepdims=True), axis=0)
    signed: npt.NDArray[np.float32] = right * np.sign(largest)
    return signed
