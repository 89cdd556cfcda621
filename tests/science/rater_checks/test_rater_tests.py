"""Simulated p-values that stop early."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from backend.science.rater_checks.rater_tests import RaterTest, adjust_tests, simulated_p


def p_of(observed: float, seed: int, draws: int) -> float:
    rng = np.random.default_rng(seed)
    return simulated_p(observed, lambda count: rng.normal(size=count), draws=draws)[0]


def test_a_small_p_value_is_that_of_all_draws() -> None:
    assert p_of(3.5, 1, 49_999) == pytest.approx(norm.sf(3.5), abs=1.5e-4)
    assert p_of(9, 1, 49_999) == 1 / 50_000


def test_a_large_p_value_needs_few_draws() -> None:
    drawn: list[int] = []
    rng = np.random.default_rng(2)

    def draw(count: int) -> np.ndarray:
        drawn.append(count)
        return rng.normal(size=count)

    p, mean = simulated_p(0, draw, draws=49_999)
    assert sum(drawn) == 500
    assert p == pytest.approx(0.5, abs=0.2)
    assert mean == pytest.approx(0, abs=0.2)


def test_p_values_are_valid_at_small_levels() -> None:
    observed = np.random.default_rng(3).normal(size=2_000).tolist()
    p = np.array([p_of(one, seed, 999) for seed, one in enumerate(observed)])
    for level in (0.01, 0.05, 0.2):
        assert np.mean(p <= level) == pytest.approx(level, abs=0.02)


def test_a_flag_is_adjusted_over_raters_and_the_checks_of_a_study() -> None:
    tests = adjust_tests([RaterTest(at, 0, 0, 20, p) for at, p in enumerate((0.001, 0.003))])
    assert [one.adjusted for one in tests] == [pytest.approx(0.02), pytest.approx(0.03)]
    assert all(one.flagged for one in tests)
    assert not adjust_tests([RaterTest(0, 0, 0, 20, 0.006)])[0].flagged
