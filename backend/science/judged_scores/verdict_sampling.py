"""Which claims people verify: chosen where the judge is unsure, with known probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from backend.science.judged_scores.claims import MIN_PROPENSITY, BoolArray, FloatArray

Sampling = Literal["fixed_size", "poisson"]

POOL_RATE = 0.25
"""Verdicts per claim of a pool. With at least 0.05 for each claim, a fifth is left to chance."""


@dataclass(frozen=True)
class VerdictSample:
    """chosen: (n,), claims to verify. propensities: (n,), NaN for claims outside the pool."""

    chosen: BoolArray
    propensities: FloatArray


def judge_uncertainty(probabilities: npt.ArrayLike) -> FloatArray:
    """√(p (1 - p)): the standard deviation of a verdict if the judge is calibrated.

    Raises ValueError for values outside [0, 1]. A judge that gives 0 and 1 alone has none, and all
    its claims are chosen with equal probability.
    """
    values = np.asarray(probabilities, dtype=np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("probabilities lie between 0 and 1")
    return np.sqrt(values * (1 - values))


def verdict_propensities(scores: npt.ArrayLike, budget: int) -> FloatArray:
    """Propensities min(1, max(0.05, c s)) of scores (n,), c such that their sum is the budget.

    For the smallest variance s is the weight of a claim times the expected size of people - λ
    judge, such as `judge_uncertainty` (Neyman allocation). Claims of equal scores have equal
    propensities; scores that are all 0 count as equal. Where the claims with a score above 0 are
    too few for the budget, the others share the rest equally.

    Raises ValueError for scores that are negative or not finite, no claims, or a budget above n or
    below 0.05 n; a smaller budget needs a pool (`choose_claims`). Source: Zrnic and Candès, Active
    Statistical Inference (2024), section 3 and appendix on the choice of sampling rules.
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("propensities need a flat array of finite scores, at least 0")
    count = values.size
    if not MIN_PROPENSITY * count <= budget <= count:
        raise ValueError(f"a budget lies between {MIN_PROPENSITY} of the claims and all of them")
    largest = values.max()
    values = values / largest if largest > 0 else np.ones(count)
    # Scores below this have the propensity of 0, whatever the budget.
    positive = values > 1e-12
    values = np.where(positive, values, 0.0)
    certain = int(positive.sum())
    others = count - certain
    if budget >= certain + MIN_PROPENSITY * others:
        return np.where(positive, 1.0, (budget - certain) / max(others, 1))
    return _scaled(values, float(budget))


def choose_claims(
    scores: npt.ArrayLike, budget: int, *, seed: int, sampling: Sampling = "fixed_size"
) -> VerdictSample:
    """Claims to verify, and the propensity of each claim in the pool.

    With fewer verdicts than a quarter of the claims, the pool is a simple random sample of 4 budget
    claims, so that no propensity is below 0.05 of a large column; it changes all of them by the
    same factor, which the estimators divide by anyway. Otherwise all claims are the pool.

    fixed_size: exactly `budget` claims, by systematic sampling in random order, whose inclusion
    probabilities are the propensities; those of another budget share no more claims than chance.
    poisson: each claim independently, so that their number varies with standard deviation at most
    √budget. With the same seed and scores a larger budget contains the claims of a smaller one, and
    its propensities are those of all of them: so verdicts are added in rounds.

    The same arguments give the same claims. Raises what `verdict_propensities` raises, and
    ValueError for a budget below 1. Source: Madow, Annals of Mathematical Statistics 20 (1949);
    Hartley and Rao, Annals of Mathematical Statistics 33 (1962); rounds by permanent random
    numbers: Ohlsson, in Business Survey Methods (1995), chapter 9.
    """
    values = np.asarray(scores, dtype=np.float64)
    if budget < 1:
        raise ValueError("a budget is at least one verdict")
    rng = np.random.default_rng(seed)
    size = min(values.size, round(budget / POOL_RATE))
    pool = np.sort(rng.permutation(values.size)[:size])
    if sampling == "fixed_size":
        inside = verdict_propensities(values[pool], budget)
        hits = _systematic(inside, budget, rng)
    else:
        # Neither propensities nor random numbers depend on the pool, so larger budgets only add.
        rate = max(budget, math.ceil(POOL_RATE * values.size))
        inside = verdict_propensities(values, rate)[pool]
        hits = rng.random(values.size)[pool] < inside
    chosen, propensities = np.zeros(values.size, dtype=np.bool_), np.full(values.size, np.nan)
    chosen[pool], propensities[pool] = hits, inside
    return VerdictSample(chosen, propensities)


def _scaled(values: FloatArray, budget: float) -> FloatArray:
    """min(1, max(0.05, c values)) with sum `budget`: c exactly, from the claims at no bound."""
    # Σ is piecewise linear in c, with kinks where a claim reaches a bound.
    positive = values[values > 0]
    kinks = np.unique(np.concatenate([MIN_PROPENSITY / positive, 1.0 / positive]))
    low, high = 0, len(kinks) - 1
    while low < high:
        middle = (low + high) // 2
        if np.clip(kinks[middle] * values, MIN_PROPENSITY, 1.0).sum() >= budget:
            high = middle
        else:
            low = middle + 1
    # No claim changes sides between two kinks, so the middle shows who is at a bound.
    inside = (kinks[low - 1] + kinks[low]) / 2 * values if low else kinks[low] / 2 * values
    free = (inside > MIN_PROPENSITY) & (inside < 1)
    total = values[free].sum()
    rest = budget - np.clip(inside, MIN_PROPENSITY, 1.0)[~free].sum()
    scale = float(rest / total) if total > 0 else float(kinks[low])
    return np.asarray(np.clip(scale * values, MIN_PROPENSITY, 1.0))


def _systematic(propensities: FloatArray, budget: int, rng: np.random.Generator) -> BoolArray:
    order = rng.permutation(propensities.size)
    ends = np.cumsum(propensities[order])
    # The sum is the budget but for rounding, which would lose or add a claim at the end.
    ends = ends * (budget / ends[-1])
    ends[-1] = budget
    steps = np.floor(ends - rng.random()).astype(np.int64)
    hits = np.zeros(propensities.size, dtype=np.bool_)
    hits[order] = np.diff(steps, prepend=-1) > 0
    return hits
