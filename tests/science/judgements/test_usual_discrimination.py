"""Who agrees on an item, given abilities: against all sets of raters."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from backend.science.judgements.usual_discrimination import (
    ItemAgreement,
    draw_sets,
    estimate_slope,
    usual_tail,
)

LOGITS = np.array([-1.2, 0.1, 0.4, 1.0, 2.5])


def chances_of_sets(weights: np.ndarray, size: int) -> dict[tuple[int, ...], float]:
    sets = list(combinations(range(len(weights)), size))
    terms = np.exp([weights[list(one)].sum() for one in sets])
    return dict(zip(sets, (terms / terms.sum()).tolist(), strict=True))


def agreement(rng: np.random.Generator, slope: float, raters: int) -> ItemAgreement:
    logits = rng.normal(size=raters)
    return ItemAgreement(rng.random(raters) < 1 / (1 + np.exp(-slope * logits)), logits)


def test_sets_are_drawn_with_their_chances() -> None:
    drawn = draw_sets(LOGITS, 2, 40_000, np.random.default_rng(1))
    for members, chance in chances_of_sets(LOGITS, 2).items():
        is_set = drawn[:, list(members)].all(axis=1)
        assert is_set.mean() == pytest.approx(chance, abs=0.01)


@pytest.mark.parametrize("slope", [0.0, 0.7])
def test_the_tail_is_that_of_all_sets(slope: float) -> None:
    item = ItemAgreement(np.array([True, True, False, True, False]), LOGITS)
    observed = LOGITS[item.agreed].sum()
    expected = sum(
        chance
        for members, chance in chances_of_sets(slope * LOGITS, 3).items()
        if LOGITS[list(members)].sum() <= observed + 1e-9
    )
    assert usual_tail(item, slope, np.random.default_rng(2)) == pytest.approx(expected, abs=0.02)


def test_the_slope_is_the_most_likely_one_of_a_grid() -> None:
    rng = np.random.default_rng(3)
    items = [agreement(rng, 0.8, 7) for _ in range(40)]
    grid = np.arange(0, 2.001, 0.02)

    def likelihood(slope: float) -> float:
        return sum(
            math.log(chances_of_sets(slope * one.logits, int(one.agreed.sum()))[members])
            for one in items
            for members in [tuple(np.flatnonzero(one.agreed).tolist())]
        )

    best = grid[np.argmax([likelihood(slope) for slope in grid])]
    assert estimate_slope(items) == pytest.approx(best, abs=0.011)


def test_where_abilities_do_not_matter_the_slope_is_near_zero() -> None:
    rng = np.random.default_rng(4)
    assert estimate_slope([agreement(rng, 0.0, 12) for _ in range(200)]) < 0.15


def test_usual_items_have_large_tails_and_reversed_ones_small_ones() -> None:
    rng = np.random.default_rng(5)
    usual = [usual_tail(agreement(rng, 1.0, 15), 1.0, rng) for _ in range(100)]
    assert np.mean(np.array(usual) <= 0.05) <= 0.1
    logits = np.linspace(-2, 2, 15)
    assert usual_tail(ItemAgreement(logits < -0.5, logits), 1.0, rng) < 1e-3
