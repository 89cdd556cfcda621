"""AUC and average precision as components of items, with the variance that items cause.

A metric M of weighted items is N(w) / P(w): P is the weight of the positives, and N is homogeneous
of degree 1 in the weights. The component of an item is ∂N/∂w at equal weights, so the components
sum to N (Euler), and their resampled sums have M's variance to first order, also that from the
negatives. For AUC these are the placement values of Obuchowski (Biometrics 53, 1997).

Scores are any comparable numbers; those of items that have none may be infinite.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from backend.science.evaluation.metrics import BoolArray, FloatArray

IntArray = npt.NDArray[np.int64]


def auc_components(scores: FloatArray, is_positive: BoolArray, *, tie: float) -> FloatArray:
    """Components [n] whose sum ÷ positives is the AUC; zeros without a positive or a negative.

    tie: what a positive and a negative with equal scores count as. ½ is the Mann-Whitney statistic,
    0 the equation that Dyport prints (section 6.2.1, equation 10).

    V of an item is the share of the items of the other class that are placed rightly beside it. A
    positive's component is V; a negative's is (V - AUC) · positives ÷ negatives.
    """
    result = np.zeros(len(scores))
    positive, negative = scores[is_positive], scores[~is_positive]
    if not len(positive) or not len(negative):
        return result
    result[is_positive] = count_below(negative, positive, tie) / len(negative)
    placed = 1 - count_below(positive, negative, 1 - tie) / len(positive)
    auc = result[is_positive].mean()
    result[~is_positive] = (placed - auc) * (len(positive) / len(negative))
    return result


def count_below(values: FloatArray, limits: FloatArray, tie: float) -> FloatArray:
    """For each limit, how many values are less, equal ones counting as `tie`."""
    ordered = np.sort(values)
    low, high = (np.searchsorted(ordered, limits, side) for side in ("left", "right"))
    return np.asarray(low + tie * (high - low), dtype=np.float64)


def roc_curve(
    scores: FloatArray, is_positive: BoolArray, *, most: int
) -> tuple[FloatArray, FloatArray]:
    """False and true positive rates [m] by falling score, from (0, 0) to (1, 1), m ≤ most.

    Items with equal scores enter together, so that the area under the straight lines between the
    points is the AUC whose ties count as ½. Of more than `most` points, those are left that lie at
    equal steps of the sum of both rates. Raises ValueError without a positive or a negative, or for
    fewer than two points.
    """
    count, hits = len(scores), int(is_positive.sum())
    if not 0 < hits < count or most < 2:
        raise ValueError("a ROC curve needs positives, negatives and two points")
    levels, at = np.unique(scores, return_inverse=True)
    at = len(levels) - 1 - at.reshape(-1)  # the highest first
    hit = np.cumsum(np.bincount(at[is_positive], minlength=len(levels))) / hits
    false = np.cumsum(np.bincount(at[~is_positive], minlength=len(levels))) / (count - hits)
    x, y = (np.concatenate([[0.0], rates]) for rates in (false, hit))
    if len(x) > most:
        steps = np.searchsorted(x + y, np.linspace(0, 2, most) - 1e-12)
        chosen = np.unique(np.minimum(steps, len(x) - 1))
        x, y = x[chosen], y[chosen]
    return x, y


def matched_auc_components(
    scores: FloatArray, is_positive: BoolArray, strata: IntArray, *, tie: float = 0.5
) -> tuple[FloatArray, BoolArray]:
    """AUC of positives against the negatives of their stratum alone, and the positives it counts.

    Σ components ÷ counted is the mean over positives of the share of negatives of their stratum
    that are scored lower. Positives of a stratum without a negative are not counted.
    """
    components, counted = np.zeros(len(scores)), np.zeros(len(scores), dtype=np.bool_)
    for stratum in np.unique(strata[is_positive]):
        members = strata == stratum
        if not is_positive[members].all():
            components[members] = auc_components(scores[members], is_positive[members], tie=tie)
            counted |= members & is_positive
    return components, counted


def precision_components(scores: FloatArray, is_positive: BoolArray) -> FloatArray:
    """Components [n] whose sum ÷ positives is the average precision.

    Average precision is the mean over positives of the precision at their score, items with equal
    scores being retrieved together. With T items retrieved at a level, H of them positive:
    a positive's component is H/T at its own level plus Σ (T - H)/T² over the positives at its level
    and below; a negative's is -Σ H/T² over the same.
    """
    levels, at = np.unique(scores, return_inverse=True)
    at = len(levels) - 1 - at.reshape(-1)  # the highest first
    hits = np.bincount(at[is_positive], minlength=len(levels))
    retrieved = np.cumsum(np.bincount(at, minlength=len(levels))).astype(np.float64)
    total_hits = np.cumsum(hits)
    # What follows a level: the sum from it to the last one.
    gain = np.cumsum((hits * (retrieved - total_hits) / retrieved**2)[::-1])[::-1]
    loss = np.cumsum((hits * total_hits / retrieved**2)[::-1])[::-1]
    return np.where(is_positive, (total_hits / retrieved)[at] + gain[at], -loss[at])


def ranks_within(scores: FloatArray, is_positive: BoolArray, groups: IntArray) -> FloatArray:
    """Rank of each positive among the negatives of its group, which has one positive: [n].

    1 + the negatives with higher scores + half of those with an equal one; 0 for a negative.
    """
    count = int(groups.max(initial=-1)) + 1
    own = np.full(count, np.nan)
    own[groups[is_positive]] = scores[is_positive]
    negative, limit = groups[~is_positive], own[groups[~is_positive]]
    above = (scores[~is_positive] > limit) + 0.5 * (scores[~is_positive] == limit)
    ranks = 1 + np.bincount(negative, above, count)
    result = np.zeros(len(scores))
    result[is_positive] = ranks[groups[is_positive]]
    return result
