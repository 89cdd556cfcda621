"""Intervals and rank sets of Bradley-Terry strengths, clustered by rater and item."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, stdtrit

from backend.science.evaluation.rank_sets import RankSets, rank_sets_of_draws
from backend.science.judgements.bradley_terry import (
    RIDGE,
    BradleyTerry,
    Comparisons,
    bradley_terry_derivatives,
    fit_bradley_terry,
)
from backend.science.judgements.tables import FloatArray, IntArray
from backend.science.judgements.two_way import DRAWS, LEVEL
from backend.science.optional_statistic import Reason, Statistic

MIN_CLUSTERS = 5
RELATIVE_ERROR = 1e-9


@dataclass(frozen=True)
class ModelBoard:
    """Arms ranked by raters' choices.

    strengths: of each arm, on the logit scale, n its comparisons. side: log-odds of left over right
    at equal strengths. left_share: the same as a share of decided pairs, 0.5 without a position
    bias. rank_sets: best and worst rank of each arm, all at once; None where no comparisons link
    all arms.
    """

    fit: BradleyTerry
    strengths: tuple[Statistic, ...]
    side: Statistic
    left_share: Statistic
    rank_sets: RankSets | None


def board_of_arms(
    comparisons: Comparisons, *, seed: int, draws: int = DRAWS, ridge: float = RIDGE
) -> ModelBoard:
    """Fit, with 95% intervals and rank sets over raters, and over items where they are known.

    Intervals: estimate ± t_(G-1, 0.975) times the sandwich standard error, from H⁻¹ (Σ_g s_g s_gᵀ)
    H⁻¹ G/(G-1), H the information with the ridge and s_g the summed scores of one of G raters; that
    of left_share is transformed. With items, the variance is that over raters plus that over items
    less that over what they share, at least the larger of the first two, and G the smaller number.
    Fewer than 5 raters or items, or arms that no comparison links, have none (`too_few_raters`,
    `too_few_items`, `no_overlap`).

    Rank sets: `rank_sets_of_draws` on normal draws with the covariance of `strength_covariance`.
    Raises what `fit_bradley_terry` raises, and ValueError for fewer than one draw.
    Source: Liang and Zeger, Biometrika 73 (1986), for the sandwich; Cameron, Gelbach and Miller,
    Journal of Business & Economic Statistics 29 (2011), for that of two ways; Cameron and Miller,
    Journal of Human Resources 50 (2015), section VI for G/(G-1) and t; rank sets as in
    `evaluation.rank_sets`.
    """
    if draws < 1:
        raise ValueError("a bootstrap needs at least one draw")
    fit = fit_bradley_terry(comparisons, ridge=ridge)
    reason = _lack(comparisons, fit)
    reach = _reach(comparisons, fit, ridge) if reason is None else None
    judged = np.bincount(
        np.concatenate([comparisons.left, comparisons.right]), minlength=comparisons.arms
    )
    values = [*fit.strengths.tolist(), fit.side]
    sizes = [*judged.tolist(), len(comparisons.left)]
    statistics = [
        _statistic(value, n, None if reach is None else float(reach[index]), reason)
        for index, (value, n) in enumerate(zip(values, sizes, strict=True))
    ]
    ranked: RankSets | None = None
    if fit.components == 1:
        spread = strength_covariance(comparisons, fit, ridge=ridge)
        noise = np.random.default_rng(seed).normal(size=(comparisons.arms, draws))
        drawn = fit.strengths[:, None] + spread_root(spread) @ noise
        ranked = rank_sets_of_draws(fit.strengths, drawn, min(_sizes(comparisons)))
    left_share = _left_share(statistics[-1])
    return ModelBoard(fit, tuple(statistics[:-1]), statistics[-1], left_share, ranked)


def strength_covariance(
    comparisons: Comparisons, fit: BradleyTerry, *, ridge: float = RIDGE
) -> FloatArray:
    """Sandwich covariance (arms, arms) of the strengths, over raters and, where known, items.

    V = V_rater + V_item - V_both, each Σ_g z_g z_gᵀ of the summed influences z = H⁻¹ s of a
    cluster, and V_both that of a rater's answers to an item. V may be too small by chance in some
    direction, even negative: along each it becomes at least V_both, the variance of independent
    answers, by the eigenvalues of V in the metric of V_both. Without the G/(G-1) that
    `rank_sets_of_draws` has. Source: as `board_of_arms`.
    """
    scores, information = bradley_terry_derivatives(comparisons, fit, ridge=ridge)
    influence = np.asarray(np.linalg.solve(information, scores.T).T[:, : comparisons.arms])
    clusters = _clusters(comparisons)
    total = sum((_crossproduct(influence, one) for one in clusters), np.zeros(()))
    both = influence.T @ influence
    if len(clusters) > 1:
        both = _crossproduct(influence, _crossed(clusters))
        total = total - both
    values, vectors = np.linalg.eigh(both)
    used = values > RELATIVE_ERROR * values.max()
    basis, scale = vectors[:, used], np.sqrt(values[used])
    factors, turned = np.linalg.eigh((basis / scale).T @ total @ (basis / scale))
    axes = basis * scale @ turned
    return np.asarray(axes * np.maximum(factors, 1.0) @ axes.T)


def spread_root(covariance: FloatArray) -> FloatArray:
    """A matrix whose product with its transpose is the covariance."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _crossproduct(influence: FloatArray, cluster: IntArray) -> FloatArray:
    sums = np.zeros((int(cluster.max()) + 1, influence.shape[1]))
    np.add.at(sums, cluster, influence)
    return np.asarray(sums.T @ sums)


def _crossed(clusters: Sequence[IntArray]) -> IntArray:
    return np.unique(np.stack(clusters), axis=1, return_inverse=True)[1].ravel()


def _clusters(comparisons: Comparisons) -> list[IntArray]:
    """The rater of each row and, where it is known, the item; numbers without a gap."""
    columns = [comparisons.rater, comparisons.item]
    return [np.unique(one, return_inverse=True)[1] for one in columns if one is not None]


def _sizes(comparisons: Comparisons) -> list[int]:
    return [int(one.max()) + 1 for one in _clusters(comparisons)]


def _lack(comparisons: Comparisons, fit: BradleyTerry) -> Reason | None:
    """Why the strengths have no interval."""
    raters, *items = _sizes(comparisons)
    if raters < MIN_CLUSTERS:
        return "too_few_raters"
    if items and items[0] < MIN_CLUSTERS:
        return "too_few_items"
    return "no_overlap" if fit.components > 1 else None


def _reach(comparisons: Comparisons, fit: BradleyTerry, ridge: float) -> FloatArray:
    """Half widths of the intervals of the strengths and the side: (arms + 1,)."""
    scores, information = bradley_terry_derivatives(comparisons, fit, ridge=ridge)
    clusters = _clusters(comparisons)
    single = [_variances(scores, information, one) for one in clusters]
    variances = single[0]
    if len(single) > 1:
        both = sum(single) - _variances(scores, information, _crossed(clusters))
        variances = np.maximum(both, np.maximum(*single))
    quantile = float(stdtrit(min(_sizes(comparisons)) - 1, (1 + LEVEL) / 2))
    return np.asarray(quantile * np.sqrt(variances[: comparisons.arms + 1]))


def _variances(scores: FloatArray, information: FloatArray, cluster: IntArray) -> FloatArray:
    count = int(cluster.max()) + 1
    sums = np.zeros((count, scores.shape[1]))
    np.add.at(sums, cluster, scores)
    spread = np.linalg.solve(information, sums.T)
    return np.asarray((spread**2).sum(axis=1) * count / (count - 1))


def _statistic(value: float, n: int, reach: float | None, reason: Reason | None) -> Statistic:
    if reach is None or not math.isfinite(reach):
        return Statistic(value, n, interval_reason=reason)
    return Statistic(value, n, low=value - reach, high=value + reach)


def _left_share(side: Statistic) -> Statistic:
    if side.value is None or side.low is None or side.high is None:
        share = None if side.value is None else float(expit(side.value))
        return Statistic(share, side.n, interval_reason=side.interval_reason)
    low, value, high = expit([side.low, side.value, side.high]).tolist()
    return Statistic(value, side.n, low=low, high=high)
