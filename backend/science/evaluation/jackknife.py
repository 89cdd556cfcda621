"""Delete-one jackknife over clusters."""

from __future__ import annotations

import math

import numpy as np

from backend.science.evaluation.metrics import FloatArray, Metric


def leave_one_out(sums: FloatArray, metric: Metric) -> FloatArray:
    """Values without each cluster in turn, (..., C), of cluster sums (..., C, k)."""
    return metric(sums.sum(axis=-2, keepdims=True) - sums)


def standard_error(sums: FloatArray, metric: Metric) -> float:
    """Jackknife standard error of the metric over the G clusters of sums (C, k) that contribute.

    √((G-1)/G Σ_c (θ_(c) - mean θ_(.))²). For a mean over clusters of equal size it is s/√G. It is
    infinite for G < 2. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993),
    equation 11.5.
    """
    used = sums[metric.contributes(sums)]
    if len(used) < 2:
        return math.inf
    values = leave_one_out(used, metric)
    return math.sqrt((len(used) - 1) / len(used) * float(np.sum((values - values.mean()) ** 2)))
