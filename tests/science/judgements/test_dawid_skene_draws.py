"""Fits of many draws at once, against one fit of each draw from its own items."""

from __future__ import annotations

import numpy as np
import pytest

from backend.science.judgements import dawid_skene_draws
from backend.science.judgements.dawid_skene import fit_dawid_skene
from backend.science.judgements.dawid_skene_draws import fit_draws
from backend.science.judgements.tables import Cells, FloatArray
from tests.science.judgements.random_tables import TABLES, random_table
from tests.science.judgements.test_dawid_skene import judgement_counts, simulated

TOLERANCE = 1e-6


def drawn_items(counts: FloatArray, seed: int, draws: int) -> list[list[int]]:
    items = counts.shape[1]
    drawn: list[list[int]] = np.random.default_rng(seed).integers(0, items, (draws, items)).tolist()
    return drawn


def weights_of(drawn: list[list[int]], items: int) -> FloatArray:
    return np.array([np.bincount(one, minlength=items) for one in drawn], dtype=np.float64)


def shares_of_each(counts: FloatArray, drawn: list[list[int]], smoothing: float) -> FloatArray:
    fits = [
        fit_dawid_skene(counts[:, one], seed=0, starts=1, smoothing=smoothing, tolerance=TOLERANCE)
        for one in drawn
    ]
    return np.array([one.posteriors.mean(axis=0) for one in fits])


def test_random_tables_with_gaps_have_the_shares_of_a_fit_of_each_draw() -> None:
    for seed in range(TABLES):
        table = random_table(seed)
        counts = judgement_counts(Cells.of(table[:, ~np.isnan(table).all(axis=0)]))
        drawn = drawn_items(counts, seed, draws=1)
        shares = fit_draws(counts, weights_of(drawn, counts.shape[1]), tolerance=TOLERANCE)
        np.testing.assert_allclose(shares, shares_of_each(counts, drawn, 0.01), atol=1e-9)


@pytest.mark.parametrize("smoothing", [0.01, 1.0])
def test_draws_that_end_after_different_steps_have_their_own_shares(smoothing: float) -> None:
    counts, _ = simulated(seed=5, items=80, gaps=0.2)
    assert counts.any(axis=(0, 2)).all()
    drawn = drawn_items(counts, seed=2, draws=25)
    weights = weights_of(drawn, 80)
    shares = fit_draws(counts, weights, smoothing=smoothing, tolerance=TOLERANCE)
    np.testing.assert_allclose(shares, shares_of_each(counts, drawn, smoothing), atol=1e-9)
    assert shares.sum(axis=1) == pytest.approx(1)


def test_draws_in_several_parts_have_the_same_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, _ = simulated(seed=6, items=40)
    weights = weights_of(drawn_items(counts, seed=3, draws=7), 40)
    at_once = fit_draws(counts, weights, tolerance=TOLERANCE)
    monkeypatch.setattr(dawid_skene_draws, "NUMBERS_AT_ONCE", 2 * 40 * 3)
    np.testing.assert_allclose(fit_draws(counts, weights, tolerance=TOLERANCE), at_once, atol=1e-12)


def test_draws_without_smoothing_are_refused() -> None:
    with pytest.raises(ValueError, match="smoothing"):
        fit_draws(np.ones((2, 3, 2)), np.ones((1, 3)), smoothing=0, tolerance=TOLERANCE)
