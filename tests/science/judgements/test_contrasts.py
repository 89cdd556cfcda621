"""Means and contrasts over raters and items: by hand, and the coverage of their intervals."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.contrasts import (
    Observations,
    Row,
    difference_of_intervals,
    two_way_contrast,
    two_way_item_mean,
)
from backend.science.judgements.two_way import ResampledStatistic
from tests.science.judgements.ranked_worlds import agreement_coverage


def test_a_contrast_is_the_difference_of_weighted_means() -> None:
    first: list[Row] = [(0, (0,), 1.0, 1.0), (1, (0,), 0.0, 3.0)]
    second: list[Row] = [(2, (1,), 1.0, 2.0), (3, (1,), 2.0, 2.0)]
    result = two_way_contrast(first, second, (2, 4), seed=1)
    assert result.n == 4
    assert result.value == pytest.approx(0.25 - 1.5)
    assert (result.low, result.interval_reason) == (None, "too_few_items")


def test_an_item_counts_once_however_many_pairs_of_raters_it_has() -> None:
    rows: list[Row] = [(0, (0, 1), 1.0, 1.0), (0, (0, 2), 0.0, 1.0), (1, (1, 2), 1.0, 1.0)]
    result = two_way_item_mean(rows, (3, 5), bounds=(0, 1))
    assert result.n == 2
    assert result.value == pytest.approx((0.5 + 1) / 2)
    assert two_way_item_mean([], (3, 5), bounds=(0, 1)).reason == "too_few_rankings"
    assert two_way_contrast(rows, [], (3, 5), seed=1).reason == "too_few_items"


def test_a_rater_that_is_drawn_twice_is_no_pair_with_itself() -> None:
    data = Observations.of([(0, (0, 1), 1.0, 0.5), (1, (1, 2), 1.0, 1.0)])
    weights = data.drawn(np.array([2.0, 1.0, 0.0]), np.array([1.0, 3.0]))
    assert weights.tolist() == [0.5 * 2, 0]


def test_the_interval_of_an_effect_covers_it_with_few_raters_of_unequal_level() -> None:
    rng = np.random.default_rng(5)
    raters, items, effect, worlds = 8, 60, 0.3, 200
    covered = 0
    for world in range(worlds):
        level = rng.normal(0, 0.7, raters)[:, None] + rng.normal(0, 0.5, items)[None, :]
        hidden = rng.random((raters, items)) < 0.25
        own = effect + rng.normal(0, 0.2, raters)[:, None]
        values = level + hidden * own + rng.normal(0, 0.5, (raters, items))
        rows: dict[bool, list[Row]] = {True: [], False: []}
        for rater, item in np.ndindex(raters, items):
            arm = bool(hidden[rater, item])
            weight = 1 / (0.25 if arm else 0.75)
            rows[arm].append((item, (rater,), float(values[rater, item]), weight))
        result = two_way_contrast(rows[True], rows[False], (raters, items), seed=world, draws=200)
        assert result.low is not None and result.high is not None
        covered += result.low <= effect <= result.high
    assert covered / worlds >= 0.91  # twice the simulation's error below 94 %


def naive_interval(rows: list[Row]) -> tuple[float, float]:
    """Rater by rater, in Fisher's z, which is half the logit between -1 and 1."""

    def means(left_out: int) -> list[float]:
        used = [one for one in rows if left_out not in one[1]]
        return [
            sum(one[2] * one[3] for one in used if one[0] == item)
            / sum(one[3] for one in used if one[0] == item)
            for item in sorted({one[0] for one in used})
        ]

    raters = sorted({rater for one in rows for rater in one[1]})
    every, left = means(-1), [np.mean(means(rater)) for rater in raters]
    variance = np.var(every, ddof=1) / len(every)
    variance += (len(raters) - 1) / len(raters) * sum((one - np.mean(left)) ** 2 for one in left)
    center = np.mean(every)
    quantile = stats.t.ppf(0.975, min(len(raters), len(every)) - 1)
    reach = quantile * np.sqrt(variance) / (1 - center**2)
    return float(np.tanh(np.arctanh(center) - reach)), float(np.tanh(np.arctanh(center) + reach))


def test_the_interval_of_a_mean_of_pairs_is_that_of_raters_left_out_one_by_one() -> None:
    rng = np.random.default_rng(3)
    rows: list[Row] = [
        (item, (one, other), float(rng.uniform(-0.2, 0.9)), float(rng.uniform(1, 3)))
        for item in range(9)
        for one, other in combinations(range(5), 2)
        if rng.random() < 0.7
    ]
    result = two_way_item_mean(rows, (7, 12), bounds=(-1, 1))
    assert (result.low, result.high) == pytest.approx(naive_interval(rows))


@pytest.mark.parametrize("measure", ["tau-b", "W", "top1"])
@pytest.mark.parametrize(("raters", "spread"), [(3, 0.5), (4, 1.0), (6, 1.0)])
def test_the_interval_of_mean_agreement_covers_it_with_few_raters(
    measure: str, raters: int, spread: float
) -> None:
    # 95% less 3 standard errors
    assert agreement_coverage(measure, raters, spread, worlds=60) >= 0.86


def test_two_raters_are_fixed_and_a_rater_in_all_pairs_leaves_no_interval() -> None:
    rows: list[Row] = [(item, (0, 1), item / 10, 1.0) for item in range(6)]
    fixed = two_way_item_mean(rows, (2, 6), bounds=(-1, 1))
    assert fixed.low is not None and not fixed.raters_resampled
    star: list[Row] = [*rows, *((item, (0, 2), 0.5, 1.0) for item in range(6))]
    assert two_way_item_mean(star, (3, 6), bounds=(-1, 1)).interval_reason == "too_few_raters"


def test_numbers_that_are_all_the_same_have_no_interval() -> None:
    rows: list[Row] = [(item, (0, 1), 1.0, 1.0) for item in range(6)]
    result = two_way_item_mean(rows, (3, 6), bounds=(0, 1))
    assert (result.value, result.low, result.interval_reason) == (1, None, "one_category")


def wilson_share(successes: int, trials: int) -> ResampledStatistic:
    low, high = wilson_interval(successes, trials)
    return ResampledStatistic(successes / trials, trials, low=low, high=high)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        # Newcombe (1998), Table II, method 10, examples (a), (d) and (h).
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((10, 10), (0, 10), 0.6075, 1.0000),
    ],
)
def test_a_difference_of_wilsons_intervals_is_as_newcombe_prints_it(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    result = difference_of_intervals(wilson_share(*first), wilson_share(*second))
    assert result.value == pytest.approx(first[0] / first[1] - second[0] / second[1])
    assert (result.low, result.high) == pytest.approx((low, high), abs=5e-5)
    assert result.n == first[1] + second[1]


def test_a_difference_has_no_interval_where_one_of_both_has_none() -> None:
    share, point = wilson_share(5, 9), ResampledStatistic(0.5, 4, low=0.5, high=0.5)
    lacking = ResampledStatistic(0.5, 4, interval_reason="too_few_items")
    nothing = ResampledStatistic(None, 0, "too_few_items", interval_reason="too_few_items")
    assert difference_of_intervals(share, lacking).interval_reason == "too_few_items"
    assert difference_of_intervals(point, share).interval_reason == "one_category"
    assert difference_of_intervals(share, nothing).reason == "too_few_items"


def test_a_difference_holds_for_the_same_raters_as_its_parts() -> None:
    fixed = ResampledStatistic(0.5, 4, low=0.2, high=0.8, draws=9, raters_resampled=False)
    both = [difference_of_intervals(fixed, one) for one in (wilson_share(5, 9), fixed)]
    assert [(one.draws, one.raters_resampled) for one in both] == [(9, False), (9, False)]
