"""Expected information of one more judgement of a pair of arms about their strengths."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from backend.science.judgements.bradley_terry import (
    TIE,
    Comparisons,
    bradley_terry_derivatives,
    fit_bradley_terry,
)
from backend.science.judgements.tables import FloatArray, IntArray

RIDGE = 1.0  # a normal prior of variance 1


def comparison_gain(
    comparisons: Comparisons | None, left: IntArray, right: IntArray, arms: int
) -> FloatArray:
    """Expected information in nats of one more judgement of each pair of arms, (pairs,).

    About the strengths λ of Bradley and Terry's model, with the normal approximation to their
    posterior from the `comparisons` so far, of covariance C: a judgement of left beside right, with
    d = e_left - e_right and probability p that left wins, has ½ log(1 + p (1 - p) d' C d). The
    prior is normal with variance 1. comparisons: None before the first that is decided. Source:
    Chaloner and Verdinelli, Statistical Science 10 (1995), section 4; Davidson, JASA 65 (1970).
    """
    strengths: FloatArray = np.zeros(arms)
    covariance: FloatArray = np.eye(arms)
    if comparisons is not None and (comparisons.outcome != TIE).any():
        fit = fit_bradley_terry(comparisons, ridge=RIDGE)
        _, information = bradley_terry_derivatives(comparisons, fit, ridge=RIDGE)
        strengths = fit.strengths
        covariance = np.asarray(np.linalg.inv(information)[:arms, :arms], dtype=np.float64)
    spread = covariance[left, left] + covariance[right, right] - 2 * covariance[left, right]
    wins = expit(strengths[left] - strengths[right])
    return np.asarray(np.log1p(wins * (1 - wins) * spread) / 2)
