from __future__ import annotations

import numpy as np
import pytest

from backend.science.judgements.kappa import chance_corrected_agreement
from backend.science.rater_checks.retest import (
    retest_choices,
    retest_rankings,
)


def test_pi_is_the_agreement_beyond_that_of_pooled_shares() -> None:
    # 6 of 8 agree; choice 0 was given 9 times of 16: chance = (81 + 49) / 256.
    first, second = [0, 0, 0, 0, 1, 1, 0, 1], [0, 0, 0, 0, 1, 1, 1, 0]
    share, corrected = retest_choices(range(8), first, second, seed=0)
    assert share.value == 0.75
    chance = (10 / 16) ** 2 + (6 / 16) ** 2
    assert corrected.value == pytest.approx((0.75 - chance) / (1 - chance))
    assert share.low is not None
    assert corrected.method == "jackknife"


def test_pi_of_two_occasions_is_the_kappa_of_interchangeable_raters() -> None:
    first, second = np.random.default_rng(3).integers(0, 3, (2, 40))
    _, corrected = retest_choices(range(40), first, second, seed=0)
    kappa = chance_corrected_agreement([first, second], "fleiss", seed=0, draws=1)
    assert corrected.value == pytest.approx(kappa.value)


def test_one_choice_alone_has_no_agreement_beyond_chance() -> None:
    share, corrected = retest_choices(range(6), [2] * 6, [2] * 6, seed=0)
    assert (share.value, corrected.value) == (1, 0)


def test_an_item_repeated_by_several_raters_is_one_cluster() -> None:
    share, _ = retest_choices([0, 0, 0, 1, 1, 1], [0] * 6, [0, 0, 0, 1, 1, 1], seed=0)
    assert (share.value, share.items, share.clusters) == (0.5, 6, 2)
    assert share.reason == "too_few_clusters"


def test_rankings_are_compared_by_tau_b_and_complete_ties_are_left_out() -> None:
    order = [["a"], ["b"], ["c"]]
    tie = [["a", "b", "c"]]
    pairs = [(order, order), (order, order[::-1]), (order, [["a"], ["c"], ["b"]]), (order, tie)]
    result = retest_rankings(range(4), pairs, seed=0)
    assert result is not None
    assert result.value == pytest.approx((1 - 1 + 1 / 3) / 3)
    assert result.items == 3
    assert retest_rankings([0], [(order, tie)], seed=0) is None


def test_a_retest_without_items_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one item"):
        retest_choices([], [], [], seed=0)
