"""Positive, tie and negative rates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from backend.science.judgements.ratings import RATES, rating_rates

GAP = np.nan


def test_rates_count_the_ratings_above_at_and_below_three() -> None:
    rates = rating_rates(np.array([[5, 4, 3, GAP], [1, 2, 4, 3]]), seed=0)
    assert [rates[rate].of_ratings.value for rate in RATES] == pytest.approx(
        [3 / 7, 2 / 7, 2 / 7, 5 / 7]
    )
    assert {rates[rate].of_ratings.n for rate in RATES} == {7}


def test_rates_have_wilsons_interval() -> None:
    """STaRK, Table 5: 73.6% of Amazon's ratings of naturalness are positive, 89.5% not negative.

    With 19 ratings these are 14 and 17.
    """
    rates = rating_rates([[4] * 14 + [3] * 3 + [2] * 2], seed=0)
    for rate, count in zip(RATES, (14, 3, 2, 17), strict=True):
        one = rates[rate].of_ratings
        theirs = stats.binomtest(count, 19).proportion_ci(method="wilson")
        assert (one.low, one.high) == pytest.approx(tuple(theirs), abs=1e-12)
    assert rates["positive"].of_ratings.value == pytest.approx(0.736, abs=1e-3)
    assert rates["non_negative"].of_ratings.value == pytest.approx(0.895, abs=1e-3)


def test_the_clustered_interval_is_wider_where_raters_differ() -> None:
    values = np.array([[5.0] * 40, [2.0] * 40, [4.0] * 40, [1.0] * 40, [3.0] * 40, [5.0] * 40])
    positive = rating_rates(values, seed=1)["positive"]
    assert positive.of_ratings.value == positive.clustered.value == 0.5
    wilson, clustered = positive.of_ratings, positive.clustered
    assert clustered.low is not None and wilson.low is not None
    assert clustered.high is not None and wilson.high is not None
    assert clustered.low < wilson.low - 0.2 and clustered.high > wilson.high + 0.2


def test_without_ratings_rates_are_undefined() -> None:
    rates = rating_rates([[GAP, GAP]], seed=0)
    assert {(rates[rate].of_ratings.reason, rates[rate].clustered.reason) for rate in RATES} == {
        ("too_few_items", "too_few_items")
    }


@pytest.mark.parametrize("values", [[[0, 3]], [[6]], [[2.5]], [1, 2]])
def test_other_values_and_shapes_are_rejected(values: npt.ArrayLike) -> None:
    with pytest.raises(ValueError, match=r"ratings are|judgements are"):
        rating_rates(values, seed=0)
