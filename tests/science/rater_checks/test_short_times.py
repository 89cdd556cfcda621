from __future__ import annotations

import numpy as np
import pytest

from backend.science.judgements.study_level import CHECKS
from backend.science.rater_checks.short_times import check_short_times

RATERS, ITEMS = 6, 40


def simulate(seed: int, *, pace: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All raters answer all items; rater 0 takes `pace` times as long as the others."""
    rng = np.random.default_rng(seed)
    raters, items = (it.ravel() for it in np.indices((RATERS, ITEMS)))
    seconds = rng.lognormal(3.5, 0.5, ITEMS)[items] * rng.lognormal(0, 0.4, len(items))
    seconds[raters == 0] *= pace
    return raters, items, seconds


def test_the_value_and_p_are_those_of_hand_counts() -> None:
    raters = np.repeat([0, 1, 2], 12)
    items = np.tile(np.arange(12), 3)
    seconds = np.concatenate([np.full(9, 5.0), np.full(3, 30.0), np.full(24, 30.0)])
    first, *others = check_short_times(raters, items, seconds)
    assert (first.rater, first.n, first.expected) == (0, 12, 1.0)
    assert first.value == pytest.approx(5 / 30)
    # 9 of 12 items below a third: P(9 or more heads of 12).
    assert first.p_value == pytest.approx((220 + 66 + 12 + 1) / 2**12)
    assert first.adjusted == pytest.approx(min(1.0, CHECKS * 3 * first.p_value))
    assert [one.p_value for one in others] == [1.0, 1.0]


def test_two_seconds_a_question_are_flagged_and_a_quick_rater_is_not() -> None:
    for seed in range(20):
        hardly_looks = {one.rater: one for one in check_short_times(*simulate(seed, pace=0.06))}
        assert hardly_looks[0].flagged
        assert not any(one.flagged for rater, one in hardly_looks.items() if rater)
        assert not any(one.flagged for one in check_short_times(*simulate(seed, pace=0.6)))


def test_at_the_limit_a_rater_is_flagged_in_less_than_five_studies_of_a_hundred() -> None:
    studies = [check_short_times(*simulate(seed, pace=1 / 3)) for seed in range(100)]
    assert sum(one[0].p_value <= 0.05 for one in studies) <= 12
    assert sum(one[0].flagged for one in studies) <= 3


def test_unknown_times_and_too_few_others_count_nothing() -> None:
    raters, items, seconds = simulate(1, pace=0.06)
    assert check_short_times(raters, items, np.full(len(raters), np.nan)) == []
    pair = raters < 2
    assert check_short_times(raters[pair], items[pair], seconds[pair]) == []
    few = items < 9
    assert check_short_times(raters[few], items[few], seconds[few]) == []
