"""Kappas, Gwet's coefficients and percent agreement, with gaps and weights of categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from backend.science.judgements.tables import Cells, FloatArray, rating_array, sum_by_place
from backend.science.judgements.two_way import (
    DRAWS,
    SHARE,
    Bounds,
    ResampledStatistic,
    with_two_way_interval,
)
from backend.science.optional_statistic import Reason, Statistic

Weighting = Literal["identity", "linear", "quadratic"]
Coefficient = Literal["percent", "fleiss", "conger", "gwet"]


@dataclass(frozen=True)
class _Marginals:
    """Shares of the categories, for each way to estimate the agreement by chance.

    by_item: mean over the items of each item's shares, (q,). by_rater: the shares of each rater,
    (raters, q); rater_weights: (raters,), 0 for one without a judgement.
    """

    by_item: FloatArray
    by_rater: FloatArray
    rater_weights: FloatArray


def chance_corrected_agreement(
    values: npt.ArrayLike,
    coefficient: Coefficient,
    *,
    seed: int,
    weighting: Weighting = "identity",
    categories: Sequence[float] | None = None,
    draws: int = DRAWS,
) -> ResampledStatistic:
    """(p_a - p_e) / (1 - p_e) of a table (raters, items) of categories, NaN for a gap.

    p_a: mean similarity of the pairs of raters of an item, averaged over items with at least two.
    Similarity of the categories at distance d of at most D: identity 1 or 0, linear 1 - d/D,
    quadratic 1 - (d/D)², where d is the difference of their values. p_e by coefficient, with π the
    mean over judged items of the shares of the categories:

    - percent: 0, so the coefficient is p_a.
    - fleiss: Σ_kl w_kl π_k π_l. Raters are interchangeable; the generalised kappa of Fleiss.
    - conger: mean over ordered pairs of different raters of Σ_kl w_kl p_gk p_hl, p_gk the shares of
      rater g; with two raters and no gap it is Cohen's kappa.
    - gwet: T / (q (q-1)) Σ_k π_k (1 - π_k), T the sum of the q² similarities. AC1 for identity, AC2
      otherwise. It depends on q, so list `categories` that did not occur.

    n is the number of items with two judgements. Undefined: `too_few_raters`, `no_overlap`,
    `one_category` (p_e = 1, or Gwet's q < 2), `outside_range` (see `coefficient_bounds`).
    With one category percent agreement is 1. In a draw
    of the interval a rater that is drawn twice is not paired with itself (see
    `krippendorff_alpha`).

    Raises ValueError for another shape, infinite values, or values that are not listed. Source:
    Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014), chapters 2 to 4; Fleiss,
    Psychological Bulletin 76 (1971); Conger, Psychological Bulletin 88 (1980); Gwet, British
    Journal of Mathematical and Statistical Psychology 61 (2008); interval: `with_two_way_interval`.
    """
    cells = Cells.of(values, categories)
    similarity = _similarities(cells.categories, weighting)

    def weighted(by_rater: FloatArray, by_item: FloatArray) -> float:
        return _weighted_agreement(cells, similarity, coefficient, by_rater, by_item)

    n = int((cells.item_totals(np.ones(cells.shape[0])) >= 2).sum())
    reason: Reason | None = None
    if len(np.unique(cells.rater)) < 2:
        reason = "too_few_raters"
    elif n == 0:
        reason = "no_overlap"
    value = np.nan if reason else weighted(*map(np.ones, cells.shape))
    if np.isnan(value):
        reason = reason or "one_category"
        return ResampledStatistic(None, n, reason, interval_reason=reason)
    bounds = coefficient_bounds(coefficient, similarity)
    return with_two_way_interval(
        Statistic(value, n), weighted, cells.shape, seed=seed, draws=draws, bounds=bounds
    )


def coefficient_bounds(coefficient: Coefficient, similarity: FloatArray) -> Bounds:
    """What the coefficient of a table without gaps can be.

    Kappas are 1 - D/E of the observed and expected disagreement, D at most 2 E. Gwet's p_e is
    at most T / q², so that the coefficient is at least -T / (q² - T): -1 or more for AC1, and less
    for AC2 of three categories or more.
    """
    if coefficient == "percent":
        return SHARE
    if coefficient != "gwet":
        return -1.0, 1.0
    total, cells = float(similarity.sum()), similarity.size
    return -total / (cells - total), 1.0


def cohen_kappa(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    seed: int,
    weighting: Weighting = "identity",
    categories: Sequence[float] | None = None,
    draws: int = DRAWS,
) -> ResampledStatistic:
    """Cohen's kappa of two raters over the items that both judged, vectors (items,).

    1 - Σ (1 - w_kl) o_kl / Σ (1 - w_kl) p_k q_l: o the shares of pairs of categories, p and q those
    of each rater. Weights, reasons and errors are those of `chance_corrected_agreement`; unlike its
    conger, items that one rater judged alone change nothing. The interval draws items for these
    two raters. Raises ValueError for vectors of unequal length. Source: Cohen, Educational and
    Psychological Measurement 20 (1960); weighted: Psychological Bulletin 70 (1968).
    """
    table = rating_array([np.asarray(first, float), np.asarray(second, float)])
    both = ~np.isnan(table).any(axis=0)
    if not both.any():
        judged = (~np.isnan(table)).any(axis=1).all()
        reason: Reason = "no_overlap" if judged else "too_few_raters"
        return ResampledStatistic(None, 0, reason, interval_reason=reason)
    return chance_corrected_agreement(
        table[:, both],
        "conger",
        seed=seed,
        weighting=weighting,
        categories=categories,
        draws=draws,
    )


def _similarities(categories: FloatArray, weighting: Weighting) -> FloatArray:
    if weighting == "identity" or len(categories) < 2:
        return np.eye(len(categories))
    distance = np.abs(categories[:, None] - categories[None, :]) / np.ptp(categories)
    return np.asarray(1 - (distance if weighting == "linear" else distance**2))


def _weighted_agreement(
    cells: Cells,
    similarity: FloatArray,
    coefficient: Coefficient,
    by_rater: FloatArray,
    by_item: FloatArray,
) -> float:
    counts, total = cells.item_counts(by_rater), cells.item_totals(by_rater)
    own_pairs = cells.item_totals(by_rater**2)
    pairs = total**2 - own_pairs
    paired = (pairs > 0) & (by_item > 0)
    if not paired.any():
        return float("nan")
    alike = ((counts @ similarity) * counts).sum(axis=1) - own_pairs
    agreement = float(np.average((alike[paired] / pairs[paired]), weights=by_item[paired]))
    if coefficient == "percent":
        return agreement
    judged = np.where(total > 0, by_item, 0.0)
    shares = counts / np.where(total > 0, total, 1.0)[:, None]
    marginals = _Marginals(judged @ shares / judged.sum(), *_rater_shares(cells, by_rater, by_item))
    chance = _chance_agreement(coefficient, similarity, marginals)
    return float("nan") if chance is None else float(beyond_chance(agreement, chance))


def beyond_chance(agreement: npt.ArrayLike, chance: npt.ArrayLike) -> FloatArray:
    """(p_a - p_e) / (1 - p_e) of arrays of one shape, NaN where p_e is 1."""
    observed, expected = np.asarray(agreement, float), np.asarray(chance, float)
    result = np.full(expected.shape, np.nan)
    # p_e is computed from shares that add up to 1 but for rounding.
    where = expected <= 1 - 1e-12
    np.divide(observed - expected, 1 - expected, out=result, where=where)
    return result


def _rater_shares(
    cells: Cells, by_rater: FloatArray, by_item: FloatArray
) -> tuple[FloatArray, FloatArray]:
    raters, count = cells.shape[0], len(cells.categories)
    places = cells.rater * count + cells.category
    sums = sum_by_place(places, by_item[cells.item], raters * count).reshape(raters, count)
    total = sums.sum(axis=1)
    shares = sums / np.where(total > 0, total, 1.0)[:, None]
    return shares, np.where(total > 0, by_rater, 0.0)


def _chance_agreement(
    coefficient: Coefficient, similarity: FloatArray, marginals: _Marginals
) -> float | None:
    """p_e; None where it is 0/0."""
    pi = marginals.by_item
    if coefficient == "fleiss":
        return float(pi @ similarity @ pi)
    if coefficient == "gwet":
        count = len(pi)
        if count < 2:
            return None
        return float(similarity.sum() * np.sum(pi * (1 - pi)) / (count * (count - 1)))
    weights, shares = marginals.rater_weights, marginals.by_rater
    pairs = float(weights.sum() ** 2 - np.sum(weights**2))
    if pairs == 0:
        return None
    own = float(weights**2 @ ((shares @ similarity) * shares).sum(axis=1))
    pooled = weights @ shares
    return (float(pooled @ similarity @ pooled) - own) / pairs
