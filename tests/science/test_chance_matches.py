import numpy as np
import pytest
from scipy.stats import binom

from backend.science.chance_matches import matches_tail


@pytest.mark.parametrize("observed", range(13))
def test_equal_shares_give_the_binomial_tail(observed: int) -> None:
    expected = binom.sf(observed - 1, 12, 0.3)
    assert matches_tail([0.3] * 12, observed) == pytest.approx(expected, abs=1e-14)


def test_unequal_shares_agree_with_all_outcomes_counted_one_by_one() -> None:
    shares = np.array([0.1, 0.5, 0.9, 1.0, 0.0, 0.4])
    total = 0.0
    for code in range(2**shares.size):
        drawn = np.array([code >> place & 1 for place in range(shares.size)])
        if drawn.sum() >= 3:
            total += float(np.where(drawn, shares, 1 - shares).prod())
    assert matches_tail(shares, 3) == pytest.approx(total)


def test_nothing_observed_is_certain_and_more_than_all_impossible() -> None:
    assert matches_tail([0.2], 0) == 1
    assert matches_tail([0.2], 2) == 0
    assert matches_tail([], 1) == 0


@pytest.mark.parametrize("shares", [[1.5], [-0.1], [[0.5]], [float("nan")]])
def test_other_numbers_are_refused(shares: list[float]) -> None:
    with pytest.raises(ValueError, match="shares"):
        matches_tail(shares, 1)
