"""Link prediction of held-out links, compared with prediction from degrees alone.

For each held-out pair one end is fixed, the other replaced by an entity that is not linked to the
first anywhere in the graph: by any linked entity (uniform), by one of the same type as the replaced
one (same_type), or by one of similar degree (degree_matched). The AUC is the probability that a
held-out pair scores higher than a pair with a replaced end, ties counting half,

    AUC = 1/n² Σ_i Σ_j [s_i > r_j] + ½ [s_i = r_j],

with the score -‖x̂_i - x̂_j‖ / 2 of `rns`, orthogonal if one has no vector. Against uniform
negatives the AUC mostly reflects degree: the product of the degrees is scored on the same pairs and
reported with every result.

The interval is that of clustered data (Obuchowski, Biometrics 53, 1997): a held-out pair and its
replacement share an end and are one observation; the variance is that of the sums of their two
placements. Normal, clipped to 0 and 1; None for fewer than two pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency
from backend.science.bidirectional_csr import BidirectionalCsr, bidirectional_csr
from backend.science.embeddings.holdout import are_linked
from backend.science.embeddings.negative_sampling import degree_windows
from backend.science.embeddings.undirected_graph import Longs, Pairs, UndirectedGraph

Negatives = Literal["uniform", "same_type", "degree_matched"]
NEGATIVES: tuple[Negatives, ...] = get_args(Negatives)
MAX_DRAWS = 100
NORMAL_QUANTILE = 1.959963984540054  # two-sided 95% quantile of the normal distribution
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Auc:
    """An AUC and its 95% interval, None if there are too few pairs."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class NegativesResult:
    """Both scores on the same n held-out pairs and n replacements.

    left_out: held-out pairs without any replacement.
    """

    negatives: Negatives
    n: int
    left_out: int
    embedding: Auc
    degree_product: Auc


@dataclass(frozen=True, slots=True)
class LinkTrial:
    """Held-out pairs (fixed, replaced) [n, 2], and the replacements of each kind, -1 for none.

    degrees: links of each entity in the graph without the held-out pairs, int64 [V].
    """

    pairs: Pairs
    replacements: dict[Negatives, Longs]
    degrees: Longs

    def entities(self) -> Longs:
        """All entities of the trial, ascending."""
        result = np.unique(np.concatenate([self.pairs.ravel(), *self.replacements.values()]))
        return result[result >= 0]


def draw_trial(
    forward: Adjacency,
    reverse: Adjacency,
    types: NDArray[np.uint8] | NDArray[np.uint16],
    graph: UndirectedGraph,
    held_out: Pairs,
    *,
    seed: int,
) -> LinkTrial:
    """Draw which end of each pair is replaced, and by what. `graph` lacks the held-out pairs.

    types: the number of each entity's type [V].
    """
    rng = np.random.default_rng([seed, 1])
    turned = rng.random(len(held_out)) < 0.5
    pairs = np.where(turned[:, None], held_out[:, ::-1], held_out)
    degrees, links = graph.degrees(), bidirectional_csr(forward, reverse)
    linked = np.flatnonzero(degrees)
    pools: dict[Negatives, ReplacementPool] = {
        "uniform": ReplacementPool.uniform(linked, pairs[:, 1]),
        "same_type": ReplacementPool.same_type(linked, np.asarray(types), pairs[:, 1]),
        "degree_matched": ReplacementPool.degree_matched(linked, degrees, pairs[:, 1]),
    }
    drawn = {name: pool.draw(links, pairs[:, 0], rng) for name, pool in pools.items()}
    return LinkTrial(pairs, drawn, degrees)


@dataclass(frozen=True, slots=True)
class ReplacementPool:
    """Ordered entities; the replacement of pair i is drawn from low[i] up to high[i]."""

    entities: Longs
    low: Longs
    high: Longs

    @classmethod
    def uniform(cls, linked: Longs, ends: Longs) -> ReplacementPool:
        return cls(linked, np.zeros(len(ends), np.int64), np.full(len(ends), len(linked)))

    @classmethod
    def same_type(cls, linked: Longs, types: NDArray[np.integer], ends: Longs) -> ReplacementPool:
        order = linked[np.argsort(types[linked], kind="stable")]
        of_order = types[order]
        low = np.searchsorted(of_order, types[ends], "left")
        return cls(order, low, np.searchsorted(of_order, types[ends], "right"))

    @classmethod
    def degree_matched(cls, linked: Longs, degrees: Longs, ends: Longs) -> ReplacementPool:
        order = linked[np.argsort(degrees[linked], kind="stable")]
        return cls(order, *degree_windows(degrees[order], degrees[ends]))

    def draw(self, links: BidirectionalCsr, out: Longs, rng: np.random.Generator) -> Longs:
        """An entity for each pair that is neither the fixed end nor linked to it, or -1."""
        result = np.full(len(out), -1, np.int64)
        for _ in range(MAX_DRAWS):
            left = np.flatnonzero((result < 0) & (self.high > self.low))
            if not len(left):
                break
            drawn = self.entities[rng.integers(self.low[left], self.high[left])]
            fit = (drawn != out[left]) & ~are_linked(links, out[left], drawn)
            result[left[fit]] = drawn[fit]
        return result


def evaluate(
    trial: LinkTrial, entities: Longs, vectors: NDArray[np.float32]
) -> list[NegativesResult]:
    """AUCs of vectors [len(entities), d] of ascending `entities`, which include the trial's."""

    def closeness(ones: Longs, others: Longs) -> Scores:
        return -distances(vectors[place(ones)], vectors[place(others)])

    def place(numbers: Longs) -> Longs:
        return np.searchsorted(entities, numbers)

    def product(ones: Longs, others: Longs) -> Scores:
        return trial.degrees[ones].astype(np.float64) * trial.degrees[others]

    return [evaluate_negatives(trial, name, closeness, product) for name in NEGATIVES]


PairScore = Callable[[Longs, Longs], Scores]


def evaluate_negatives(
    trial: LinkTrial, name: Negatives, closeness: PairScore, product: PairScore
) -> NegativesResult:
    replaced = trial.replacements[name]
    replaceable = replaced >= 0
    sources, targets, negatives = (
        trial.pairs[replaceable, 0],
        trial.pairs[replaceable, 1],
        replaced[replaceable],
    )
    ours, theirs = (
        compute_auc(score(sources, targets), score(sources, negatives))
        for score in (closeness, product)
    )
    return NegativesResult(name, int(replaceable.sum()), int((~replaceable).sum()), ours, theirs)


def distances(ones: NDArray[np.float32], others: NDArray[np.float32]) -> Scores:
    """‖x̂_i - x̂_j‖ / 2 of rows of length 1, and 1/√2 if one is zero: from 0 to 1."""
    cosines = (ones.astype(np.float64) * others).sum(axis=1)
    return np.asarray(np.sqrt(np.clip((1 - cosines) / 2, 0, 1)))


def compute_auc(values: Scores, replaced: Scores) -> Auc:
    """Score i of both arguments belongs to the same pair."""
    n = len(values)
    if n == 0:
        return Auc(None, None, None)
    above, below = placements(values, replaced), 1 - placements(replaced, values)
    value = float(above.mean())
    if n < 2:
        return Auc(value, None, None)
    spread = NORMAL_QUANTILE * float(np.std(above + below, ddof=1)) / n**0.5
    return Auc(value, max(value - spread, 0.0), min(value + spread, 1.0))


def placements(scores: Scores, others: Scores) -> Scores:
    """The share of the others below each score, ties counting half."""
    order = np.sort(others)
    low, high = np.searchsorted(order, scores, "left"), np.searchsorted(order, scores, "right")
    return np.asarray((low + high) / (2 * len(order)))
