"""Intervals over raters and items: coverage, degenerate draws, and few raters or items."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from backend.science.allocation import allocate_item, information_gain
from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.alpha import krippendorff_alpha
from backend.science.judgements.tables import FloatArray
from backend.science.judgements.two_way import ResampledStatistic, drawn_weights, two_way_mean
from tests.science.judgements.worlds import (
    ALPHA,
    coverage,
    crossed_effects,
    graded_raters,
    over_worlds,
)

WORLDS, ITEMS = 200, 60


@pytest.mark.parametrize(
    ("raters", "spreads", "least"),
    [
        (20, (1, 1, 1), 0.9),  # 93% less 1.6 standard errors of 200 worlds
        (20, (0, 0, 1), 0.97),  # three times the residual variance: conservative
        (20, (1, 0, 0.3), 0.9),
        (20, (0, 1, 0.3), 0.9),
        (5, (1, 1, 1), 0.88),
    ],
)
def test_intervals_of_a_mean_cover_it(
    raters: int, spreads: tuple[float, float, float], least: float
) -> None:
    estimates = over_worlds(
        WORLDS,
        lambda rng: two_way_mean(crossed_effects(rng, raters, ITEMS, spreads), seed=1, draws=200),
    )
    assert coverage(estimates, 0.0) >= least


def test_an_interval_over_items_alone_fails_where_raters_differ() -> None:
    """The contrast: two raters are fixed, and the interval holds for these two."""
    estimates = over_worlds(
        50, lambda rng: two_way_mean(crossed_effects(rng, 2, ITEMS, (1, 0, 0.3)), seed=1, draws=99)
    )
    assert coverage(estimates, 0.0) < 0.5
    assert not any(one.raters_resampled for one in estimates)


@pytest.mark.parametrize("raters", [5, 20])
def test_intervals_of_alpha_cover_it(raters: int) -> None:
    estimates = over_worlds(
        WORLDS,
        lambda rng: krippendorff_alpha(
            graded_raters(rng, raters, ITEMS), level="nominal", seed=1, draws=150
        ),
    )
    assert coverage(estimates, ALPHA) >= 0.9


def test_draws_have_as_many_raters_and_items_as_the_table() -> None:
    for by_rater, by_item in drawn_weights((4, 9), seed=2, draws=20):
        assert (by_rater.sum(), by_item.sum()) == (4, 9)
    assert all((by_rater == 1).all() for by_rater, _ in drawn_weights((2, 9), seed=2, draws=5))


def test_many_raters_have_the_percentiles_of_the_draws() -> None:
    values = np.random.default_rng(1).normal(size=(60, 70))
    result = two_way_mean(values, seed=5, draws=300)
    weights = drawn_weights((60, 70), seed=5, draws=300)
    means = [one @ values @ other / (60 * 70) for one, other in weights]
    low, high = np.quantile(means, [0.025, 0.975])
    assert (result.low, result.high) == pytest.approx((low, high), abs=1e-12)


def test_raters_and_items_without_a_judgement_change_nothing() -> None:
    values = np.random.default_rng(1).normal(size=(4, 9))
    padded = np.full((6, 12), np.nan)
    padded[1:5, 2:11] = values
    assert two_way_mean(values, seed=1, draws=50) == two_way_mean(padded, seed=1, draws=50)


def test_a_share_of_one_has_wilsons_interval_over_the_fewer_of_raters_and_items() -> None:
    result = two_way_mean(np.ones((7, 30)), seed=1, bounded=True)
    assert (result.low, result.high) == wilson_interval(7, 7)


def test_a_bounded_mean_has_a_bounded_interval() -> None:
    values = np.ones((4, 30))
    values[0, :20] = 0
    result = two_way_mean(values, seed=1, bounded=True, draws=200)
    assert result.high == 1.0 and result.low is not None and result.low >= 0.0


def test_no_judgement_has_no_mean_and_few_items_no_interval() -> None:
    assert two_way_mean(np.full((3, 3), np.nan), seed=0).reason == "too_few_items"
    few = two_way_mean(np.ones((3, 4)), seed=0)
    assert (few.value, few.low, few.interval_reason) == (1.0, None, "too_few_items")


def test_a_mean_over_items_weighs_each_the_same() -> None:
    """Against the plain definition, with gaps, in the value and in every draw."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        values = rng.random((7, 9))
        values[rng.random(values.shape) < 0.5] = np.nan
        judged = values[:, ~np.isnan(values).all(axis=0)]
        plain = np.mean([np.nanmean(column) for column in judged.T])
        result = two_way_mean(values, seed=1, draws=50, equal_items=True)
        assert result.value == pytest.approx(plain)
        assert result.low is not None and result.low < plain < (result.high or 0)


def test_equal_numbers_of_judgements_make_both_means_the_same() -> None:
    values = np.random.default_rng(5).random((6, 12))
    plain, equal = (
        two_way_mean(values, seed=2, draws=99, equal_items=one) for one in (False, True)
    )
    assert (plain.value, plain.low, plain.high) == pytest.approx(
        (equal.value, equal.low, equal.high)
    )


def judge_adaptively(rng: np.random.Generator) -> FloatArray:
    """Half of the places of 40 items for 12 raters, most of them taken by what informs most.

    Half of the items divide raters, and nearly all raters say yes to the others.
    """
    raters, items, places = 20, 30, 16
    chances = np.where(np.arange(items) % 2, 0.95, 0.5)
    values, counts = np.full((raters, items), np.nan), np.zeros((items, 2))
    while counts.sum() < items * places / 2:
        rater = rng.integers(raters)
        free = np.flatnonzero(np.isnan(values[rater]) & (counts.sum(axis=1) < places))
        if free.size:
            drawn = allocate_item(information_gain(counts[free]), rng)
            item = free[drawn.index]
            values[rater, item] = rng.random() < chances[item]
            counts[item, int(values[rater, item])] += 1
    return values


def share_in_adaptive_world(rng: np.random.Generator, *, equal_items: bool) -> ResampledStatistic:
    values = judge_adaptively(rng)
    return two_way_mean(values, seed=1, draws=100, bounded=True, equal_items=equal_items)


def test_a_mean_over_items_holds_where_items_were_chosen_by_their_judgements() -> None:
    """Of the share of yes, which is 0.725: the plain one leans to items that divide raters."""
    plain, equal = (
        over_worlds(100, partial(share_in_adaptive_world, equal_items=one)) for one in (False, True)
    )
    biases = [float(np.mean([it.value for it in one])) - 0.725 for one in (plain, equal)]
    assert biases[0] < -0.015 and abs(biases[1]) < 0.01
    assert coverage(equal, 0.725) >= 0.93


def test_no_draw_is_rejected() -> None:
    with pytest.raises(ValueError, match="one draw"):
        two_way_mean(np.arange(12.0).reshape(2, 6), seed=0, draws=0)
