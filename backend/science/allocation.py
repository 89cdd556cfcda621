"""Which item is judged next: by expected information, with a part left to chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import psi

FloatArray = npt.NDArray[np.float64]

MIN_RANDOM_SHARE = 0.2
EQUAL_SCORES = 1e-12


@dataclass(frozen=True)
class Allocation:
    """An allocated item, by its index.

    propensity: its probability, before anything was drawn. random: whether it was drawn with equal
    probabilities; reliability and agreement are computed from these allocations alone.
    """

    index: int
    propensity: float
    random: bool


def information_gain(counts: npt.ArrayLike, *, prior: float = 0.5) -> FloatArray:
    """Expected information in nats of one more judgement of each item, (items,).

    counts: (items, choices), judgements so far. With a Dirichlet posterior of the shares of
    choices, a_c = counts + prior and A = sum a_c, the mutual information of the next judgement and
    the shares is

        H(a / A) - sum_c (a_c / A) (psi(A + 1) - psi(a_c + 1))

    It falls with the number of judgements, and rises with disagreement. Raises ValueError for
    negative counts, a prior that is not positive, or fewer than two choices. Source: Lindley,
    Annals of Mathematical Statistics 27 (1956); for the Dirichlet, Minka (2000).
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2 or (table < 0).any() or not prior > 0:
        raise ValueError("counts are (items, choices), at least 0, and the prior is positive")
    alphas = table + prior
    totals = alphas.sum(axis=1, keepdims=True)
    shares = alphas / totals
    gain = shares * (psi(alphas + 1) - psi(totals + 1) - np.log(shares))
    return np.asarray(np.maximum(gain.sum(axis=1), 0.0))


def allocate_item(
    scores: npt.ArrayLike, rng: np.random.Generator, *, random_share: float = MIN_RANDOM_SHARE
) -> Allocation:
    """An item with the best score, or with probability `random_share` any of them.

    Items with equal best scores have equal probabilities. Raises ValueError for no items, scores
    that are not finite, or a random share below 0.2 or above 1: adaptive designs without one report
    reliability of 0.7 to 0.9 on coin tosses (Bramley, Cambridge Assessment, 2015).
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise ValueError("an allocation needs a flat array of finite scores, one for each item")
    if not MIN_RANDOM_SHARE <= random_share <= 1:
        raise ValueError(f"the random share lies between {MIN_RANDOM_SHARE} and 1")
    best = values >= values.max() - EQUAL_SCORES
    propensities = random_share / len(values) + (1 - random_share) * best / best.sum()
    random = bool(rng.random() < random_share)
    index = int(rng.integers(len(values)) if random else rng.choice(np.flatnonzero(best)))
    return Allocation(index, float(propensities[index]), random)
