"""Means and differences of numbers about raters and items, with intervals over both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit, stdtrit

from backend.science.judgements.tables import BoolArray, FloatArray, IntArray
from backend.science.judgements.two_way import (
    DRAWS,
    LEVEL,
    MIN_ITEMS,
    MIN_RESAMPLED_RATERS,
    ResampledStatistic,
    WeightedStatistic,
    as_resampled,
    student_factor,
    with_two_way_interval,
)
from backend.science.optional_statistic import Statistic

Row = tuple[int, tuple[int, ...], float, float]
"""Item, the raters that the number is about, the number, and its weight."""


@dataclass(frozen=True)
class Observations:
    """items, values, weights: (n,). raters: arrays (n,), one if each number is about one rater, two
    if it is about a pair of them."""

    items: IntArray
    raters: tuple[IntArray, ...]
    values: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Observations:
        width = len(rows[0][1]) if rows else 1
        return cls(
            np.array([row[0] for row in rows], dtype=np.int64),
            tuple(np.array([row[1][k] for row in rows], dtype=np.int64) for k in range(width)),
            np.array([row[2] for row in rows], dtype=np.float64),
            np.array([row[3] for row in rows], dtype=np.float64),
        )

    def drawn(self, by_rater: FloatArray, by_item: FloatArray) -> FloatArray:
        """The weights (n,) in a draw; a rater that is drawn twice is no pair with itself."""
        result = self.weights * by_item[self.items]
        for raters in self.raters:
            result = result * by_rater[raters]
        return result

    def item_means(self, by_rater: FloatArray | BoolArray) -> FloatArray:
        """Of the items that have a number about raters with a weight."""
        weights = self.drawn(np.asarray(by_rater, dtype=np.float64), np.ones(self.items.max() + 1))
        totals = np.bincount(self.items, weights)
        sums = np.bincount(self.items, weights * self.values)
        used = totals > 0
        return np.asarray(sums[used] / totals[used])

    def mean(self, by_rater: FloatArray, by_item: FloatArray) -> float:
        weights = self.drawn(by_rater, by_item)
        total = float(weights.sum())
        return float(weights @ self.values) / total if total else float("nan")


def two_way_item_mean(
    rows: Sequence[Row], shape: tuple[int, int], *, bounds: tuple[float, float]
) -> ResampledStatistic:
    """Mean over items of their weighted means of numbers about pairs of raters, with its interval.

    shape: numbers of raters and items. bounds: of the numbers, and of the interval. n is the number
    of items with a number; without any it is undefined, `too_few_rankings`. The 95% interval is
    g⁻¹(g(value) ± t s), with g the logit between the bounds, s² = g'(value)² (v_r + v_i), v_r the
    jackknife's variance over the R raters and v_i that of the n means of items, and t Student's
    quantile with min(R, n) - 1 degrees of freedom: also where raters explain only a part of the
    variance, or it would be too short with three or four. Mean tau-b of rankings is covered with 95
    to 99% by 3 to 6 raters (`science.judgements.agreement_coverage`, which has W too). Fewer than 3
    raters are fixed. No interval: fewer than 5 items, numbers that are all the same
    (`one_category`), a rater without whom no number is left (`too_few_raters`).

    Source: Arvesen, Annals of Mathematical Statistics 40 (1969), for the jackknife of U-statistics
    and of functions of them.
    """
    data = Observations.of(rows)
    n = len(np.unique(data.items))
    if not n:
        lack = Statistic(None, 0, "too_few_rankings", interval_reason="too_few_rankings")
        return as_resampled(lack)
    means = data.item_means(np.ones(shape[0]))
    value = as_resampled(Statistic(float(means.mean()), n))
    if n < MIN_ITEMS:
        return replace(value, interval_reason="too_few_items")
    if np.ptp(data.values) == 0:
        return replace(value, interval_reason="one_category")
    raters = np.unique(np.concatenate(data.raters))
    variance, freedom = float(means.var(ddof=1)) / n, n - 1
    if is_resampled := len(raters) >= MIN_RESAMPLED_RATERS:
        without = [data.item_means(np.arange(shape[0]) != one) for one in raters]
        if not all(one.size for one in without):
            return replace(value, interval_reason="too_few_raters")
        left = np.array([one.mean() for one in without])
        variance += float(left.var()) * (len(raters) - 1)
        freedom = min(freedom, len(raters) - 1)
    result = replace(value, draws=len(raters) + n, raters_resampled=is_resampled)
    return _on_logits(result, math.sqrt(variance), freedom, bounds)


def _on_logits(
    result: ResampledStatistic, deviation: float, freedom: int, bounds: tuple[float, float]
) -> ResampledStatistic:
    low, high = bounds
    place = ((result.value or 0.0) - low) / (high - low)
    slope = 1 / (place * (1 - place) * (high - low))
    reach = float(stdtrit(freedom, (1 + LEVEL) / 2)) * slope * deviation
    ends = low + (high - low) * expit(logit(place) + np.array([-reach, reach]))
    return replace(result, low=float(ends[0]), high=float(ends[1]), deviation=deviation)


def two_way_contrast(
    first: Sequence[Row],
    second: Sequence[Row],
    shape: tuple[int, int],
    *,
    seed: int,
    draws: int = DRAWS,
) -> ResampledStatistic:
    """Weighted mean of the first rows minus that of the second, with its two-way interval.

    With inverse propensities as weights these are the means that all would have had under each of
    two arms (Hájek's estimator). n counts the rows of both; without any in one of them it is
    undefined, `too_few_items`. The interval is that of `with_two_way_interval`, which is
    conservative for numbers about pairs; for numbers about single raters, value ± t s with the
    factor of `two_way_mean` for few raters or items.

    Source: Hájek (1971), comment in Foundations of Statistical Inference; Särndal, Swensson and
    Wretman, Model Assisted Survey Sampling (1992), section 5.7.
    """
    one, other = Observations.of(first), Observations.of(second)
    n = len(first) + len(second)
    if not first or not second:
        lack = Statistic(None, n, "too_few_items", interval_reason="too_few_items")
        return as_resampled(lack)

    def difference(by_rater: FloatArray, by_item: FloatArray) -> float:
        return one.mean(by_rater, by_item) - other.mean(by_rater, by_item)

    ones = (np.ones(shape[0]), np.ones(shape[1]))
    value = Statistic(difference(*ones), n)
    items = np.concatenate([one.items, other.items])
    result = _with_interval(value, difference, items, shape, seed, draws)
    if len(one.raters) > 1:
        return result
    influence = np.zeros(shape)
    for data, sign in ((one, 1), (other, -1)):
        rest = sign * data.weights * (data.values - data.mean(*ones)) / data.weights.sum()
        influence += _influence(data, rest, shape)
    return _for_few_raters(result, influence)


def difference_of_intervals(
    first: ResampledStatistic, second: ResampledStatistic
) -> ResampledStatistic:
    """first - second, with an interval from those of both, whatever they are.

    low = d - √((v₁ - l₁)² + (u₂ - v₂)²), high = d + √((u₁ - v₁)² + (v₂ - l₂)²). It is for numbers
    of which one does not vary in the draws, so that those of the difference miss its part. They
    count as independent: conservative where the same raters are strict with both. n counts both.
    Undefined without one of the values; no interval without one of theirs, for its reason, or from
    one that is a single point (`one_category`).

    Source: Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10; Zou and Donner,
    Statistics in Medicine 27 (2008), for other parameters than shares.
    """
    both, n = (first, second), first.n + second.n
    if first.value is None or second.value is None:
        reason = first.reason or second.reason
        return as_resampled(Statistic(None, n, reason, interval_reason=reason))
    value = first.value - second.value
    if any(one.low is None or one.low == one.high for one in both):
        reasons = [one.interval_reason for one in both if one.interval_reason is not None]
        reason = reasons[0] if reasons else "one_category"
        return as_resampled(Statistic(value, n, interval_reason=reason))
    low = value - math.hypot(_reach(first)[0], _reach(second)[1])
    high = value + math.hypot(_reach(first)[1], _reach(second)[0])
    resampled = [one for one in both if one.draws]
    return replace(
        as_resampled(Statistic(value, n, low=low, high=high)),
        draws=max((one.draws for one in resampled), default=0),
        raters_resampled=all(one.raters_resampled for one in resampled),
    )


def _reach(one: ResampledStatistic) -> tuple[float, float]:
    """Of the interval below and above the value."""
    value = one.value or 0.0
    return value - (one.low or 0.0), (one.high or 0.0) - value


def _influence(data: Observations, rest: FloatArray, shape: tuple[int, int]) -> FloatArray:
    """Residuals (raters, items), those of a pair at both its raters."""
    result = np.zeros(shape)
    for raters in data.raters:
        np.add.at(result, (raters, data.items), rest)
    return result


def _for_few_raters(result: ResampledStatistic, influence: FloatArray) -> ResampledStatistic:
    """value ± t s; the percentiles where raters are fixed or influences are all 0."""
    if result.deviation is None or result.value is None or not result.raters_resampled:
        return result
    shape = (influence.shape[0], influence.shape[1])
    reach = result.deviation * student_factor(influence, shape)
    return replace(result, low=result.value - reach, high=result.value + reach)


def _with_interval(
    value: Statistic,
    statistic: WeightedStatistic,
    items: IntArray,
    shape: tuple[int, int],
    seed: int,
    draws: int,
) -> ResampledStatistic:
    """No interval from fewer than five items with a number, however many others there are."""
    if len(np.unique(items)) < MIN_ITEMS:
        return replace(as_resampled(value), interval_reason="too_few_items")
    return with_two_way_interval(value, statistic, shape, seed=seed, draws=draws)
