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

import io
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
RUN_LENGTHS = (4, 5, 6)
RUNS = 3.0
LONGEST = 20_000  # characters of a text that count
SAMPLE = 2_000  # texts of a collection that components are best learnt from
NOISE = 1e-6  # lengths and squares of singular values below this are rounding

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
        having = np.bincount(counts.indices, minlength=FEATURES)
        weights = (1 + np.log((counts.shape[0] + 1) / (having + 1))).astype(np.float32)
        components = np.zeros((FEATURES, DIMENSIONS), np.float16)
        found = main_directions(weighted(counts, weights))
        components[:, : found.shape[1]] = found
        return cls(weights, components)

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = weighted(counted(texts), self.weights)
        found = np.zeros((len(texts), DIMENSIONS), np.float32)
        for place, (first, last) in enumerate(pairwise(rows.indptr.tolist())):
            features, values = rows.indices[first:last], rows.data[first:last]
            found[place] = values @ self.components[features].astype(np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        lengths[lengths < NOISE] = np.inf
        unit: Vectors = found / lengths
        return unit

    def as_bytes(self) -> bytes:
        file = io.BytesIO()
        np.savez_compressed(file, weights=self.weights, components=self.components)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> LocalEmbedder:
        """Raises ValueError unless it is what `as_bytes` gave."""
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            weights, components = arrays["weights"], arrays["components"]
        if weights.shape != (FEATURES,) or components.shape != (FEATURES, DIMENSIONS):
            raise ValueError("these are not the components of this embedder")
        return cls(weights.astype(np.float32), components.astype(np.float16))


def counted(texts: Sequence[str]) -> csr_array:
    """log(1 + n_f), a row for each text."""
    indices: list[int] = []
    values: list[float] = []
    starts = [0]
    for text in texts:
        row: dict[int, float] = {}
        for feature, count in features_of(text[:LONGEST]):
            row[feature] = row.get(feature, 0.0) + count
        indices += row.keys()
        values += row.values()
        starts.append(len(indices))
    shape = (len(texts), FEATURES)
    parts = (np.log1p(np.array(values, np.float32)), np.array(indices, np.int32), np.array(starts))
    return csr_array(parts, shape=shape)


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


def weighted(counts: csr_array, weights: npt.NDArray[np.float32]) -> csr_array:
    values = counts.data * weights[counts.indices]
    owners = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    squares = np.bincount(owners, values * values, minlength=counts.shape[0])
    lengths = np.sqrt(np.where(squares > 0, squares, 1))
    scaled = (values / lengths[owners]).astype(np.float32)
    return csr_array((scaled, counts.indices, counts.indptr), shape=counts.shape)


def main_directions(rows: csr_array) -> npt.NDArray[np.float64]:
    """The right singular vectors of the largest singular values, as columns.

    From the eigenvectors u of X Xᵀ, of which there are as many as texts: v = Xᵀ u / s. Each has its
    largest entry positive, for the decomposition leaves the sign open.
    """
    texts = rows.shape[0]
    if not rows.nnz:
        return np.empty((FEATURES, 0))
    exact = rows.astype(np.float64)
    alike = (exact @ exact.T).toarray()
    squares, left = eigh(alike, subset_by_index=[max(texts - DIMENSIONS, 0), texts - 1])
    kept = squares[::-1] > NOISE
    right = exact.T @ (left[:, ::-1][:, kept] / np.sqrt(squares[::-1][kept]))
    largest = np.take_along_axis(right, np.abs(right).argmax(axis=0, keepdims=True), axis=0)
    signed: npt.NDArray[np.float64] = right * np.sign(largest)
    return signed
