"""Text embedding by latent semantic analysis, fitted to the texts of one collection.

There is no vocabulary: the features of a text are its words and their character n-grams of length 4
to 6 ('<metformin>' including the delimiters), each hashed to one of FEATURES columns. A text is the
row

    x_f = log(1 + n_f) · (1 + log((N + 1) / (N_f + 1))),   scaled to length 1,

where n_f counts a word as 1 and all n-grams of a word together as NGRAM_WEIGHT · √(their number), N
is the number of texts and N_f the number of texts with the feature. The truncated singular value
decomposition X = U S Vᵀ of the collection gives V (FEATURES by 256); the vector of a text is x V,
scaled to length 1. Texts must be normalized: lower case, words separated by one space.

Degenerate cases: a text without any feature of the collection has the zero vector; a collection of
rank r < 256 leaves all but r components zero, an empty one all of them. Source: Deerwester et al.,
Indexing by latent semantic analysis (1990).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh
from scipy.sparse import csr_array

DIMENSIONS = 256
FEATURES = 1 << 14
NGRAM_LENGTHS = (4, 5, 6)
NGRAM_WEIGHT = 3.0
MAX_CHARACTERS = 20_000  # characters of a text that are used
SAMPLE_SIZE = 2_000  # texts used to fit the components
ROUNDING_LEVEL = 1e-5  # lengths and squared singular values below this are rounding errors

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of DIMENSIONS components, of unit length or zero."""

    @property
    def name(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> Vectors: ...


@dataclass(frozen=True)
class LocalEmbedder:
    """Fitted to a collection: the weight of each feature, and the components V."""

    weights: npt.NDArray[np.float32]
    components: npt.NDArray[np.float16]

    @property
    def name(self) -> str:
        return "local-1"

    @classmethod
    def fit(cls, texts: Sequence[str]) -> LocalEmbedder:
        """Deterministic for the same texts in the same order on one machine.

        Time and memory grow quadratically with the number of texts: SAMPLE_SIZE of a collection
        suffice.
        """
        counts = count_features(texts)
        having = np.bincount(counts.features, minlength=FEATURES)
        weights = (1 + np.log((len(counts) + 1) / (having + 1))).astype(np.float32)
        components = np.zeros((FEATURES, DIMENSIONS), np.float16)
        result = principal_directions(weigh_features(counts, weights))
        components[:, : result.shape[1]] = result
        return cls(weights, components)

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = weigh_features(count_features(texts), self.weights)
        result = np.zeros((len(texts), DIMENSIONS), np.float32)
        for place, (first, last) in enumerate(pairwise(rows.starts.tolist())):
            features, values = rows.features[first:last], rows.values[first:last]
            result[place] = values @ self.components[features].astype(np.float32)
        lengths = np.linalg.norm(result, axis=1, keepdims=True)
        lengths[lengths < ROUNDING_LEVEL] = np.inf
        unit: Vectors = result / lengths
        return unit

    def as_bytes(self) -> bytes:
        return self.weights.astype("<f4").tobytes() + self.components.astype("<f2").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> LocalEmbedder:
        """Raises ValueError unless `data` comes from `as_bytes`."""
        if len(data) != 4 * FEATURES + 2 * FEATURES * DIMENSIONS:
            raise ValueError("these are not the components of this embedder")
        weights = np.frombuffer(data, "<f4", FEATURES)
        components = np.frombuffer(data, "<f2", offset=4 * FEATURES)
        return cls(weights, components.reshape(FEATURES, DIMENSIONS))


@dataclass(frozen=True, slots=True)
class SparseRows:
    """Sparse rows: the features of row i are at starts[i] to starts[i + 1] - 1."""

    starts: npt.NDArray[np.int64]
    features: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def owners(self) -> npt.NDArray[np.int64]:
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


def count_features(texts: Sequence[str]) -> SparseRows:
    """log(1 + n_f), one row per text."""
    features: list[int] = []
    values: list[float] = []
    starts = [0]
    for text in texts:
        row: dict[int, float] = {}
        for feature, count in iterate_features(text[:MAX_CHARACTERS]):
            row[feature] = row.get(feature, 0.0) + count
        features += row.keys()
        values += row.values()
        starts.append(len(features))
    logs = np.log1p(np.array(values, np.float32))
    return SparseRows(np.array(starts), np.array(features, np.int64), logs)


def iterate_features(text: str) -> Iterator[tuple[int, float]]:
    for word in text.split():
        yield hash_feature(f" {word}"), 1.0
        bordered = f"<{word}>"
        runs = [
            bordered[at : at + size]
            for size in NGRAM_LENGTHS
            for at in range(len(bordered) - size + 1)
        ]
        for run in runs:
            yield hash_feature(run), NGRAM_WEIGHT / len(runs) ** 0.5


def hash_feature(feature: str) -> int:
    return zlib.crc32(feature.encode(errors="replace")) % FEATURES


def weigh_features(counts: SparseRows, weights: npt.NDArray[np.float32]) -> SparseRows:
    values, owners = counts.values * weights[counts.features], counts.owners()
    squares = np.bincount(owners, values * values, minlength=len(counts))
    lengths = np.sqrt(np.where(squares > 0, squares, 1))
    return SparseRows(counts.starts, counts.features, (values / lengths[owners]).astype(np.float32))


def principal_directions(rows: SparseRows) -> npt.NDArray[np.float32]:
    """The right singular vectors of the largest singular values, as columns.

    Computed from the leading eigenvectors u of X Xᵀ, of size N by N: v = Xᵀ u / s. The sign of each
    is fixed by making its largest component positive.
    """
    if not len(rows.values):
        return np.empty((FEATURES, 0), np.float32)
    count = len(rows)
    matrix = csr_array((rows.values, rows.features, rows.starts), shape=(count, FEATURES))
    gram = (matrix @ matrix.T).toarray().astype(np.float64)
    squares, left = eigh(gram, subset_by_index=(max(0, count - DIMENSIONS), count - 1))
    significant = np.flatnonzero(squares > ROUNDING_LEVEL)[::-1]
    right = matrix.T @ (left[:, significant] / np.sqrt(squares[significant])).astype(np.float32)
    largest = np.take_along_axis(right, np.abs(right).argmax(axis=0, keepdims=True), axis=0)
    signed: npt.NDArray[np.float32] = right * np.sign(largest)
    return signed
