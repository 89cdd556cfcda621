from __future__ import annotations

import numpy as np
import pytest

from backend.science.rater_checks.answers import (
    AgreementSeries,
    Answers,
    FloatArray,
    agreement_series,
    agreement_with_others,
)
from backend.science.rater_checks.drift import find_change_points, regress_agreement
from tests.science.rater_checks.simulated_raters import DRIFTING, positions, simulate_answers


def test_the_change_of_a_rater_who_starts_to_guess_is_dated() -> None:
    series = agreement_series(simulate_answers(1))
    points = {one.test.rater: one for one in find_change_points(series, seed=0)}
    drifting = points[DRIFTING]
    assert drifting.test.flagged
    assert abs(drifting.place - 30) <= 6
    assert drifting.test.value == pytest.approx(drifting.after - drifting.before)
    assert drifting.test.value < -0.2


def test_a_rater_without_change_has_any_p_value_with_equal_probability() -> None:
    studies = [simulate_answers(seed, planted=False, raters=6) for seed in range(40)]
    p_values = [
        one.test.p_value
        for number, study in enumerate(studies)
        for one in find_change_points(agreement_series(study), seed=number, draws=199)
    ]
    assert len(p_values) == 240
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(0.05, abs=0.045)
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.07)


def naive_change(series: AgreementSeries, orders: int) -> tuple[int, float]:
    """Place and p-value, sum by sum, with residuals by a general least squares fit."""
    design = np.column_stack([np.ones_like(series.peers), series.peers])
    rest = series.own - design @ np.linalg.lstsq(design, series.own)[0]

    def largest(values: FloatArray) -> tuple[float, int]:
        return max((abs(sum(values[:t])), t) for t in range(1, len(values)))

    rng = np.random.default_rng(9)
    observed, place = largest(rest)
    reached = sum(largest(rng.permutation(rest))[0] >= observed - 1e-9 for _ in range(orders))
    return place, reached / orders


def test_a_change_point_is_that_of_all_sums_of_residuals() -> None:
    answers = simulate_answers(3, items=24, raters=9)
    series = [one for one in agreement_series(answers) if one.rater in (0, DRIFTING)]
    for one, point in zip(series, find_change_points(series, seed=0, draws=4_999), strict=True):
        place, p = naive_change(one, 1_000)
        assert point.place == place
        assert point.test.p_value == pytest.approx(p, abs=0.02 + 0.6 * p)  # 20 of the draws


def test_a_rater_who_guesses_does_not_change_where_questions_get_easier_for_all() -> None:
    """All see the items in one order; the rater gains nothing from the easy ones."""
    rng = np.random.default_rng(8)
    peers = np.linspace(0.4, 0.9, 60)
    series = [AgreementSeries(rater, 1 / 3 + rng.normal(0, 0.1, 60), peers) for rater in range(20)]
    assert not any(one.test.flagged for one in find_change_points(series, seed=0, draws=4_999))


def dummy_regression(answers: Answers, columns: FloatArray) -> FloatArray:
    """Least squares with a column for each rater and item."""
    raters, items = (np.eye(one.max() + 1)[one] for one in (answers.raters, answers.items))
    design = np.column_stack([columns, raters, items])
    slopes = np.linalg.lstsq(design, agreement_with_others(answers))[0]
    return np.asarray(slopes[: columns.shape[1]], dtype=np.float64)


def test_slopes_are_those_of_least_squares_with_all_raters_and_items() -> None:
    answers = simulate_answers(2, overlap=5, items=40)
    hour = np.random.default_rng(0).uniform(8, 20, len(answers.raters))
    slopes = regress_agreement(answers, {"position": positions(answers), "hour": hour})
    expected = dummy_regression(answers, np.column_stack([positions(answers), hour]))
    assert [slopes[name].value for name in ("position", "hour")] == pytest.approx(expected)


def fatigued(seed: int, loss: float) -> Answers:
    """Raters whose chance to guess grows with the position."""
    answers = simulate_answers(seed, planted=False, raters=12)
    rng = np.random.default_rng([seed, 1])
    guess = rng.random(len(answers.raters)) < loss * positions(answers) / 60
    choices = np.where(guess, rng.integers(0, 3, len(guess)), answers.choices)
    return Answers(answers.raters, answers.items, choices)


def test_fatigue_of_all_raters_is_a_slope_below_zero() -> None:
    answers = fatigued(0, 0.8)
    slope = regress_agreement(answers, {"position": positions(answers)})["position"]
    assert slope.high is not None
    assert slope.high < 0


def test_without_fatigue_intervals_of_the_slope_contain_zero_as_often_as_stated() -> None:
    inside = 0
    for seed in range(60):
        answers = fatigued(seed, 0.0)
        slope = regress_agreement(answers, {"position": positions(answers)})["position"]
        assert slope.low is not None
        assert slope.high is not None
        assert slope.p_value is not None
        assert (slope.p_value > 0.05) == (slope.low <= 0 <= slope.high)
        inside += slope.low <= 0 <= slope.high
    assert inside >= 51  # 95% of 60 is 57; fewer than 51 has a chance below 1%


def test_a_covariate_that_is_constant_or_repeats_another_has_a_reason() -> None:
    answers = simulate_answers(0)
    place = positions(answers)
    covariates = {"position": place, "minutes": 2 * place + 1, "site": np.ones(len(place))}
    slopes = regress_agreement(answers, covariates)
    assert slopes["position"].value is not None
    assert slopes["minutes"].reason == slopes["site"].reason == "no_variation"


def test_few_raters_have_no_slope() -> None:
    answers = simulate_answers(0, raters=4, planted=False)
    slopes = regress_agreement(answers, {"position": positions(answers)})
    assert slopes["position"].reason == "too_few_raters"
    assert regress_agreement(answers, {}) == {}
