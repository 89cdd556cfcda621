from __future__ import annotations

import numpy as np
import pytest

from backend.science.evaluation.ladder import ladder_step
from tests.science.evaluation.ladder_attack import STEP, ladder_gain, naive_gain
from tests.science.evaluation.worlds import F1, MEAN, confusion_sums, mean_sums

ATTACKS = 100


def test_the_step_of_a_mean_is_the_paired_standard_error() -> None:
    standing, new = np.random.default_rng(0).random((2, 90))
    result = ladder_step(mean_sums(standing), mean_sums(new), MEAN)
    assert result.gain == pytest.approx((new - standing).mean())
    assert result.step == pytest.approx((new - standing).std(ddof=1) / 90**0.5)
    assert result.better == (result.gain > result.step)


@pytest.mark.parametrize(("changed", "better"), [(0, False), (1, False), (2, True)])
def test_one_more_right_item_is_no_step(changed: int, better: bool) -> None:
    standing = np.zeros(300)
    new = standing.copy()
    new[:changed] = 1
    assert ladder_step(mean_sums(standing), mean_sums(new), MEAN).better is better


def test_where_lower_is_better_a_lower_value_replaces() -> None:
    low, high = np.random.default_rng(0).random((2, 90)) + np.array([[0.0], [1.0]])
    there = ladder_step(mean_sums(high), mean_sums(low), MEAN, higher_is_better=False)
    back = ladder_step(mean_sums(low), mean_sums(high), MEAN, higher_is_better=False)
    assert there.better and not back.better
    assert (there.gain, there.step) == (-back.gain, back.step)


def test_the_same_gain_in_every_cluster_has_no_step() -> None:
    result = ladder_step(mean_sums(np.zeros(60)), mean_sums(np.full(60, 0.25)), MEAN)
    assert (result.better, result.gain, result.step) == (True, 0.25, 0.0)


def test_a_single_cluster_is_never_better() -> None:
    result = ladder_step(mean_sums(np.zeros(1)), mean_sums(np.ones(1)), MEAN)
    assert result.better is False and result.step == np.inf


def test_f1_is_compared_over_clusters() -> None:
    standing = confusion_sums(1, 80, seed=1)[0]
    new = standing + np.array([2, 0, 0, 0])
    assert ladder_step(standing, new, F1).better
    assert not ladder_step(new, standing, F1).better


def test_submissions_of_other_clusters_are_rejected() -> None:
    with pytest.raises(ValueError, match="same clusters"):
        ladder_step(np.ones((5, 2)), np.ones((6, 2)), MEAN)


def test_boosting_gains_at_most_two_and_a_half_steps_in_the_mean() -> None:
    gains = [ladder_gain([20_261_122, attack]) for attack in range(ATTACKS)]
    assert np.mean(gains) <= 2.5 * STEP


def test_the_same_attack_gains_more_than_a_tenth_on_a_naive_board() -> None:
    assert np.mean([naive_gain([20_261_122, attack]) for attack in range(10)]) > 0.1
