"""The Ladder: which submission of a model its public figures are of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from backend.science.evaluation.cluster_sums import validated
from backend.science.evaluation.jackknife import standard_error
from backend.science.evaluation.metrics import Difference, FloatArray, Metric

RELATIVE_ERROR = 1e-10


@dataclass(frozen=True)
class LadderStep:
    """Whether a new submission replaces the standing one.

    gain: new minus standing value, negated where lower is better.
    step: its paired standard error, which the gain must exceed.
    """

    better: bool
    gain: float
    step: float


def ladder_step(
    standing: FloatArray, new: FloatArray, metric: Metric, *, higher_is_better: bool = True
) -> LadderStep:
    """Compare a model's new submission with its standing one, by cluster sums (C, k).

    Better means gain > step, step being the jackknife standard error of the paired difference over
    clusters; for a mean over items of their own s/√n, as in the parameter-free Ladder. A gain that
    exceeds the step by 1e-10 of the values or less is rounding and not better: a change of a single
    item has gain and step 1/n. Fewer than two clusters have an infinite step. Equal gains in all
    clusters have step 0.

    The step adapts to the pair, so changes of two right items at a time pass. That is the price of
    a rule without parameters; the limit on queries bounds what it gives away.

    Raises ValueError for unequal shapes or sums that are not finite. Source: Blum and Hardt, The
    Ladder, ICML 2015, section 4, with the standing value itself shown in place of its rounding.
    """
    if standing.shape != new.shape:
        raise ValueError("two submissions are compared on the same clusters and components")
    joined = np.concatenate([validated(new, axes=2), validated(standing, axes=2)], axis=1)
    difference = Difference(metric)
    gain = float(difference(joined.sum(axis=0))) * (1 if higher_is_better else -1)
    step = standard_error(joined, difference)
    middle = joined.shape[1] // 2
    largest = max(
        abs(float(metric(half.sum(axis=0)))) for half in np.split(joined, [middle], axis=1)
    )
    return LadderStep(gain > step + RELATIVE_ERROR * largest, gain, step)
