"""Krippendorff's alpha, with gaps."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from backend.science.judgements.tables import Cells, FloatArray, IntArray, sum_by_place
from backend.science.judgements.two_way import DRAWS, ResampledStatistic, with_two_way_interval
from backend.science.optional_statistic import Reason, Statistic

AlphaLevel = Literal["nominal", "ordinal", "interval", "ratio"]


def krippendorff_alpha(
    values: npt.ArrayLike, *, level: AlphaLevel, seed: int, draws: int = DRAWS
) -> ResampledStatistic:
    """Alpha of a table (raters, items), NaN for a gap, with its two-way interval.

    alpha = 1 - D_o / D_e. D_o averages the squared distance of the judgements of each item over its
    pairs of different raters, items weighted by their judgements; D_e averages it over all pairs of
    judgements that are paired in some item. Distances of categories k and l: nominal 1; ordinal
    (judgements from k to l, those of k and of l halved); interval k - l; ratio (k - l) / (k + l),
    and 0 for 0 and 0. Ties are equal categories, distance 0. 1 is agreement, 0 what chance gives.

    n is the number of paired judgements. Undefined, in this order: `too_few_raters` (fewer than
    two), `no_overlap` (no item with two judgements), `one_category`.

    In a draw of the interval a judgement counts by the weights of its rater and item, and a rater
    that is drawn twice is not paired with itself: such pairs always agree, and coin tosses would
    appear reliable. So the draws are weighted here; `krippendorff`, which gives the same alpha,
    takes no weights.

    Raises ValueError for another shape, infinite values, or negative ones at ratio level. Source:
    Krippendorff, Computing Krippendorff's Alpha-Reliability (2011); Hayes and Krippendorff,
    Communication Methods and Measures 1 (2007); interval: `with_two_way_interval`.
    """
    cells = Cells.of(values)
    if level == "ratio" and (cells.categories < 0).any():
        raise ValueError("ratios of negative values have no distance")
    paired = cells.item_totals(np.ones(cells.shape[0]))[cells.item] >= 2
    reason = _missing_reason(cells, paired)
    n = int(paired.sum())
    if reason is not None:
        return ResampledStatistic(None, n, reason, interval_reason=reason)

    def weighted(by_rater: FloatArray, by_item: FloatArray) -> float:
        return _weighted_alpha(cells, level, by_rater, by_item)

    value = Statistic(weighted(*map(np.ones, cells.shape)), n)
    return with_two_way_interval(
        value, weighted, cells.shape, seed=seed, draws=draws, bounds=(-1.0, 1.0)
    )


def _missing_reason(cells: Cells, paired: npt.NDArray[np.bool_]) -> Reason | None:
    if len(np.unique(cells.rater)) < 2:
        return "too_few_raters"
    if not paired.any():
        return "no_overlap"
    return "one_category" if len(np.unique(cells.category[paired])) < 2 else None


def _weighted_alpha(
    cells: Cells, level: AlphaLevel, by_rater: FloatArray, by_item: FloatArray
) -> float:
    counts, total = cells.item_counts(by_rater), cells.item_totals(by_rater)
    pairs = total**2 - cells.item_totals(by_rater**2)
    # The weight of an item over its ordered pairs; with weights of 1 it is 1 / (judgements - 1).
    scale = np.divide(by_item * total, pairs, out=np.zeros_like(pairs), where=pairs > 0)
    own = by_rater[cells.rater]
    weights = scale[cells.item] * own * (total[cells.item] - own)
    marginals = sum_by_place(cells.category, weights, len(cells.categories))
    distances = _distances(cells.categories, marginals, level)
    return float(_alpha(counts, scale, marginals, np.sum(weights**2), distances))


def alpha_of_counts(counts: IntArray, distances: FloatArray) -> FloatArray:
    """Alpha of many tables at once, from counts (..., items, categories), as `krippendorff_alpha`.

    distances: (categories, categories), squared. NaN without an item that two raters judged, or
    with one category alone.
    """
    sizes = counts.sum(axis=-1)
    paired = np.where((sizes > 1)[..., None], counts, 0)
    marginals = paired.sum(axis=-2)
    return _alpha(paired, 1 / np.maximum(sizes - 1, 1), marginals, marginals.sum(-1), distances)


def _alpha(
    counts: npt.ArrayLike,
    scale: FloatArray,
    marginals: npt.ArrayLike,
    squares: npt.ArrayLike,
    distances: FloatArray,
) -> FloatArray:
    """1 - D_o / D_e (...,), NaN where D_e is 0.

    counts: (..., items, categories), with the weight of each item over its ordered pairs, (...,
    items). marginals: sums (..., categories) of the weights of judgements; squares: of the squares
    of these weights, (...,).
    """
    by_item, totals = np.asarray(counts), np.asarray(marginals)
    observed = np.sum(scale * ((by_item @ distances) * by_item).sum(axis=-1), axis=-1)
    n = totals.sum(axis=-1)
    expected = n * ((totals @ distances) * totals).sum(axis=-1)
    ratio = np.full(np.shape(expected), np.nan)
    np.divide(observed * (n**2 - np.asarray(squares)), expected, out=ratio, where=expected > 0)
    return np.asarray(1 - ratio)


def _distances(categories: FloatArray, marginals: FloatArray, level: AlphaLevel) -> FloatArray:
    """Squared distances (categories, categories)."""
    one, other = categories[:, None], categories[None, :]
    if level == "nominal":
        return np.asarray(one != other, dtype=np.float64)
    if level == "ordinal":
        # Half of the own judgements less: the middle of the category on the scale of ranks.
        middle = np.cumsum(marginals) - marginals / 2
        return np.asarray((middle[:, None] - middle[None, :]) ** 2)
    if level == "interval":
        return np.asarray((one - other) ** 2)
    total = one + other
    quotient = np.divide(one - other, total, out=np.zeros_like(total), where=total != 0)
    return np.asarray(quotient**2)
