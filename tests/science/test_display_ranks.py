from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.science.display_ranks import (
    Column,
    Direction,
    Highlights,
    competition_places,
    highlight,
    round_displayed,
)


def column(*values: float | None, direction: Direction = "higher", decimals: int = 2) -> Column:
    return Column(dict(zip("abcdef", values, strict=False)), direction, decimals)


def marks(best: str, second: str = "") -> Highlights:
    return Highlights(frozenset(best), frozenset(second))


def test_the_highest_is_best_and_the_next_second() -> None:
    assert highlight(column(0.3, 0.9, 0.5)) == marks("b", "c")


def test_the_lowest_is_best_where_lower_is_better() -> None:
    assert highlight(column(0.3, 0.9, 0.5, direction="lower")) == marks("a", "c")


def test_values_that_print_the_same_share_the_mark() -> None:
    assert highlight(column(0.904, 0.896, 0.5)) == marks("ab")
    assert highlight(column(0.904, 0.896, 0.5, decimals=3)) == marks("a", "b")


def test_there_is_no_second_if_several_are_best() -> None:
    assert highlight(column(0.9, 0.9, 0.8, 0.7)) == marks("ab")


def test_several_can_share_second() -> None:
    assert highlight(column(0.9, 0.8, 0.8, 0.7)) == marks("a", "bc")


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_a_missing_value_is_never_marked_or_placed(direction: Direction) -> None:
    result = column(None, 0.2, None, direction=direction)
    assert highlight(result) == marks("b")
    assert competition_places(result) == {"a": None, "b": 1, "c": None}


def test_a_column_without_values_has_no_marks() -> None:
    assert highlight(column(None, None)) == marks("")
    assert highlight(column()) == marks("")


def test_zero_and_negative_values_are_values_like_others() -> None:
    assert highlight(column(0.0, -1.0, None)) == marks("a", "b")
    assert highlight(column(0.0, -1.0, None, direction="lower")) == marks("b", "a")


def test_what_prints_as_minus_zero_equals_zero() -> None:
    assert highlight(column(-0.001, 0.001, -1.0)) == marks("ab")


def test_places_skip_after_a_tie() -> None:
    assert competition_places(column(0.7, 0.9, 0.8, 0.8, None, 0.6)) == {
        "a": 4,
        "b": 1,
        "c": 2,
        "d": 2,
        "e": None,
        "f": 5,
    }


def test_places_come_in_the_order_of_the_column() -> None:
    assert list(competition_places(column(0.1, None, 0.9))) == ["a", "b", "c"]


scores = st.lists(st.none() | st.integers(-30, 30).map(lambda n: n / 8), max_size=8)


@given(scores, st.sampled_from(["higher", "lower"]), st.integers(0, 3))
def test_a_place_is_one_more_than_the_number_that_print_better(
    values: list[float | None], direction: Direction, decimals: int
) -> None:
    by_entry = {str(i): value for i, value in enumerate(values)}
    sign = 1 if direction == "higher" else -1
    printed = {k: sign * round_displayed(v, decimals) for k, v in by_entry.items() if v is not None}
    expected = {
        entry: 1 + sum(other > printed[entry] for other in printed.values())
        if entry in printed
        else None
        for entry in by_entry
    }
    assert competition_places(Column(by_entry, direction, decimals)) == expected


@given(scores, st.integers(0, 3))
def test_turning_the_sign_and_the_direction_changes_nothing(
    values: list[float | None], decimals: int
) -> None:
    by_entry = {str(i): value for i, value in enumerate(values)}
    negated = {entry: None if value is None else -value for entry, value in by_entry.items()}
    assert competition_places(Column(by_entry, "higher", decimals)) == competition_places(
        Column(negated, "lower", decimals)
    )


@pytest.mark.parametrize(
    ("value", "decimals", "printed"),
    [
        (0.125, 2, "0.13"),  # an exact half: JavaScript's (0.125).toFixed(2) is "0.13"
        (-2.5, 0, "-3"),  # (-2.5).toFixed(0) is "-3"
        (1.005, 2, "1.00"),  # just under the half in binary: (1.005).toFixed(2) is "1.00"
        (0.9999, 2, "1.00"),
        (12.0, 0, "12"),
    ],
)
def test_values_print_as_javascript_prints_them(value: float, decimals: int, printed: str) -> None:
    assert str(round_displayed(value, decimals)) == printed


def test_the_largest_and_smallest_floats_can_be_printed() -> None:
    assert round_displayed(sys.float_info.max, 20) == int(sys.float_info.max)
    assert round_displayed(5e-324, 20) == 0


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_a_non_finite_value_is_rejected(value: float, direction: Direction) -> None:
    with pytest.raises(ValueError, match="finite"):
        highlight(column(0.5, value, direction=direction))


@pytest.mark.parametrize("decimals", [-1, 21])
def test_decimals_out_of_range_are_rejected(decimals: int) -> None:
    with pytest.raises(ValueError, match="decimals"):
        round_displayed(0.5, decimals)
