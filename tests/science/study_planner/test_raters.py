"""Frequencies of simulated judgements, against the models written out."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import exp

import numpy as np
import pytest

from backend.science.study_planner.raters import (
    draw_preferences,
    draw_rankings,
    draw_ratings,
    draw_verdicts,
    vary_share,
)

DRAWS = 20_000


def probability(ranks: tuple[float, ...], worths: list[float], tie: float) -> float:
    """Davidson-Luce with ties of two, choice by choice."""

    def weight(subset: tuple[int, ...]) -> float:
        mean = sum(worths[i] for i in subset) / len(subset)
        return (tie if len(subset) == 2 else 1.0) * exp(mean)

    result = 1.0
    for level in sorted(set(ranks)):
        left = [i for i, rank in enumerate(ranks) if rank >= level]
        group = tuple(i for i in left if ranks[i] == level)
        subsets = [*combinations(left, 1), *combinations(left, 2)]
        result *= weight(group) / sum(weight(subset) for subset in subsets)
    return result


@pytest.mark.parametrize("tie", [0.0, 0.4, 3.0])
def test_rankings_have_the_frequencies_of_the_model(tie: float) -> None:
    worths = [1.0, 0.0, -0.5]
    rows = draw_rankings(np.tile(worths, (DRAWS, 1)), np.random.default_rng(2), pair_tie=tie)
    observed = Counter(map(tuple, rows.tolist()))
    assert sum(probability(ranks, worths, tie) for ranks in observed) == pytest.approx(1)
    for ranks, times in observed.items():
        expected = probability(ranks, worths, tie)
        spread = (expected * (1 - expected) / DRAWS) ** 0.5
        assert abs(times / DRAWS - expected) < 5 * spread


@pytest.mark.parametrize("tie", [0.0, 0.5])
def test_mid_ranks_of_extreme_worths_are_complete(tie: float) -> None:
    rows = draw_rankings(
        np.array([[900.0, -900.0, 0.0, 1.0]]), np.random.default_rng(0), pair_tie=tie
    )
    assert rows.sum() == 10
    assert rows[0, 1] >= rows[0, 0]


def test_preferences_and_ties_are_davidsons_and_a_side_bias_cancels_over_sides() -> None:
    rng = np.random.default_rng(1)
    drawn = draw_preferences(np.full(DRAWS, 1.0), rng, tie=0.7)
    weights = np.array([exp(0.5), 0.7, exp(-0.5)])
    observed = [np.mean(drawn == one) for one in (1, 0, -1)]
    assert observed == pytest.approx(weights / weights.sum(), abs=0.015)
    biased = draw_preferences(np.zeros(DRAWS), rng, side_bias=2.0)
    assert np.mean(biased) == pytest.approx(0, abs=0.03)
    assert not (biased == 0).any()


def test_verdicts_have_their_sensitivity_and_specificity() -> None:
    truth = np.repeat([True, False], DRAWS)
    rates = np.full(2 * DRAWS, 0.9), np.full(2 * DRAWS, 0.7)
    verdicts = draw_verdicts(truth, *rates, np.random.default_rng(3))
    assert verdicts[:DRAWS].mean() == pytest.approx(0.9, abs=0.015)
    assert verdicts[DRAWS:].mean() == pytest.approx(0.3, abs=0.015)


def test_ratings_stay_on_the_scale_and_follow_their_mean() -> None:
    rng = np.random.default_rng(4)
    assert set(draw_ratings(np.array([-9.0, 99.0]), rng, noise=0.1)) == {1, 5}
    assert draw_ratings(np.full(DRAWS, 3.2), rng, noise=0.5).mean() == pytest.approx(3.2, abs=0.02)
    assert set(draw_ratings(np.arange(1.0, 6.0), rng, noise=0.0)) == {1, 2, 3, 4, 5}


def test_shares_of_raters_vary_around_their_median() -> None:
    shares = vary_share(0.8, 0.5, (DRAWS,), np.random.default_rng(5))
    assert np.median(shares) == pytest.approx(0.8, abs=0.01)
    assert vary_share(0.8, 0.0, (3,), np.random.default_rng(5)) == pytest.approx([0.8] * 3)
