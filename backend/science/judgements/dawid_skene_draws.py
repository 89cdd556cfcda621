"""Dawid and Skene's model fitted to many bootstrap draws of the same items at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.science.judgements.dawid_skene import MAX_ITERATIONS, SMOOTHING
from backend.science.judgements.tables import FloatArray

NUMBERS_AT_ONCE = 4_000_000  # posteriors in memory: 32 MB, and a few times that while it computes


def fit_draws(
    counts: npt.ArrayLike,
    weights: FloatArray,
    *,
    smoothing: float = SMOOTHING,
    tolerance: float,
) -> FloatArray:
    """Shares (draws, K) of the true categories: mean posteriors of the items of each draw.

    counts: (raters, items, K), where every item is judged; weights: (draws, items), how often each
    draw has each item, with at least one item in every draw. The result is that of
    `fit_dawid_skene` from the votes (`starts=1`), draw by draw: the same steps, and each draw stops
    by the same rule. All draws take a step together, which costs a seventh of their own fits.

    Raises ValueError unless smoothing is positive: without it a chance may be 0, and then only
    `fit_dawid_skene` separates what never occurred from what is impossible.
    """
    if smoothing <= 0:
        raise ValueError("draws need smoothing above 0")
    table = np.asarray(counts, dtype=np.float64)
    size = max(1, NUMBERS_AT_ONCE // (table.shape[1] * table.shape[2]))
    parts = [
        _Fits.of_votes(table, weights[first : first + size], smoothing).run(tolerance)
        for first in range(0, len(weights), size)
    ]
    return np.concatenate([np.empty((0, table.shape[2])), *parts])


@dataclass
class _Fits:
    """The draws that still change: posteriors (draws, K, items).

    judgements: (items, raters * K).
    """

    judgements: FloatArray
    weights: FloatArray
    posteriors: FloatArray
    smoothing: float

    @classmethod
    def of_votes(cls, counts: FloatArray, weights: FloatArray, smoothing: float) -> _Fits:
        raters, items, size = counts.shape
        votes = counts.sum(axis=0)
        shares = (votes / votes.sum(axis=1, keepdims=True)).T
        judgements = np.ascontiguousarray(counts.transpose(1, 0, 2).reshape(items, raters * size))
        return cls(judgements, weights, np.repeat(shares[None], len(weights), axis=0), smoothing)

    def run(self, tolerance: float) -> FloatArray:
        result = np.empty(self.posteriors.shape[:2])
        numbers = np.arange(len(result))
        before = np.full(len(result), -np.inf)
        shares = self._shares()
        for _ in range(MAX_ITERATIONS):
            objective = self._iterate(shares)
            result[numbers] = shares = self._shares()
            going = objective - before > tolerance * (1 + np.abs(objective))
            if not going.any():
                break
            if not going.all():
                self.weights, self.posteriors = self.weights[going], self.posteriors[going]
            numbers, before, shares = numbers[going], objective[going], shares[going]
        return result

    def _shares(self) -> FloatArray:
        """Mean posteriors of the items of each draw: (draws, K)."""
        sums = np.matmul(self.posteriors, self.weights[:, :, None])[:, :, 0]
        return np.asarray(sums / self.weights.sum(axis=1, keepdims=True))

    def _iterate(self, prior: FloatArray) -> FloatArray:
        """One M and one E step of every draw; their objectives."""
        draws, size, _ = self.posteriors.shape
        # A product for each draw: threads of the library for one large product wait for each other.
        expected = np.matmul(self.posteriors * self.weights[:, None], self.judgements)
        confusion = expected.reshape(draws, size, -1, size) + self.smoothing
        confusion /= confusion.sum(axis=3, keepdims=True)
        logs = np.log(confusion)
        joint = np.matmul(logs.reshape(draws, size, -1), self.judgements.T)
        with np.errstate(divide="ignore"):
            joint += np.log(prior)[:, :, None]
        highest = joint.max(axis=1)
        joint -= highest[:, None]
        np.exp(joint, out=joint)
        total = joint.sum(axis=1)
        joint /= total[:, None]
        self.posteriors = joint
        evidence = np.log(total) + highest
        penalty = self.smoothing * logs.sum(axis=(1, 2, 3))
        return np.asarray((evidence * self.weights).sum(axis=1) + penalty)
