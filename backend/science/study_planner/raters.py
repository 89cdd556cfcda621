"""Simulated raters of each kind of judgement. Axes of the arguments are broadcast."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

LIKERT_LIMITS = (1.5, 2.5, 3.5, 4.5)


def draw_rankings(
    log_worths: FloatArray, rng: np.random.Generator, *, pair_tie: float = 0.0
) -> FloatArray:
    """Mid-ranks (..., n) of one ranking for each row of log worths (..., n), 1 for the best.

    Davidson-Luce draws with ties of two, of parameter `pair_tie`: see `fit_davidson_luce`. Without
    ties they are Plackett-Luce draws, by sorting worths with Gumbel noise. A rater's consistency is
    a factor of the worths. Source: Yellott, Journal of Mathematical Psychology 15 (1977).
    """
    if pair_tie == 0:
        order = np.argsort(-(log_worths + rng.gumbel(size=log_worths.shape)), axis=-1)
        return np.asarray(np.argsort(order, axis=-1) + 1.0)
    rows = log_worths.reshape(-1, log_worths.shape[-1])
    return _draw_with_ties(rows, rng, pair_tie).reshape(log_worths.shape)


def draw_preferences(
    log_odds: FloatArray, rng: np.random.Generator, *, side_bias: float = 0.0, tie: float = 0.0
) -> IntArray:
    """1, 0 or -1 for each log odds of the first against the second: first, tie, second.

    Davidson's model: odds of exp(x/2) to `tie` to exp(-x/2). Each pair is shown with the first on a
    random side; x is the log odds plus `side_bias` if it is on the left, minus it otherwise.
    Source: Davidson, JASA 65 (1970); the order effect, Davidson and Beaver, Biometrics 33 (1977).
    """
    left = rng.choice([-1, 1], size=log_odds.shape)
    half = (log_odds + side_bias * left) / 2
    first, second = np.exp(half), np.exp(-half)
    drawn = rng.random(log_odds.shape) * (first + tie + second)
    return np.asarray(1 * (drawn < first) - 1 * (drawn >= first + tie), dtype=np.int64)


def draw_verdicts(
    truth: BoolArray, sensitivity: FloatArray, specificity: FloatArray, rng: np.random.Generator
) -> BoolArray:
    """True with the probability `sensitivity` where the truth is, else 1 - `specificity`."""
    chance = np.where(truth, sensitivity, 1 - specificity)
    return np.asarray(rng.random(chance.shape) < chance)


def draw_ratings(means: FloatArray, rng: np.random.Generator, *, noise: float) -> IntArray:
    """Ratings 1 to 5: the mean plus normal noise, rounded and cut to the scale."""
    return np.asarray(
        1 + np.searchsorted(LIKERT_LIMITS, means + rng.normal(scale=noise, size=means.shape)),
        dtype=np.int64,
    )


def vary_share(
    share: float, deviation: float, shape: tuple[int, ...], rng: np.random.Generator
) -> FloatArray:
    """Shares that differ by rater: logit-normal around the median `share`."""
    logit = np.log(share / (1 - share))
    return np.asarray(expit(logit + deviation * rng.normal(size=shape)), dtype=np.float64)


def _draw_with_ties(rows: FloatArray, rng: np.random.Generator, pair_tie: float) -> FloatArray:
    ranks, free = np.zeros(rows.shape), np.ones(rows.shape, dtype=np.bool_)
    better = np.zeros(len(rows))
    while len(left := np.flatnonzero(free.any(axis=1))):
        group = _draw_group(np.where(free[left], rows[left], -np.inf), rng, pair_tie)
        size = group.sum(axis=1)
        ranks[left] += group * (better[left] + (size + 1) / 2)[:, None]
        better[left] += size
        free[left] &= ~group
    return ranks


def _draw_group(logits: FloatArray, rng: np.random.Generator, pair_tie: float) -> BoolArray:
    """The next group of each row, of one or two; candidates at minus infinity are not free.

    A pair has the weight of √x of both: the first of it is drawn with √x (Σ√x - √x), the second in
    proportion to its √x.
    """
    roots = np.exp((logits - logits.max(axis=1, keepdims=True)) / 2)
    total = roots.sum(axis=1, keepdims=True)
    singles = np.sum(roots**2, axis=1)
    pairs = pair_tie * np.maximum(total[:, 0] ** 2 - singles, 0) / 2
    tied = rng.random(len(logits)) * (singles + pairs) >= singles
    tied &= np.isfinite(logits).sum(axis=1) > 1
    rows, group = np.arange(len(logits)), np.zeros(logits.shape, dtype=np.bool_)
    first = _pick(np.where(tied[:, None], roots * (total - roots), roots**2), rng)
    group[rows, first] = True
    roots[rows, first] = 0
    group[rows[tied], _pick(roots, rng)[tied]] = True
    return group


def _pick(weights: FloatArray, rng: np.random.Generator) -> IntArray:
    """An index of each row, in proportion to its weight: the first of competing exponentials."""
    return np.asarray(np.argmax(weights / rng.standard_exponential(weights.shape), axis=1))
