"""TransE, DistMult, ComplEx and HolE: a score of a triple (head, relation, tail) from vectors.

Each is trained to score an edge above the same edge with an end replaced, by steps of Adagrad
(Duchi et al., JMLR 2011) on the rows that a batch touches. Everything is elementwise or a sparse
product, so the same seed gives the same bytes on the same machine. The
cost of a step depends on no size of the graph. A training reads each edge `epochs` times, less
often where that would be more than `MOST_SHOWN` edges in all, and at least once.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Longs = NDArray[np.int64]
Reals = NDArray[np.floating[Any]]
EPSILON = 1e-8
MOST_SHOWN = 2_000_000


class Triples(NamedTuple):
    """Columns of the same length."""

    heads: Longs
    relations: Longs
    tails: Longs

    def at(self, places: Longs) -> "Triples":
        return Triples(self.heads[places], self.relations[places], self.tails[places])


class Parts(NamedTuple):
    """A row for each triple: the vectors of its parts, or the slopes of a score by them."""

    head: Reals
    relation: Reals
    tail: Reals


class TripleModel(Protocol):
    def score(self, parts: Parts) -> Reals:
        """Of each row; 0 is as likely an edge as not."""

    def slopes(self, parts: Parts) -> Parts:
        """Of each row's score, by each of its numbers."""

    def queries(self, parts: Parts, *, of_heads: bool) -> Reals:
        """Rows whose products with the vectors of entities, and their biases added, order these as
        the tails of heads and relations do by score, or as the heads of relations and tails."""

    def biases(self, entities: Reals) -> Reals:
        """Of each entity, float64 [V]."""


class ProductModel(ABC):
    """A score that is linear in each of its parts, so that the slope by one is the query for it."""

    @abstractmethod
    def slopes(self, parts: Parts) -> Parts:
        """Of each row's score, by each of its numbers."""

    def queries(self, parts: Parts, *, of_heads: bool) -> Reals:
        slopes = self.slopes(parts)
        return slopes.head if of_heads else slopes.tail

    def biases(self, entities: Reals) -> Reals:
        return np.zeros(len(entities))


class TransE:
    """MARGIN - |h + r - t|². Bordes et al., NeurIPS 2013."""

    MARGIN = 3.0

    def score(self, parts: Parts) -> Reals:
        gap = parts.head + parts.relation - parts.tail
        result: Reals = self.MARGIN - (gap * gap).sum(axis=1)
        return result

    def slopes(self, parts: Parts) -> Parts:
        twice = 2 * (parts.head + parts.relation - parts.tail)
        return Parts(-twice, -twice, twice)

    def queries(self, parts: Parts, *, of_heads: bool) -> Reals:
        """-|q - e|² is in the order of q · e - |e|² / 2."""
        return parts.tail - parts.relation if of_heads else parts.head + parts.relation

    def biases(self, entities: Reals) -> Reals:
        lengths: Reals = np.einsum("ij,ij->i", entities, entities, dtype=np.float64)
        return -lengths / 2


class DistMult(ProductModel):
    """Σ h · r · t. Yang et al., ICLR 2015."""

    def score(self, parts: Parts) -> Reals:
        result: Reals = (parts.head * parts.relation * parts.tail).sum(axis=1)
        return result

    def slopes(self, parts: Parts) -> Parts:
        head, relation, tail = parts
        return Parts(relation * tail, head * tail, head * relation)


class ComplEx(ProductModel):
    """The real part of Σ h · r · conj(t), real parts first. Trouillon et al., ICML 2016."""

    def score(self, parts: Parts) -> Reals:
        (a, b), (c, d), (e, f) = (np.split(one, 2, axis=1) for one in parts)
        result: Reals = ((a * c - b * d) * e + (a * d + b * c) * f).sum(axis=1)
        return result

    def slopes(self, parts: Parts) -> Parts:
        (a, b), (c, d), (e, f) = (np.split(one, 2, axis=1) for one in parts)
        return Parts(
            np.concatenate([c * e + d * f, c * f - d * e], axis=1),
            np.concatenate([a * e + b * f, a * f - b * e], axis=1),
            np.concatenate([a * c - b * d, a * d + b * c], axis=1),
        )


class HolE(ProductModel):
    """Σ_k r_k Σ_i h_i t_(i + k), indices modulo d. Nickel et al., AAAI 2016."""

    def score(self, parts: Parts) -> Reals:
        result: Reals = (parts.relation * self.slopes(parts).relation).sum(axis=1)
        return result

    def slopes(self, parts: Parts) -> Parts:
        head, relation, tail = (np.fft.rfft(one, axis=1) for one in parts)
        width = parts.head.shape[1]
        products = (relation.conj() * tail, head.conj() * tail, relation * head)
        return Parts(*(np.fft.irfft(one, width, axis=1) for one in products))


TRIPLE_MODELS: Mapping[str, TripleModel] = {
    "transe": TransE(),
    "distmult": DistMult(),
    "complex": ComplEx(),
    "hole": HolE(),
}


@dataclass(frozen=True, slots=True)
class TripleSettings:
    """negatives: replaced triples for each. decay: pull of each touched number towards 0."""

    dimensions: int = 32
    epochs: int = 60
    batch: int = 1_024
    negatives: int = 4
    rate: float = 0.1
    decay: float = 0.01
    seed: int = 0

    def __post_init__(self) -> None:
        if self.dimensions < 2 or self.dimensions % 2:
            raise ValueError("the number of dimensions must be even")
        if min(self.epochs, self.batch, self.negatives) < 1:
            raise ValueError("a training has epochs, batches and negatives")

    def epochs_for(self, count: int) -> int:
        return max(1, min(self.epochs, MOST_SHOWN // max(count, 1)))


class SlopeRows(NamedTuple):
    """Slopes of the rows of a table, each row once."""

    rows: Longs
    slopes: Reals

    @classmethod
    def summed(cls, numbers: Longs, slopes: Reals) -> "SlopeRows":
        rows, place = np.unique(numbers, return_inverse=True)
        shape = (len(rows), len(numbers))
        ones = np.ones(len(numbers), slopes.dtype)
        spread = csr_array((ones, (place.reshape(-1), np.arange(len(numbers)))), shape=shape)
        return cls(rows, spread @ slopes)


class AdagradTable:
    """Vectors with the squares of all slopes that they have seen."""

    def __init__(self, values: Reals) -> None:
        self.values = values
        self.squares = np.zeros_like(values)

    def step(self, changes: SlopeRows, settings: TripleSettings) -> None:
        slopes = changes.slopes + settings.decay * self.values[changes.rows]
        self.squares[changes.rows] += slopes * slopes
        size = np.sqrt(self.squares[changes.rows]) + EPSILON
        self.values[changes.rows] -= settings.rate * slopes / size


@dataclass
class TripleVectors:
    """Those of entities and relations, float32 [V, d] and [R, d], with the model they are of."""

    model: TripleModel
    entities: AdagradTable
    relations: AdagradTable

    @classmethod
    def random(
        cls, model: TripleModel, counts: tuple[int, int], dimensions: int, rng: np.random.Generator
    ) -> "TripleVectors":
        """Of about unit length. counts: of entities and of relations."""
        scale = np.float32(dimensions**0.5)
        tables = [rng.standard_normal((one, dimensions), np.float32) / scale for one in counts]
        return cls(model, AdagradTable(tables[0]), AdagradTable(tables[1]))

    def parts(self, triples: Triples) -> Parts:
        entities, relations = self.entities.values, self.relations.values
        return Parts(entities[triples.heads], relations[triples.relations], entities[triples.tails])

    def scores(self, triples: Triples) -> Reals:
        return self.model.score(self.parts(triples))

    def loss_and_slopes(
        self, true: Triples, replaced: Triples
    ) -> tuple[float, SlopeRows, SlopeRows]:
        """Σ log(1 + exp(-score)) of true ones and, of replaced ones, log(1 + exp(score)), weighted
        so that both kinds count alike; its slopes by entities and by relations."""
        both = Triples(*(np.concatenate(pair) for pair in zip(true, replaced, strict=True)))
        count = len(true.heads)
        parts = self.parts(both)
        signs = np.where(np.arange(len(both.heads)) < count, -1, 1).astype(parts.head.dtype)
        weights = np.where(signs < 0, 1, count / max(len(replaced.heads), 1)).astype(signs.dtype)
        signed = signs * self.model.score(parts)
        loss = float((weights * np.logaddexp(0, signed)).sum())
        pull = (weights * signs * np.exp(-np.logaddexp(0, -signed)))[:, None]
        by = Parts(*(pull * one for one in self.model.slopes(parts)))
        ends = np.concatenate([both.heads, both.tails])
        entities = SlopeRows.summed(ends, np.concatenate([by.head, by.tail]))
        return loss, entities, SlopeRows.summed(both.relations, by.relation)


class EndReplacer:
    """Replaces one end of each triple by an entity of the same type, each with the same chance."""

    def __init__(self, types: NDArray[np.integer[Any]]) -> None:
        self.types = types.astype(np.int64)
        self.by_type = np.argsort(self.types, kind="stable")
        sizes = np.bincount(self.types, minlength=1)
        self.sizes, self.starts = sizes, np.cumsum(sizes) - sizes

    def replace(self, triples: Triples, times: int, rng: np.random.Generator) -> Triples:
        heads, relations, tails = (np.tile(one, times) for one in triples)
        is_head = rng.random(len(heads)) < 0.5
        kinds = self.types[np.where(is_head, heads, tails)]
        drawn = self.by_type[self.starts[kinds] + rng.integers(0, self.sizes[kinds])]
        return Triples(np.where(is_head, drawn, heads), relations, np.where(is_head, tails, drawn))


def epoch_batches(
    triples: Triples, settings: TripleSettings, rng: np.random.Generator
) -> Iterator[Triples]:
    """All triples once, in a random order."""
    count = len(triples.heads)
    order = rng.permutation(count)
    for start in range(0, count, settings.batch):
        yield triples.at(order[start : start + settings.batch])
