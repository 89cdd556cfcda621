from __future__ import annotations

import numpy as np
import pytest

from backend.science.bootstrap import percentile_interval


def test_the_same_seed_gives_the_same_bounds_and_another_seed_others() -> None:
    values = np.random.default_rng(0).normal(size=30).tolist()
    assert percentile_interval(values, seed=1) == percentile_interval(values, seed=1)
    assert percentile_interval(values, seed=1) != percentile_interval(values, seed=2)


def test_a_95_percent_interval_covers_the_true_mean_about_that_often() -> None:
    samples = np.random.default_rng(5).uniform(size=(400, 40))
    bounds = [
        percentile_interval(row.tolist(), seed=i, resamples=300) for i, row in enumerate(samples)
    ]
    covered = np.mean([low <= 0.5 <= high for low, high in bounds])
    # 400 trials have a standard error of 0.011; the percentile interval is known to be narrow.
    assert 0.91 <= covered <= 0.98


def test_bounds_approach_the_normal_approximation() -> None:
    values = np.linspace(0, 1, 200)
    low, high = percentile_interval(values.tolist(), seed=0, resamples=4000)
    reach = 1.96 * values.std() / np.sqrt(200)
    assert (low, high) == pytest.approx((0.5 - reach, 0.5 + reach), abs=0.004)


def test_a_higher_level_gives_a_wider_interval() -> None:
    values = list(map(float, range(20)))
    narrow = percentile_interval(values, seed=0, level=0.5)
    wide = percentile_interval(values, seed=0, level=0.99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_equal_values_give_an_interval_of_no_width() -> None:
    assert percentile_interval([0.25] * 8, seed=0) == (0.25, 0.25)


def test_bounds_are_plain_floats() -> None:
    assert {type(bound) for bound in percentile_interval([1.0, 2.0], seed=0)} == {float}


@pytest.mark.parametrize("values", [[], [1.0, float("nan")], [float("inf")]])
def test_values_without_a_mean_are_rejected(values: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        percentile_interval(values, seed=0)


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.95), (10, 0.0), (10, 1.0)])
def test_invalid_settings_are_rejected(resamples: int, level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        percentile_interval([1.0], seed=0, resamples=resamples, level=level)
