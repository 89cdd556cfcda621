"""Intervals by resampling raters and items, of statistics that take weights of both."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.special import stdtrit

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.tables import FloatArray, rating_array
from backend.science.optional_statistic import Statistic

WeightedStatistic = Callable[[FloatArray, FloatArray], float]
"""From weights of raters (R,) and of items (N,) to a number, NaN where it is undefined."""

MIN_ITEMS = 5
MIN_RESAMPLED_RATERS = 3
MAX_DEGENERATE_SHARE = 0.5
MIN_PERCENTILE_CLUSTERS = 50
DRAWS = 1_000
LEVEL = 0.95
ROUNDING = 1e-9
Bounds = tuple[float, float]
"""The least and the greatest number that a coefficient can be."""
UNBOUNDED: Bounds = (-math.inf, math.inf)
SHARE: Bounds = (0.0, 1.0)


@dataclass(frozen=True)
class ResampledStatistic(Statistic):
    """A statistic with its interval from draws of raters and items.

    draws, degenerate_draws: draws taken, and those of them in which the number is undefined.
    deviation: standard deviation of the drawn values.
    raters_resampled: False if there are too few raters, so that the interval holds for these alone.
    """

    draws: int = 0
    degenerate_draws: int = 0
    deviation: float | None = None
    raters_resampled: bool = False


def with_two_way_interval(
    value: Statistic,
    statistic: WeightedStatistic,
    shape: tuple[int, int],
    *,
    seed: int,
    draws: int = DRAWS,
    bounds: Bounds = UNBOUNDED,
) -> ResampledStatistic:
    """The value with a 95% percentile interval by the pigeonhole bootstrap.

    Each draw takes R of the R raters and, independently, N of the N items with replacement; a
    judgement counts as often as its rater times as often as its item. Raters are crossed with
    items, so resampling only one of them would treat the other's effects as fixed. For a mean with
    rater, item and residual variances, the expected variance of the draws has the first two right
    but the residual one up to three times: conservative where residual noise dominates, and about
    nominal where raters or items do. With few raters it misses some of their variance, (R-1)/R.

    bounds: the range of the coefficient, to which the interval is cut. With gaps, agreement and
    chance come from different judgements, so that a value or a draw can be outside: such a value is
    not stated (`outside_range`).

    With fewer than 3 raters these are fixed and only items are drawn. A draw with an undefined
    statistic is degenerate: counted and left out. No interval: `too_few_items` (fewer than 5),
    `too_many_degenerate_draws` (more than half), or the value's own reason.

    Raises ValueError for fewer than one draw. Source: Owen, The pigeonhole bootstrap, Annals of
    Applied Statistics 1 (2007), theorems 1 to 3; McCullagh, Resampling and exchangeable arrays,
    Bernoulli 6 (2000).
    """
    if draws < 1:
        raise ValueError("a bootstrap needs at least one draw")
    raters, items = shape
    if value.value is not None and not _is_within(value.value, bounds):
        value = Statistic(None, value.n, "outside_range")
    base = as_resampled(value)
    if value.value is None or items < MIN_ITEMS:
        return replace(base, interval_reason=value.reason or "too_few_items")
    pairs = drawn_weights(shape, seed=seed, draws=draws)
    values = np.array([statistic(*weights) for weights in pairs])
    base = replace(base, draws=draws, raters_resampled=raters >= MIN_RESAMPLED_RATERS)
    return with_percentiles(base, values, bounds=bounds)


def with_percentiles(
    base: ResampledStatistic, values: FloatArray, *, bounds: Bounds = UNBOUNDED
) -> ResampledStatistic:
    """The statistic with the 2.5% and 97.5% quantiles of drawn values; NaN is a degenerate draw."""
    defined = values[~np.isnan(values)]
    result = replace(base, draws=values.size, degenerate_draws=values.size - defined.size)
    if result.degenerate_draws > MAX_DEGENERATE_SHARE * values.size:
        return replace(result, interval_reason="too_many_degenerate_draws")
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    result = replace(result, deviation=float(np.std(defined)))
    return within_bounds(result, float(low), float(high), bounds)


def within_bounds(
    result: ResampledStatistic, low: float, high: float, bounds: Bounds
) -> ResampledStatistic:
    """The statistic with this interval, cut to what the number can be."""
    return replace(result, low=max(low, bounds[0]), high=min(high, bounds[1]))


def _is_within(value: float, bounds: Bounds) -> bool:
    return bounds[0] - ROUNDING <= value <= bounds[1] + ROUNDING


def as_resampled(value: Statistic) -> ResampledStatistic:
    return ResampledStatistic(**{one.name: getattr(value, one.name) for one in fields(value)})


def drawn_weights(
    shape: tuple[int, int], *, seed: int, draws: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """How often each draw has each rater (R,) and each item (N,); the same seed, the same draws."""
    raters, items = shape
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        by_rater = np.ones(raters) if raters < MIN_RESAMPLED_RATERS else _counts(rng, raters)
        yield by_rater, _counts(rng, items)


def _counts(rng: np.random.Generator, size: int) -> FloatArray:
    return np.bincount(rng.integers(0, size, size), minlength=size).astype(np.float64)


def two_way_mean(
    values: FloatArray,
    *,
    seed: int,
    draws: int = DRAWS,
    bounded: bool = False,
    equal_items: bool = False,
) -> ResampledStatistic:
    """Mean of the judgements of a table (raters, items), with its two-way interval.

    n is the number of judgements; bounded: they lie between 0 and 1, as does the interval.
    equal_items: the mean over items of the means of their judgements, so that an item weighs as
    much as any other however many judgements it has; for designs that choose items by what was
    judged before. Undefined without any (`too_few_items`). The interval, of the draws of
    `with_two_way_interval`:

    - All judgements are 0, or all are 1, and bounded: Wilson's with as many trials as raters or
      items, whichever are fewer, since the draws show no variance.
    - At least 50 raters and items, or raters that are fixed: percentiles.
    - Otherwise value ± t s: s² the variance of the draws times (v_r R/(R-1) + v_i N/(N-1)) /
      (v_r + v_i), where v_r and v_i are the variances by raters and by items alone, and t Student's
      quantile with Satterthwaite's degrees of freedom. At 5 raters percentiles cover 84% where
      raters differ much.

    Raises what `rating_array` raises. Source: as there; Satterthwaite, Biometrics Bulletin 2
    (1946), for the degrees of freedom.
    """
    table = rating_array(values)
    # Raters and items without a judgement would only make draws smaller.
    table = table[~np.isnan(table).all(axis=1)]
    table = table[:, ~np.isnan(table).all(axis=0)]
    if table.size == 0:
        return ResampledStatistic(None, 0, "too_few_items", interval_reason="too_few_items")
    counted = (~np.isnan(table)).astype(np.float64)
    numbers = np.nan_to_num(table)

    def mean(by_rater: FloatArray, by_item: FloatArray) -> float:
        sums, totals = by_rater @ numbers, by_rater @ counted
        weights = by_item / np.maximum(totals, 1) * (totals > 0) if equal_items else by_item
        total = float(totals @ weights)
        return float(sums @ weights) / total if total else float("nan")

    shape = (table.shape[0], table.shape[1])
    value = mean(np.ones(shape[0]), np.ones(shape[1]))
    base = as_resampled(Statistic(value, int(counted.sum())))
    if bounded and value in (0.0, 1.0):
        low, high = wilson_interval(value * min(shape), min(shape))
        return replace(base, low=low, high=high)
    result = with_two_way_interval(base, mean, shape, seed=seed, draws=draws)
    few = result.raters_resampled and min(shape) < MIN_PERCENTILE_CLUSTERS
    if result.deviation is None or not few:
        return result
    residuals = numbers - value * counted
    if equal_items:
        residuals = residuals / counted.sum(axis=0)
    reach = result.deviation * student_factor(residuals, shape)
    return within_bounds(result, value - reach, value + reach, SHARE if bounded else UNBOUNDED)


def student_factor(residuals: FloatArray, shape: tuple[int, int]) -> float:
    """Student's quantile times the correction of the deviation for few raters or items."""
    sizes = np.array(shape, dtype=np.float64)
    variances = np.array([np.sum(residuals.sum(axis=axis) ** 2) for axis in (1, 0)])
    total = variances.sum()
    if total == 0:
        return 1.0
    freedom = total**2 / np.sum(variances**2 / (sizes - 1))
    correction = float(variances @ (sizes / (sizes - 1)) / total)
    return float(stdtrit(freedom, (1 + LEVEL) / 2)) * math.sqrt(correction)
