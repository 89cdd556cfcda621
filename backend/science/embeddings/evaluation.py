"""Whether held-out links are found again, beside what their ends' degrees alone would find.

For each held-out pair one end is kept, the other replaced by an entity that is not linked to the
first anywhere in the graph: by any linked entity (uniform), by one of the same type as the
replaced one (same_type), by one of about its degree (degree_matched). The AUC is the chance that a
held-out pair scores higher than a pair with a replaced end, ties counting half,

    AUC = 1/n² Σ_i Σ_j [s_i > r_j] + ½ [s_i = r_j],

with the score -‖x̂_i - x̂_j‖ / 2 of `rns`, orthogonal where one has no vector. Against uniform
negatives most of what an AUC shows is degree: the product of the degrees is scored on the same
pairs, and stands beside every figure.

The interval is that of clustered data (Obuchowski, Biometrics 53, 1997): a held-out pair and its
replacement share an end and are one observation; the variance is that of the sums of their two
placements. Normal, cut to 0 and 1; None for fewer than two pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency
from backend.science.embeddings.negatives import windows
from backend.science.embeddings.splitting import are_linked
from backend.science.embeddings.undirected import Longs, Pairs, Undirected
from backend.science.links import Links, links_of

Negatives = Literal["uniform", "same_type", "degree_matched"]
NEGATIVES: tuple[Negatives, ...] = get_args(Negatives)
TRIES = 100
LEVEL = 1.959963984540054  # standard deviations to either side of 95% of a normal distribution
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Auc:
    """An AUC and its 95% interval, None where there are too few pairs for one."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Against:
    """Both scores on the same n held-out pairs and n replacements.

    left_out: held-out pairs for which no replacement was found.
    """

    negatives: Negatives
    n: int
    left_out: int
    embedding: Auc
    degree_product: Auc


@dataclass(frozen=True, slots=True)
class Trial:
    """Held-out pairs (kept, replaced) [n, 2], and the replacements of each kind, -1 for none.

    degrees: links of each entity in the graph without them, int64 [V].
    """

    pairs: Pairs
    replacements: dict[Negatives, Longs]
    degrees: Longs

    def entities(self) -> Longs:
        """All that take part, rising."""
        found = np.unique(np.concatenate([self.pairs.ravel(), *self.replacements.values()]))
        return found[found >= 0]


def trial_of(
    forward: Adjacency,
    reverse: Adjacency,
    types: NDArray[np.uint8] | NDArray[np.uint16],
    graph: Undirected,
    held_out: Pairs,
    *,
    seed: int,
) -> Trial:
    """Draw which end of each pair is replaced, and by what. `graph` is that without the pairs.

    types: the number of each entity's type [V].
    """
    chance = np.random.default_rng([seed, 1])
    turned = chance.random(len(held_out)) < 0.5
    pairs = np.where(turned[:, None], held_out[:, ::-1], held_out)
    degrees, links = graph.degrees(), links_of(forward, reverse)
    linked = np.flatnonzero(degrees)
    pools: dict[Negatives, Pool] = {
        "uniform": Pool.of_all(linked, pairs[:, 1]),
        "same_type": Pool.alike(linked, np.asarray(types), pairs[:, 1]),
        "degree_matched": Pool.near(linked, degrees, pairs[:, 1]),
    }
    drawn = {name: pool.draw(links, pairs[:, 0], chance) for name, pool in pools.items()}
    return Trial(pairs, drawn, degrees)


@dataclass(frozen=True, slots=True)
class Pool:
    """Entities in some order; pair i may have one from low[i] up to high[i]."""

    entities: Longs
    low: Longs
    high: Longs

    @classmethod
    def of_all(cls, linked: Longs, ends: Longs) -> Pool:
        return cls(linked, np.zeros(len(ends), np.int64), np.full(len(ends), len(linked)))

    @classmethod
    def alike(cls, linked: Longs, types: NDArray[np.integer], ends: Longs) -> Pool:
        order = linked[np.argsort(types[linked], kind="stable")]
        of_order = types[order]
        low = np.searchsorted(of_order, types[ends], "left")
        return cls(order, low, np.searchsorted(of_order, types[ends], "right"))

    @classmethod
    def near(cls, linked: Longs, degrees: Longs, ends: Longs) -> Pool:
        order = linked[np.argsort(degrees[linked], kind="stable")]
        return cls(order, *windows(degrees[order], degrees[ends]))

    def draw(self, links: Links, kept: Longs, chance: np.random.Generator) -> Longs:
        """An entity for each pair that is neither the kept one nor linked to it, or -1."""
        found = np.full(len(kept), -1, np.int64)
        for _ in range(TRIES):
            left = np.flatnonzero((found < 0) & (self.high > self.low))
            if not len(left):
                break
            drawn = self.entities[chance.integers(self.low[left], self.high[left])]
            fit = (drawn != kept[left]) & ~are_linked(links, kept[left], drawn)
            found[left[fit]] = drawn[fit]
        return found


def evaluate(trial: Trial, entities: Longs, vectors: NDArray[np.float32]) -> list[Against]:
    """entities, rising: whose vectors [len(entities), d] these are; at least `trial.entities()`."""

    def closeness(ones: Longs, others: Longs) -> Scores:
        return -distances(vectors[place(ones)], vectors[place(others)])

    def place(numbers: Longs) -> Longs:
        return np.searchsorted(entities, numbers)

    def product(ones: Longs, others: Longs) -> Scores:
        return trial.degrees[ones].astype(np.float64) * trial.degrees[others]

    return [against(trial, name, closeness, product) for name in NEGATIVES]


Score = Callable[[Longs, Longs], Scores]


def against(trial: Trial, name: Negatives, closeness: Score, product: Score) -> Against:
    replaced = trial.replacements[name]
    found = replaced >= 0
    kept, held, other = trial.pairs[found, 0], trial.pairs[found, 1], replaced[found]
    ours, theirs = (auc(score(kept, held), score(kept, other)) for score in (closeness, product))
    return Against(name, int(found.sum()), int((~found).sum()), ours, theirs)


def distances(ones: NDArray[np.float32], others: NDArray[np.float32]) -> Scores:
    """‖x̂_i - x̂_j‖ / 2 of rows of length 1, and 1/√2 where one is zero: between 0 and 1."""
    cosines = (ones.astype(np.float64) * others).sum(axis=1)
    return np.asarray(np.sqrt(np.clip((1 - cosines) / 2, 0, 1)))


def auc(held: Scores, replaced: Scores) -> Auc:
    """Score i of the one belongs to the same pair as score i of the other."""
    n = len(held)
    if n == 0:
        return Auc(None, None, None)
    above, below = placements(held, replaced), 1 - placements(replaced, held)
    value = float(above.mean())
    if n < 2:
        return Auc(value, None, None)
    spread = LEVEL * float(np.std(above + below, ddof=1)) / n**0.5
    return Auc(value, max(value - spread, 0.0), min(value + spread, 1.0))


def placements(scores: Scores, others: Scores) -> Scores:
    """The share of the others below each score, ties counting half."""
    order = np.sort(others)
    low, high = np.searchsorted(order, scores, "left"), np.searchsorted(order, scores, "right")
    return np.asarray((low + high) / (2 * len(order)))
