"""The order of judging pooled answers: verdicts that bring the board nearest to the final one.

Entries have the values v now; a true verdict on answer i changes them by the gains g_i, and comes
with the chance p_i. Once all is judged, the difference of two entries is D with the mean
m = Δ(v + Σ p g) and the variance s² = Σ p (1 - p) Δg². Once a set S is judged, the board shows B,
with the mean b = Δ(v + Σ_S p g) and the variance t² = Σ_S p (1 - p) Δg², which is also the
covariance of B and D. Taken as normal, the board has the pair as it ends with the chance

    C = Φ₂(b / t, m / s; t / s) + Φ₂(-b / t, -m / s; t / s)

and one more verdict has the expected effect p Σ Δg ∂C/∂b + p (1 - p) Σ Δg² ∂C/∂t² over the pairs:
it moves the board to what the answer is expected to show, and separates entries that are level.
Pairs that no answer separates add nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from backend.science.answer_pools import AnswerPool, BoolArray, FloatArray, IntArray, depth_order

LOOKAHEAD = 300  # verdicts that follow: a study's
BLOCK, GROWTH = 5, 8  # answers whose effects are not computed anew: 5, later 1 in 8 of those before
LARGEST_SHARE = 0.5
LEAST_VARIANCE = 1e-12  # of the difference of two entries, as a share of their own


@dataclass(frozen=True)
class JudgingOrder:
    """order: (P,) places in the pool, the first to judge first. effects: (P,) by place, the
    expected change of the number of pairs of entries that stand as they end, once the answers of
    the blocks before are judged, at least zero and at least that of every answer after it."""

    order: IntArray
    effects: FloatArray


def order_judging(
    pool: AnswerPool, gains: FloatArray, chances: FloatArray, values: FloatArray
) -> JudgingOrder:
    """Largest effect first, in blocks; of equal ones the best rank, then that which more entries
    have, then the order of the pool.

    gains: (P, E) change of the metric of each entry if the answer is true, all else unjudged.
    chances: (P,) of the answers to be true. values: (E,) the metric with the labels of now.
    """
    ranked = depth_order(pool)
    forecast = BoardForecast.of(gains[ranked], chances[ranked], values)
    places, expected = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    is_judged = np.zeros(len(ranked), dtype=np.bool_)
    while not is_judged.all():
        now = np.maximum(forecast.effects(is_judged), 0.0)  # no answer is withheld from judging
        left = np.flatnonzero(~is_judged)
        size = max(BLOCK, (len(ranked) - len(left)) // GROWTH)
        block = left[np.argsort(-now[left], kind="stable")[:size]]
        is_judged[block] = True
        places.append(ranked[block])
        expected.append(now[block])
    order = np.concatenate(places)
    effects = np.zeros(len(order))
    effects[order] = np.maximum.accumulate(np.concatenate(expected)[::-1])[::-1]
    return JudgingOrder(order, effects)


@dataclass(frozen=True)
class BoardForecast:
    """means, variances: (E, E) of the differences of entries once all is judged."""

    gains: FloatArray
    chances: FloatArray
    values: FloatArray
    means: FloatArray
    variances: FloatArray

    @classmethod
    def of(cls, gains: FloatArray, chances: FloatArray, values: FloatArray) -> BoardForecast:
        means = _differences(values + chances @ gains)
        variances = _spreads(gains, chances * (1 - chances))
        return cls(gains, chances, values, means, variances)

    def effects(self, is_judged: BoolArray) -> FloatArray:
        """(P,) of one verdict, with a share of all other answers judged as well: the verdicts that
        follow. Without them the board would show no difference but that of now."""
        left = max(int((~is_judged).sum()), 1)
        weights = np.where(is_judged, 1.0, min(LOOKAHEAD / left, LARGEST_SHARE))
        by_mean, by_variance = self._slopes(weights)
        spread = self.chances * (1 - self.chances)
        linear = self.gains @ by_mean.sum(axis=1)
        squares = self.gains @ (np.diag(by_variance.sum(axis=1)) - by_variance)
        effects: FloatArray = self.chances * linear
        effects += spread * np.einsum("pe,pe->p", squares, self.gains)
        return effects

    def _slopes(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """∂C/∂b, which changes its sign with the order of the pair, and ∂C/∂t², both (E, E)."""
        is_open = self.variances > 0
        s = np.sqrt(np.where(is_open, self.variances, 1.0))
        shown = _spreads(self.gains, self.chances * (1 - self.chances) * weights)
        rho = np.sqrt(np.clip(shown / s**2, 1e-9, 1 - 1e-9))
        t, rest = rho * s, np.sqrt(1 - rho**2)
        b = _differences(self.values + (self.chances * weights) @ self.gains)
        h, k = b / t, self.means / s
        density = np.exp(-(h**2) / 2) / np.sqrt(2 * np.pi)
        joint = np.exp(-(h**2 - 2 * rho * h * k + k**2) / (2 * rest**2)) / (2 * np.pi * rest)
        by_h = density * (2 * ndtr((k - rho * h) / rest) - 1)
        by_variance = joint / (t * s) - by_h * b / (2 * t**3)
        return np.where(is_open, by_h / t, 0.0), np.where(is_open, by_variance, 0.0)


def _differences(values: FloatArray) -> FloatArray:
    return values[:, None] - values[None, :]


def _spreads(gains: FloatArray, weights: FloatArray) -> FloatArray:
    """(E, E) Σ w (g_a - g_b)², zero where it may be rounding."""
    products = (gains * weights[:, None]).T @ gains
    own = np.diag(products)
    sums = own[:, None] + own[None, :]
    spreads = sums - 2 * products
    cut: FloatArray = np.where(spreads > LEAST_VARIANCE * sums, spreads, 0.0)
    return cut
