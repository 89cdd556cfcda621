from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, kendalltau, spearmanr

from backend.science.agreement import kendall_w, mean_pairwise_tau_b, tau_b, top1_agreement
from backend.science.optional_statistic import Reason, Statistic
from backend.science.rankings import Groups, InvalidRanking, mid_ranks
from tests.science.strategies import Table, groups_of, rank_tables, untied_tables, weak_orders

# An undefined value must be recognised, not divided by zero.
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

# Anxiety of 20 people as rated by three raters, with many ties: simulated data of the R package
# irr. W corrected for ties is printed in the reference of DescTools::KendallW.
ANXIETY = [
    [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
    [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
    [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
]
ANXIETY_W = 0.5396569


def value_of(statistic: Statistic) -> float:
    assert statistic.value is not None, statistic.reason
    return statistic.value


def brute_force_tau_b(x: list[int], y: list[int]) -> float | None:
    concordant = discordant = tied_in_x = tied_in_y = 0
    for i, k in combinations(range(len(x)), 2):
        tied_in_x += x[i] == x[k]
        tied_in_y += y[i] == y[k]
        concordant += (x[i] - x[k]) * (y[i] - y[k]) > 0
        discordant += (x[i] - x[k]) * (y[i] - y[k]) < 0
    pairs = len(x) * (len(x) - 1) // 2
    scale = (pairs - tied_in_x) * (pairs - tied_in_y)
    return (concordant - discordant) / sqrt(scale) if scale else None


def all_tied(row: list[int]) -> bool:
    return len(set(row)) == 1


def test_w_of_published_ratings_with_ties_is_the_published_value() -> None:
    assert value_of(kendall_w(ANXIETY)) == pytest.approx(ANXIETY_W, abs=5e-8)


def test_w_follows_the_textbook_formula_with_its_tie_term() -> None:
    ranks: list[list[float]] = [[1, 2.5, 2.5, 4], [1, 2, 3, 4], [1.5, 1.5, 3, 4]]
    # Rank sums 3.5, 6, 8.5, 12 have mean 7.5: S = 16 + 2.25 + 1 + 20.25; T = 6 + 0 + 6.
    assert value_of(kendall_w(ranks)) == 12 * 39.5 / (9 * 60 - 3 * 12)


def random_tables(*, raters: tuple[int, int] = (2, 7)) -> Iterator[Table]:
    """200 tables of three to seven items with ties; without ones where a rater tied everything."""
    rng, count = np.random.default_rng(7), 0
    while count < 200:
        shape = (int(rng.integers(*raters)), int(rng.integers(3, 8)))
        table = rng.integers(0, rng.integers(2, shape[1] + 1), shape).tolist()
        if not any(map(all_tied, table)):
            count += 1
            yield table


def test_w_of_random_tables_is_friedmans_chi_square_over_its_maximum() -> None:
    for table in random_tables():
        raters, items = len(table), len(table[0])
        expected = friedmanchisquare(*np.transpose(table)).statistic / (raters * (items - 1))
        assert value_of(kendall_w(table)) == pytest.approx(expected, abs=1e-12), table


def test_tau_b_of_random_tables_is_scipys_and_that_of_all_pairs() -> None:
    for x, y in random_tables(raters=(2, 3)):
        expected = kendalltau(x, y, variant="b").statistic
        assert value_of(tau_b(x, y)) == pytest.approx(expected, abs=1e-12), (x, y)
        assert brute_force_tau_b(x, y) == pytest.approx(expected, abs=1e-12), (x, y)


@given(rank_tables(raters=(3, 6), items=(3, 7)))
def test_w_is_friedmans_chi_square_over_its_maximum(table: Table) -> None:
    assume(not all(map(all_tied, table)))
    raters, items = len(table), len(table[0])
    chi_square = friedmanchisquare(*np.transpose(table)).statistic
    expected = chi_square / (raters * (items - 1))
    assert value_of(kendall_w(table)) == pytest.approx(expected, abs=1e-12)


@given(untied_tables())
def test_w_without_ties_follows_from_the_mean_of_spearmans_rho(table: Table) -> None:
    raters = len(table)
    rho = np.mean([spearmanr(x, y).statistic for x, y in combinations(table, 2)])
    expected = (1 + (raters - 1) * rho) / raters
    assert value_of(kendall_w(table)) == pytest.approx(expected, abs=1e-12)


@given(rank_tables())
def test_w_lies_between_zero_and_one(table: Table) -> None:
    assume(not all(map(all_tied, table)))
    assert 0.0 <= value_of(kendall_w(table)) <= 1.0


@given(rank_tables(), st.booleans())
def test_w_is_one_exactly_when_all_gave_the_same_weak_order(table: Table, copied: bool) -> None:
    table = [table[0]] * len(table) if copied else table
    assume(not all(map(all_tied, table)))
    identical = all(groups_of(row) == groups_of(table[0]) for row in table)
    assert (kendall_w(table).value == 1.0) == identical


def test_w_of_two_opposite_rankings_is_zero() -> None:
    assert kendall_w([[1, 2, 3], [3, 2, 1]]) == Statistic(0.0, 2)


def test_one_rater_who_ties_everything_lowers_w_but_leaves_it_defined() -> None:
    assert kendall_w([[1, 2, 3], [2, 2, 2]]) == Statistic(0.5, 2)


@given(rank_tables(), st.randoms(use_true_random=False))
def test_agreement_is_invariant_to_item_names_and_rater_order(table: Table, random: Random) -> None:
    items = list(range(len(table[0])))
    random.shuffle(items)
    moved = [[row[i] for i in items] for row in table]
    random.shuffle(moved)
    assert kendall_w(moved) == kendall_w(table)
    before, after = mean_pairwise_tau_b(table), mean_pairwise_tau_b(moved)
    assert (after.n, after.left_out) == (before.n, before.left_out)
    assert after.value == pytest.approx(before.value, abs=1e-12)


@given(rank_tables())
def test_agreement_depends_on_rank_order_only(table: Table) -> None:
    stretched = [[10.0**rank for rank in row] for row in table]
    assert kendall_w(stretched) == kendall_w(table)
    assert mean_pairwise_tau_b(stretched) == mean_pairwise_tau_b(table)


@given(rank_tables(raters=(2, 2)))
def test_tau_b_equals_scipys(table: Table) -> None:
    x, y = table
    assume(not all_tied(x) and not all_tied(y))
    expected = kendalltau(x, y, variant="b").statistic
    assert value_of(tau_b(x, y)) == pytest.approx(expected, abs=1e-12)


@given(rank_tables(raters=(2, 2)))
def test_tau_b_is_symmetric(table: Table) -> None:
    x, y = table
    assert tau_b(x, y) == tau_b(y, x)


@given(rank_tables(raters=(2, 2)), st.sampled_from([1, -1, 0]))
def test_tau_b_is_one_only_for_equal_and_minus_one_only_for_reversed_orders(
    table: Table, sign: int
) -> None:
    x, y = table
    y = [sign * rank for rank in x] if sign else y
    assume(not all_tied(x) and not all_tied(y))
    value = value_of(tau_b(x, y))
    assert (value == 1.0) == (groups_of(x) == groups_of(y))
    assert (value == -1.0) == (groups_of(x) == groups_of([-rank for rank in y]))


def test_tau_b_matches_brute_force_for_all_pairs_of_permutations_of_four() -> None:
    orders = [list(order) for order in permutations(range(4))]
    wrong = [
        (x, y) for x in orders for y in orders if value_of(tau_b(x, y)) != brute_force_tau_b(x, y)
    ]
    assert len(orders) ** 2 == 576
    assert wrong == []


def test_tau_b_of_rankings_compares_ranks_of_items_and_not_listings_of_ids() -> None:
    one, other = [["b"], ["c"], ["a"]], [["b"], ["a"], ["c"]]
    # Only a and c change places: one discordant pair of three. Correlating the listings
    # themselves, letter by letter, would call these two rankings opposites.
    ranks = [mid_ranks(groups, ["a", "b", "c"]) for groups in (one, other)]
    assert value_of(tau_b(*ranks)) == 1 / 3
    assert value_of(tau_b([1, 2, 0], [1, 0, 2])) == -1.0


@given(rank_tables())
def test_the_mean_of_tau_b_is_over_the_pairs_that_have_one_and_counts_the_rest(
    table: Table,
) -> None:
    values = [brute_force_tau_b(x, y) for x, y in combinations(table, 2)]
    defined = [value for value in values if value is not None]
    result = mean_pairwise_tau_b(table)
    assert result.n == len(defined)
    assert result.left_out.get("all_tied", 0) == len(values) - len(defined)
    if defined:
        assert value_of(result) == pytest.approx(np.mean(defined), abs=1e-12)
    else:
        assert (result.value, result.reason) == (None, "all_tied")


def test_pairs_with_a_rater_who_tied_everything_are_left_out_and_counted() -> None:
    result = mean_pairwise_tau_b([[1, 2, 3], [1, 2, 3], [2, 2, 2]])
    assert result == Statistic(1.0, 1, left_out={"all_tied": 2})


@pytest.mark.parametrize("measure", [kendall_w, mean_pairwise_tau_b])
@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([], "too_few_rankings"),
        ([[1, 2, 3]], "too_few_rankings"),
        ([[1], [1]], "too_few_items"),
        ([[], []], "too_few_items"),
        ([[1, 1], [1, 1]], "all_tied"),
    ],
)
def test_undefined_agreement_has_a_reason(
    measure: Callable[[Table], Statistic], table: Table, reason: str
) -> None:
    result = measure(table)
    assert (result.value, result.reason) == (None, reason)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [([1], [1], "too_few_items"), ([1, 1], [1, 2], "all_tied"), ([1, 2], [1, 1], "all_tied")],
)
def test_undefined_tau_b_has_a_reason(x: list[int], y: list[int], reason: str) -> None:
    assert (tau_b(x, y).value, tau_b(x, y).reason) == (None, reason)


@pytest.mark.parametrize("table", [[1, 2, 3], [[[1]]], [[1, float("nan")], [1, 2]]])
def test_a_table_of_non_finite_ranks_is_rejected(table: object) -> None:
    with pytest.raises(ValueError, match="ranks must be"):
        kendall_w(np.asarray(table, dtype=float))


def test_rank_vectors_of_unequal_length_are_rejected() -> None:
    with pytest.raises(ValueError, match="equal length"):
        tau_b([1, 2, 3], [1, 2])


def test_results_are_plain_python_numbers() -> None:
    for result in (kendall_w(ANXIETY), mean_pairwise_tau_b(ANXIETY), tau_b(*ANXIETY[:2])):
        assert (type(result.value), type(result.n)) == (float, int)


def test_top_sets_agree_only_as_wholes() -> None:
    rankings = [
        [["a"], ["b", "c"]],
        [["a", "b"], ["c"]],
        [["b", "a"], ["c"]],
        [["a"], ["b"], ["c"]],
    ]
    # Pairs that agree: first with fourth on {a}, second with third on {a, b}.
    assert top1_agreement(rankings) == Statistic(2 / 6, 6)


@given(st.lists(weak_orders(("a", "b", "c")), min_size=2, max_size=6))
def test_top1_agreement_is_the_share_of_agreeing_pairs(rankings: list[Groups]) -> None:
    agree = [set(one[0]) == set(other[0]) for one, other in combinations(rankings, 2)]
    assert value_of(top1_agreement(rankings)) == pytest.approx(sum(agree) / len(agree))


def test_raters_who_tied_everything_agree_on_the_top_set() -> None:
    assert top1_agreement([[["a", "b"]], [["b", "a"]]]) == Statistic(1.0, 1)


@pytest.mark.parametrize(
    ("rankings", "reason"),
    [
        ([], "too_few_rankings"),
        ([[["a"], ["b"]]], "too_few_rankings"),
        ([[["a"]], [["a"]]], "too_few_items"),
        ([[], []], "too_few_items"),
    ],
)
def test_undefined_top1_agreement_has_a_reason(rankings: list[Groups], reason: Reason) -> None:
    assert top1_agreement(rankings) == Statistic(None, 0, reason)


def test_top1_agreement_rejects_rankings_of_different_ids() -> None:
    with pytest.raises(InvalidRanking):
        top1_agreement([[["a"], ["b"]], [["a"], ["c"]]])
