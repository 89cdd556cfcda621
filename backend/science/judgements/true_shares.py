"""Shares of the true categories of items, where raters err."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from backend.science.judgements.dawid_skene import DawidSkene
from backend.science.judgements.dawid_skene_draws import fit_draws
from backend.science.judgements.two_way import MIN_ITEMS, ResampledStatistic, with_percentiles

DRAWS = 200
DRAW_TOLERANCE = 1e-6


def true_category_shares(
    counts: npt.ArrayLike, fit: DawidSkene, *, seed: int, draws: int = DRAWS
) -> tuple[ResampledStatistic, ...]:
    """Of each category its share among the judged items: their mean posterior in `fit`.

    counts: (raters, items, K), of which `fit` is a fit from the votes (one start). Each draw takes
    as many of the judged items with replacement and fits them anew, so that the raters' errors are
    estimated again; the raters are these, because a rater who is drawn twice would agree with
    itself. Percentiles; none with fewer than 5 judged items (`too_few_items`). n: judged items.

    Source: Dawid and Skene, Applied Statistics 28 (1979);
    Efron and Tibshirani, An Introduction to the Bootstrap (1993).
    """
    table = np.asarray(counts, dtype=np.float64)
    judged = table.any(axis=(0, 2))
    n = int(judged.sum())
    means = fit.posteriors[judged].mean(axis=0)
    if n < MIN_ITEMS:
        return tuple(
            ResampledStatistic(float(one), n, interval_reason="too_few_items") for one in means
        )
    rng = np.random.default_rng(seed)
    used = table[:, judged]
    weights = np.array([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(draws)])
    values = fit_draws(used, weights.astype(np.float64), tolerance=DRAW_TOLERANCE)
    return tuple(
        with_percentiles(ResampledStatistic(float(one), n), column)
        for one, column in zip(means, values.T, strict=True)
    )
