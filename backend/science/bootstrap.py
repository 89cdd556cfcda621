"""Confidence intervals by resampling."""

from collections.abc import Sequence

import numpy as np


def percentile_interval(
    values: Sequence[float], *, seed: int, resamples: int = 1000, level: float = 0.95
) -> tuple[float, float]:
    """Percentile bootstrap interval for the mean of independent observations.

    Draws n of the n values with replacement, `resamples` times, and returns the
    (1-level)/2 and (1+level)/2 quantiles (linear interpolation) of the means of the draws.
    The same seed and values in the same order give the same bounds. Equal values give an
    interval of no width. For few values the interval is too narrow; callers set a minimum.
    Needs resamples * n * 16 bytes.

    Raises ValueError for no values, values that are not finite, fewer than one resample, or
    a level outside (0, 1).
    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0 or not np.isfinite(sample).all():
        raise ValueError("a bootstrap needs a flat, non-empty sequence of finite values")
    if resamples < 1 or not 0.0 < level < 1.0:
        raise ValueError("a bootstrap needs at least one resample and a level inside (0, 1)")
    draws = np.random.default_rng(seed).integers(0, sample.size, size=(resamples, sample.size))
    means = sample[draws].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
