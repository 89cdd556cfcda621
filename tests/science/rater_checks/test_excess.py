"""Numbers of wrong answers against the Poisson binomial distribution and the spread of raters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import expit, logit

from backend.science.chance_matches import matches_tail
from backend.science.rater_checks.excess import SHRINKAGE, SPREADS, chances_of_counts, check_excess
from backend.science.rater_checks.rater_tests import RaterTest


def check_rows(wrong: np.ndarray) -> list[RaterTest]:
    """wrong: (raters, items), all answered."""
    raters, items = np.indices(wrong.shape)
    return check_excess(raters.ravel(), items.ravel(), wrong.ravel())


def test_without_a_spread_the_number_is_poisson_binomial() -> None:
    shares = np.array([0.05, 0.3, 0.0, 1.0, 0.6])
    (alone, *_) = chances_of_counts(shares)
    tails = [matches_tail(shares, count) for count in range(6)]
    np.testing.assert_allclose(alone[::-1].cumsum()[::-1], tails, atol=1e-12)


def test_with_a_spread_it_is_averaged_over_the_abilities_of_raters() -> None:
    shares, deviation = np.array([0.1, 0.3, 0.6]), float(SPREADS[4])
    middle = np.sqrt(1 + SHRINKAGE * deviation**2) * logit(shares)

    def integrand(z: float, count: int) -> float:
        chances = expit(middle + deviation * z)
        exact = matches_tail(chances, count) - matches_tail(chances, count + 1)
        return float(stats.norm.pdf(z)) * exact

    expected = [integrate.quad(integrand, -8, 8, args=(count,))[0] for count in range(4)]
    np.testing.assert_allclose(chances_of_counts(shares)[4], expected, atol=1e-6)


def test_who_errs_far_more_than_equal_raters_is_flagged() -> None:
    wrong = np.arange(20) // 2 == np.arange(10)[:, None]  # two of twenty each
    wrong[3, :12] = True
    tests = check_rows(wrong)
    assert [one.rater for one in tests if one.flagged] == [3]
    assert tests[3].value == wrong[3].mean()
    assert tests[3].expected == pytest.approx(wrong.mean())


def test_the_weakest_of_raters_who_differ_is_not_flagged_for_it() -> None:
    chances = np.linspace(0.02, 0.5, 20)[:, None]
    studies = [np.random.default_rng(seed).random((20, 20)) < chances for seed in range(20)]
    assert sum(any(one.flagged for one in check_rows(wrong)) for wrong in studies) <= 1


def test_two_answers_are_too_few() -> None:
    assert check_rows(np.ones((5, 2), dtype=bool)) == []
