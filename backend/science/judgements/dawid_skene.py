"""Dawid and Skene's model of raters with errors: true categories, confusion matrices, abilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from backend.science.judgements.tables import FloatArray, IntArray

SMOOTHING = 0.01
STARTS = 5
MAX_ITERATIONS = 1_000
TOLERANCE = 1e-10


@dataclass(frozen=True)
class DawidSkene:
    """A fit with K categories.

    prior: (K,) shares of the true categories. confusion: (raters, K, K), the chance that a rater
    gives category l for true category k at [rater, k, l]. posteriors: (items, K).
    log_likelihood: of the judgements, and objective: with the smoothing, after each iteration of
    the best start. start: its number, 0 is the votes. converged: whether the last iteration changed
    the objective by no more than the tolerance relative to it.
    """

    prior: FloatArray
    confusion: FloatArray
    posteriors: FloatArray
    log_likelihood: float
    objective: tuple[float, ...]
    start: int
    converged: bool

    @property
    def labels(self) -> IntArray:
        """The most likely category of each item, the first of equal ones."""
        return np.asarray(self.posteriors.argmax(axis=1), dtype=np.int64)

    @property
    def accuracy(self) -> FloatArray:
        """Chance (raters,) that a rater is right on a random item: Σ_k prior_k confusion_kk."""
        return np.asarray(np.diagonal(self.confusion, axis1=1, axis2=2) @ self.prior)


def fit_dawid_skene(
    counts: npt.ArrayLike,
    *,
    seed: int,
    starts: int = STARTS,
    smoothing: float = SMOOTHING,
    tolerance: float = TOLERANCE,
) -> DawidSkene:
    """Fit by EM from counts (raters, items, K); a gap is a row of zeros, repeats count as given.

    Given its true category k, with chance prior_k, an item's judgements are independent and rater r
    gives l with chance confusion_rkl. E step: posteriors of the items by Bayes; an item without a
    judgement has the prior. M step: prior_k the mean posterior of judged items, confusion_rkl
    proportional to the expected count plus `smoothing`, which is the mode under a Dirichlet prior
    with parameters 1 + smoothing: a rater who never met a category has even chances, and no chance
    is 0. Each iteration increases log-likelihood + smoothing Σ log confusion; with smoothing 0 the
    log-likelihood, and this is Dawid and Skene's own fit.

    The likelihood has several modes. Start 0 has the shares of votes as posteriors, the others
    their mean with random ones from `seed`; the best objective wins, the earliest of equal ones.
    Relabelled modes, where most raters are wrong more often than right, are not looked for.

    Raises ValueError for another number of axes, counts that are negative or not finite, no
    judgement, negative smoothing, or no start. Takes raters * items * K * 16 bytes. Source: Dawid
    and Skene, Applied Statistics 28 (1979).
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 3 or not np.isfinite(table).all() or (table < 0).any() or not table.any():
        raise ValueError("counts are (raters, items, categories), at least 0, and not all 0")
    if smoothing < 0 or starts < 1:
        raise ValueError("a fit needs a start, and smoothing of at least 0")
    rng = np.random.default_rng(seed)
    best: DawidSkene | None = None
    for start in range(starts):
        fit = _fit_from(table, _start(table, rng, start), smoothing, start, tolerance)
        if best is None or fit.objective[-1] > best.objective[-1] + TOLERANCE:
            best = fit
    if best is None:
        raise ValueError("a fit needs a start")
    return best


def _start(counts: FloatArray, rng: np.random.Generator, number: int) -> FloatArray:
    votes = counts.sum(axis=0)
    total = votes.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, votes / np.where(total > 0, total, 1), 1 / votes.shape[1])
    if number == 0:
        return np.asarray(shares)
    return np.asarray((shares + rng.dirichlet(np.ones(votes.shape[1]), len(votes))) / 2)


def _fit_from(
    counts: FloatArray, posteriors: FloatArray, smoothing: float, start: int, tolerance: float
) -> DawidSkene:
    judged = counts.any(axis=(0, 2))
    objective: list[float] = []
    converged = False
    while len(objective) < MAX_ITERATIONS and not converged:
        prior = posteriors[judged].mean(axis=0)
        confusion = _confusion(counts, posteriors, smoothing)
        posteriors, likelihood = _posteriors(counts, prior, confusion)
        penalty = smoothing * float(np.log(confusion).sum()) if smoothing else 0.0
        objective.append(likelihood + penalty)
        if len(objective) > 1:
            change = objective[-1] - objective[-2]
            converged = change <= tolerance * (1 + abs(objective[-1]))
    return DawidSkene(prior, confusion, posteriors, likelihood, tuple(objective), start, converged)


def _confusion(counts: FloatArray, posteriors: FloatArray, smoothing: float) -> FloatArray:
    expected = np.einsum("ik,ril->rkl", posteriors, counts, optimize=True) + smoothing
    total = expected.sum(axis=2, keepdims=True)
    even = np.full_like(expected, 1 / expected.shape[2])
    return np.asarray(np.divide(expected, total, out=even, where=total > 0))


def _posteriors(
    counts: FloatArray, prior: FloatArray, confusion: FloatArray
) -> tuple[FloatArray, float]:
    """Posteriors (items, K) and the log-likelihood."""
    with np.errstate(divide="ignore"):
        logs, log_prior = np.log(confusion), np.log(prior)
    # A chance of 0 counts only where it occurred: 0 times minus infinity is no evidence.
    impossible = np.einsum("ril,rkl->ik", counts, np.isneginf(logs).astype(float), optimize=True)
    finite = np.where(np.isneginf(logs), 0.0, logs)
    joint = np.einsum("ril,rkl->ik", counts, finite, optimize=True) + log_prior
    joint[impossible > 0] = -np.inf
    evidence = logsumexp(joint, axis=1)
    return np.asarray(np.exp(joint - evidence[:, None])), float(evidence.sum())
