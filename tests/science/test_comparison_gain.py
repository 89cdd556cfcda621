"""Expected information about strengths: most where few comparisons link two arms."""

import numpy as np
import pytest

from backend.science.judgements.bradley_terry import LEFT, RIGHT, TIE, Comparisons
from backend.science.judgements.comparison_gain import comparison_gain

PAIRS = (np.array([0, 0, 1]), np.array([1, 2, 2]))


def compare(*rows: tuple[int, int, int]) -> Comparisons:
    left, right, outcome = np.array(rows).T
    return Comparisons(left, right, outcome, np.zeros_like(left), 3)


@pytest.mark.parametrize("before", [None, compare((0, 1, TIE))])
def test_without_a_decided_comparison_all_pairs_inform_by_the_prior(
    before: Comparisons | None,
) -> None:
    assert comparison_gain(before, *PAIRS, 3) == pytest.approx([np.log1p(2 / 4) / 2] * 3)


def test_a_pair_that_was_compared_informs_less_than_one_that_was_not() -> None:
    often = compare(*[(0, 1, LEFT), (0, 1, RIGHT)] * 10)
    known, other, third = comparison_gain(often, *PAIRS, 3)
    assert known < other == pytest.approx(third)
    assert 0 < known < comparison_gain(None, *PAIRS, 3)[0]
