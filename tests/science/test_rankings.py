from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from backend.science.rankings import (
    Groups,
    InvalidRanking,
    competition_ranks,
    mid_ranks,
    ranked_ids,
    same_order,
    validate_weak_order,
)
from tests.science.strategies import groups_of, weak_orders

IDS = tuple("abcdef")


@given(weak_orders(IDS))
def test_every_weak_order_over_the_ids_is_valid(groups: Groups) -> None:
    validate_weak_order(groups, IDS)


def test_the_empty_ranking_of_no_ids_is_valid() -> None:
    validate_weak_order([], [])
    assert mid_ranks([], []).shape == (0,)
    assert competition_ranks([]) == {}


def test_all_errors_of_a_ranking_are_reported_at_once() -> None:
    with pytest.raises(InvalidRanking) as caught:
        validate_weak_order([["x", "b"], [], ["b", "y"], [], ["b"]], ["d", "a", "b"])
    assert caught.value.unknown == ("x", "y")
    assert caught.value.missing == ("d", "a")
    assert caught.value.repeated == ("b",)
    assert caught.value.empty_groups == (1, 3)
    for fault in ("'x'", "'d'", "'b'", "[1, 3]"):
        assert fault in str(caught.value)


@given(weak_orders(IDS), st.sampled_from(IDS))
def test_dropping_an_id_makes_it_missing(groups: Groups, dropped: str) -> None:
    rest = [[item for item in group if item != dropped] for group in groups]
    with pytest.raises(InvalidRanking) as caught:
        validate_weak_order([group for group in rest if group], IDS)
    assert caught.value.missing == (dropped,)
    assert not (caught.value.unknown or caught.value.repeated or caught.value.empty_groups)


@given(weak_orders(IDS), st.sampled_from(IDS), st.data())
def test_an_id_in_two_places_is_repeated(groups: Groups, twice: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(groups) - 1))
    doubled = [[*group, twice] if i == place else group for i, group in enumerate(groups)]
    with pytest.raises(InvalidRanking) as caught:
        validate_weak_order(doubled, IDS)
    assert caught.value.repeated == (twice,)
    assert not (caught.value.unknown or caught.value.missing or caught.value.empty_groups)


def test_ids_are_compared_byte_for_byte() -> None:
    with pytest.raises(InvalidRanking) as caught:
        validate_weak_order([["Zinc "]], ["Zinc"])
    assert (caught.value.unknown, caught.value.missing) == (("Zinc ",), ("Zinc",))


def test_a_bare_string_is_not_read_as_a_tie_of_its_characters() -> None:
    with pytest.raises(TypeError):
        validate_weak_order(["ab"], ["a", "b"])


def test_duplicate_ids_are_a_caller_error() -> None:
    with pytest.raises(ValueError, match="distinct") as caught:
        validate_weak_order([["a"]], ["a", "a"])
    assert not isinstance(caught.value, InvalidRanking)


def test_an_invalid_ranking_error_survives_pickling() -> None:
    error = InvalidRanking(("x",), ("a",), ("b",), (1,))
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.unknown, copy.missing, copy.repeated, copy.empty_groups) == error.args
    assert str(copy) == str(error)


@pytest.mark.parametrize("measure", [ranked_ids, competition_ranks])
@pytest.mark.parametrize("groups", [[["a"], []], [["a"], ["a"]], [[], ["a"]]])
def test_measures_reject_empty_groups_and_duplicates(
    measure: Callable[[Groups], object], groups: Groups
) -> None:
    with pytest.raises(InvalidRanking):
        measure(groups)


def test_tied_ids_share_the_mean_rank() -> None:
    ranks = mid_ranks([["d"], ["a", "c"], ["b"]], ["a", "b", "c", "d"])
    assert ranks.tolist() == [2.5, 4.0, 2.5, 1.0]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_mid_ranks_equal_those_of_scipy(row: list[int]) -> None:
    names = [str(i) for i in range(len(row))]
    assert mid_ranks(groups_of(row), names).tolist() == rankdata(row).tolist()


@given(weak_orders(IDS))
def test_mid_ranks_always_sum_to_the_same_total(groups: Groups) -> None:
    assert mid_ranks(groups, IDS).sum() == 21


def test_mid_ranks_reject_a_ranking_of_other_ids() -> None:
    with pytest.raises(InvalidRanking):
        mid_ranks([["a"], ["b"]], ["a", "c"])


def test_competition_ranks_skip_ranks_after_a_tie() -> None:
    ranks = competition_ranks([["a"], ["b"], ["d", "c"], ["e"]])
    assert ranks == {"a": 1, "b": 2, "c": 3, "d": 3, "e": 5}


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_competition_ranks_equal_scipys_minimum_ranks(row: list[int]) -> None:
    ranks = competition_ranks(groups_of(row))
    assert [ranks[str(i)] for i in range(len(row))] == rankdata(row, method="min").tolist()


def test_the_order_inside_a_group_is_irrelevant() -> None:
    assert same_order([["a", "b"], ["c"]], [["b", "a"], ["c"]])


@pytest.mark.parametrize(
    "other",
    [
        [["c"], ["a", "b"]],
        [["a"], ["b"], ["c"]],
        [["a", "b", "c"]],
        [["a", "b"]],
        [["a", "b"], ["d"]],
    ],
)
def test_different_groups_or_ids_are_different_orders(other: Groups) -> None:
    assert not same_order([["a", "b"], ["c"]], other)


@given(weak_orders(IDS), weak_orders(IDS))
def test_two_rankings_are_the_same_order_when_their_mid_ranks_agree(a: Groups, b: Groups) -> None:
    assert same_order(a, b) == (mid_ranks(a, IDS).tolist() == mid_ranks(b, IDS).tolist())
