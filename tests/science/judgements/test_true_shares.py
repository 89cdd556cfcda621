"""Shares of true categories: against the posteriors, and against the truth of simulated items."""

from __future__ import annotations

import numpy as np
import pytest

from backend.science.judgements.dawid_skene import fit_dawid_skene
from backend.science.judgements.tables import FloatArray
from backend.science.judgements.true_shares import true_category_shares

TRUTH = (0.5, 0.3, 0.2)


def drawn_counts(seed: int, items: int = 60, raters: int = 4) -> FloatArray:
    """Raters who know the truth with 0.7, else toss; each item has three of four."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, items, p=TRUTH)
    counts = np.zeros((raters, items, 3))
    for item in range(items):
        for rater in rng.permutation(raters)[:3]:
            given = truth[item] if rng.random() < 0.7 else rng.integers(0, 3)
            counts[rater, item, given] = 1
    return counts


def test_shares_are_mean_posteriors_of_judged_items_with_bounds_around_them() -> None:
    counts = np.concatenate([drawn_counts(3), np.zeros((4, 5, 3))], axis=1)
    fit = fit_dawid_skene(counts, seed=0, starts=1)
    shares = true_category_shares(counts, fit, seed=1, draws=50)
    assert [one.value for one in shares] == pytest.approx(fit.posteriors[:60].mean(axis=0))
    assert {one.n for one in shares} == {60}
    for one in shares:
        assert one.value is not None and one.low is not None and one.high is not None
        assert 0 <= one.low < one.value < one.high <= 1
        assert not one.raters_resampled
    assert shares == true_category_shares(counts, fit, seed=1, draws=50)


def test_few_items_have_no_interval() -> None:
    counts = drawn_counts(4, items=4)
    shares = true_category_shares(counts, fit_dawid_skene(counts, seed=0, starts=1), seed=1)
    assert {(one.n, one.low, one.interval_reason) for one in shares} == {(4, None, "too_few_items")}


def test_intervals_cover_the_true_share_in_most_simulated_studies() -> None:
    covered = 0
    for seed in range(20):
        counts = drawn_counts(seed)
        fit = fit_dawid_skene(counts, seed=0, starts=1, tolerance=1e-6)
        first = true_category_shares(counts, fit, seed=seed, draws=30)[0]
        assert first.low is not None and first.high is not None
        covered += first.low <= TRUTH[0] <= first.high
    assert covered >= 15  # nominal 19; at a coverage of 90% fewer than 15 of 20 have a chance of 1%
