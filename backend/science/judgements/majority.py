"""Agreement of one more rater with the raters of a table: with their majority, or their median."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from backend.science.judgements.kappa import Weighting, cohen_kappa
from backend.science.judgements.tables import FloatArray, rating_array
from backend.science.judgements.two_way import DRAWS, ResampledStatistic, with_two_way_interval
from backend.science.optional_statistic import Reason, Statistic

Measure = Callable[[FloatArray, FloatArray], float]
"""Of two vectors (items,) without gaps, NaN where it is undefined."""


def most_frequent(labels: Iterable[str]) -> str | None:
    """None if there is no label, or if several are the most frequent."""
    counts = Counter(labels).most_common(2)
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


def majority(values: npt.ArrayLike) -> FloatArray:
    """The most frequent value of each item of a table (raters, items); NaN if none or several."""
    table = rating_array(values)
    levels = np.unique(table[~np.isnan(table)])
    result = np.full(table.shape[1], np.nan)
    if not levels.size:
        return result
    counts = (table[None] == levels[:, None, None]).sum(axis=1)
    most = counts.max(axis=0)
    has_one = (most > 0) & ((counts == most).sum(axis=0) == 1)
    result[has_one] = levels[counts.argmax(axis=0)[has_one]]
    return result


def median_grade(values: npt.ArrayLike) -> FloatArray:
    """The median of each item of a table (raters, items), NaN where nobody judged."""
    table = np.sort(rating_array(values), axis=0)
    if not table.shape[0]:
        return np.full(table.shape[1], np.nan)
    counts = (~np.isnan(table)).sum(axis=0)
    columns = np.arange(table.shape[1])
    low, high = np.maximum(counts - 1, 0) // 2, counts // 2
    return np.asarray((table[low, columns] + table[high, columns]) / 2)


def share_with_majority(
    values: npt.ArrayLike, judge: npt.ArrayLike, *, seed: int, draws: int = DRAWS
) -> ResampledStatistic:
    """Share of the items with a majority on which the judge (items,) has the same value.

    n: such items. Each draw takes the majority of the drawn raters. Undefined without an item
    (`no_overlap`). Interval: `with_two_way_interval`.
    """
    return _compare(values, judge, majority, _share, seed=seed, draws=draws)


def kappa_with_raters(
    values: npt.ArrayLike,
    judge: npt.ArrayLike,
    *,
    seed: int,
    weighting: Weighting = "identity",
    categories: Sequence[float] | None = None,
    draws: int = DRAWS,
) -> ResampledStatistic:
    """Cohen's kappa of the judge (items,) and the raters of a table (raters, items).

    With the raters' majority, or, weighted, with the median of their grades: list as `categories`
    what medians can be. Undefined: `no_overlap`, `one_category`. Each draw takes the majority or
    median of the drawn raters. Source: `cohen_kappa`; interval: `with_two_way_interval`.
    """

    def kappa(first: FloatArray, second: FloatArray) -> float:
        result = cohen_kappa(
            first, second, seed=0, weighting=weighting, categories=categories, draws=1
        )
        return float("nan") if result.value is None else result.value

    reference = majority if weighting == "identity" else median_grade
    return _compare(values, judge, reference, kappa, seed=seed, draws=draws)


def _share(first: FloatArray, second: FloatArray) -> float:
    return float(np.mean(first == second))


def _compare(
    values: npt.ArrayLike,
    judge: npt.ArrayLike,
    reference: Callable[[npt.ArrayLike], FloatArray],
    measure: Measure,
    *,
    seed: int,
    draws: int,
) -> ResampledStatistic:
    table, own = rating_array(values), np.asarray(judge, float)
    if own.shape != table.shape[1:]:
        raise ValueError("a judge has a value, or NaN, for each item of the table")

    def statistic(by_rater: FloatArray, by_item: FloatArray) -> float:
        other = reference(np.repeat(table, by_rater.astype(np.int64), axis=0))
        times = np.where(np.isnan(own) | np.isnan(other), 0, by_item).astype(np.int64)
        if not times.any():
            return float("nan")
        return measure(np.repeat(own, times), np.repeat(other, times))

    n = int((~np.isnan(own) & ~np.isnan(reference(table))).sum())
    value = statistic(*map(np.ones, table.shape))
    if np.isnan(value):
        reason: Reason = "one_category" if n else "no_overlap"
        return ResampledStatistic(None, n, reason, interval_reason=reason)
    return with_two_way_interval(
        Statistic(value, n), statistic, table.shape, seed=seed, draws=draws
    )
