"""A metric's value with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.special import stdtrit

from backend.science.evaluation.cluster_sums import validated
from backend.science.evaluation.draws import BoardSums, ClusterDraws, drawn_values
from backend.science.evaluation.jackknife import standard_error
from backend.science.evaluation.metrics import FloatArray, Metric, Ratio, weighted_sum
from backend.science.evaluation.proportions import wilson_interval

Method = Literal["bootstrap", "jackknife", "wilson"]
MissingInterval = Literal["undefined", "too_few_clusters"]

LEVEL = 0.95
MIN_CLUSTERS = 5
MIN_BOOTSTRAP_CLUSTERS = 50
CHUNK_VALUES = 2**24  # drawn values in memory at once: 128 MiB


@dataclass(frozen=True)
class Estimate:
    """A value and its 95% interval.

    items: items behind the value, those without a prediction too.
    clusters: clusters that contribute to the value; of a precision those with a predicted link.
    low, high, method: None where there is no interval, and then `reason` is set: `undefined` (the
    value is 0/0 and stands at the metric's worst), `too_few_clusters` (fewer than MIN_CLUSTERS).
    """

    value: float
    low: float | None
    high: float | None
    items: int
    clusters: int
    method: Method | None
    reason: MissingInterval | None = None

    @property
    def approximate(self) -> bool:
        return self.method == "jackknife"


def estimate_metrics(
    sums: FloatArray, items: Sequence[int], metrics: Sequence[Metric], draws: ClusterDraws
) -> list[list[Estimate]]:
    """Estimates [row][metric] of cluster sums (rows, C, k), rows being entries or slices.

    items: number of items of each row. The method, by the G clusters that contribute:

    - G < 5: none.
    - A bounded metric with value 0 or 1: Wilson with G trials, since the clusters show no variance;
      with items that agree inside clusters it is too wide rather than too narrow. Likewise for a
      `Ratio` of 0/1 items each a cluster of its own, with its items as trials.
    - G < 50: value ± t_(G-1, 0.975) times the jackknife standard error, clipped to 0 and 1 if
      bounded; approximate. At 5 clusters the percentile interval covers 84% only.
    - Otherwise: 2.5% and 97.5% quantiles (linear interpolation) of the metric over `draws`.

    Clusters that are all alike at another value than 0 or 1 give an interval of no width. Takes
    128 MiB and one block of draws beside the input. Raises ValueError for draws of another number
    of clusters, another number of rows than of items, sums that are not finite.
    Source: Efron and Tibshirani (1993), chapters 11 and 13; Field and Welsh, JRSS B 69 (2007) for
    the cluster bootstrap.
    """
    if sums.ndim != 3 or (len(sums), draws.clusters) != (len(items), sums.shape[1]):
        raise ValueError("estimates need a number of items for each row, and draws of its clusters")
    result = []
    for row, count in zip(sums, items, strict=True):
        grid = validated(row, axes=2)
        result.append([_estimate(grid, count, metric) for metric in metrics])
    waiting = [row for row in range(len(sums)) if any(map(_lacks_bounds, result[row]))]
    size = max(1, CHUNK_VALUES // (max(1, len(metrics)) * draws.draws))
    for start in range(0, len(waiting), size):
        chunk = waiting[start : start + size]
        values = drawn_values(BoardSums.of(sums[chunk]), metrics, draws)
        bounds = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=2)
        for row, limits in zip(chunk, bounds.T.tolist(), strict=True):  # (rows, metrics, 2)
            result[row] = [
                replace(one, low=low, high=high) if _lacks_bounds(one) else one
                for one, (low, high) in zip(result[row], limits, strict=True)
            ]
    return result


def _lacks_bounds(estimate: Estimate) -> bool:
    return estimate.method == "bootstrap" and estimate.low is None


def _estimate(sums: FloatArray, items: int, metric: Metric) -> Estimate:
    """The estimate of cluster sums (C, k), without bounds if they need the bootstrap."""
    value, clusters = float(metric(sums.sum(axis=0))), int(metric.contributes(sums).sum())
    if clusters < MIN_CLUSTERS:
        reason: MissingInterval = "too_few_clusters" if clusters else "undefined"
        return Estimate(value, None, None, items, clusters, None, reason)
    trials = _trials(sums, value, clusters, metric)
    if trials:
        low, high = wilson_interval(value * trials, trials, LEVEL)
        return Estimate(value, low, high, items, clusters, "wilson")
    if clusters >= MIN_BOOTSTRAP_CLUSTERS:
        return Estimate(value, None, None, items, clusters, "bootstrap")
    reach = float(stdtrit(clusters - 1, (1 + LEVEL) / 2)) * standard_error(sums, metric)
    low, high = value - reach, value + reach
    if metric.bounded:
        low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(value, low, high, items, clusters, "jackknife")


def _trials(sums: FloatArray, value: float, clusters: int, metric: Metric) -> int:
    """Trials of Wilson's interval; 0 where it does not apply."""
    if not metric.bounded:
        return 0
    if isinstance(metric, Ratio):
        top = weighted_sum(sums, metric.numerator)
        bottom = weighted_sum(sums, metric.denominator)
        if np.isin(bottom, (0, 1)).all() and ((top == 0) | (top == bottom)).all():
            return int(bottom.sum())
    return clusters if value in (0.0, 1.0) else 0
