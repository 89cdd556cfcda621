from __future__ import annotations

import pytest

from backend.science.statistic import Statistic
from backend.science.timing import active_median


def test_the_median_is_the_middle_duration_whatever_the_order() -> None:
    assert active_median([90_000, 1_000, 30_000]) == Statistic(30_000.0, 3)


def test_an_even_number_of_durations_takes_the_mean_of_the_middle_two() -> None:
    assert active_median([1, 2, 5, 100]) == Statistic(3.5, 4)


def test_one_forgotten_window_does_not_move_the_median() -> None:
    assert active_median([20, 30, 40]).value == active_median([20, 30, 10**9]).value


def test_no_durations_have_no_median() -> None:
    assert active_median([]) == Statistic(None, 0, "no_durations")


def test_a_negative_duration_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        active_median([5, -1])
