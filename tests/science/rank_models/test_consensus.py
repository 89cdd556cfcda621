"""Consensus orders, against every weak order tried in turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science.rank_models.consensus import borda_consensus, kemeny_consensus
from backend.science.rank_models.order_costs import OrderCosts
from backend.science.rank_models.order_search import search_order
from backend.science.rankings import Groups
from tests.science.strategies import weak_orders

gapped = st.lists(
    st.sampled_from(["abcde", "abcde", "abde", "bcd", "ae"]).flatmap(
        lambda ids: weak_orders(tuple(ids))
    ),
    max_size=6,
)


def all_weak_orders(ids: list[str]) -> Iterator[list[list[str]]]:
    if not ids:
        yield []
    for size in range(1, len(ids) + 1):
        for first in combinations(ids, size):
            rest = [one for one in ids if one not in first]
            for order in all_weak_orders(rest):
                yield [list(first), *order]


def places(groups: Groups) -> dict[str, int]:
    return {one: place for place, group in enumerate(groups) for one in group}


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def distance(order: Groups, ranking: Groups) -> float:
    """Kendall's distance with p = 1/2 over the pairs that both rank, pair by pair."""
    one, other, total = places(order), places(ranking), 0.0
    for i, k in combinations(sorted(other), 2):
        first, second = sign(one[i] - one[k]), sign(other[i] - other[k])
        total += 0.5 * abs(first - second)
    return total


def total_distance(order: Groups, rankings: list[Groups]) -> float:
    return sum(distance(order, ranking) for ranking in rankings)


def preference(order: list[list[str]]) -> tuple[int, list[list[str]]]:
    """The tie rule of `kemeny_consensus`: the fewest groups, then the first by position."""
    return len(order), order


def random_rankings(rng: np.random.Generator) -> list[Groups]:
    """Up to six rankings of two to all of five candidates, with ties."""
    result: list[Groups] = []
    for _ in range(rng.integers(0, 7)):
        ids = rng.permutation(list("abcde"))[: rng.integers(2, 6)]
        levels = rng.integers(0, len(ids), len(ids))
        result.append([[str(i) for i in ids[levels == level]] for level in np.unique(levels)])
    return result


def pair_costs(rankings: list[Groups]) -> dict[tuple[str, str], list[float]]:
    """Of each pair: what an order costs that has the first one before, equal or behind."""
    result = {}
    standings = [places(ranking) for ranking in rankings]
    for i, k in combinations("abcde", 2):
        signs = [sign(it[i] - it[k]) for it in standings if i in it and k in it]
        result[i, k] = [sum(0.5 * abs(own - one) for one in signs) for own in (-1, 0, 1)]
    return result


def test_kemeny_is_the_best_of_all_weak_orders_on_random_tables() -> None:
    orders = list(all_weak_orders(list("abcde")))
    standings = [places(order) for order in orders]
    for seed in range(200):
        rankings = random_rankings(np.random.default_rng(seed))
        costs_of = pair_costs(rankings)
        costs = [
            sum(cost[1 + sign(it[i] - it[k])] for (i, k), cost in costs_of.items())
            for it in standings
        ]
        least = min(costs)
        best = [order for order, cost in zip(orders, costs, strict=True) if cost == least]
        result = kemeny_consensus(rankings, "abcde")
        assert result.exact
        assert result.distance == least == total_distance(result.groups, rankings), seed
        assert result.optimal_orders == len(best), seed
        assert result.groups == min(best, key=preference), seed


@settings(max_examples=60)
@given(gapped)
def test_no_move_improves_what_the_local_search_returns(rankings: list[Groups]) -> None:
    costs = OrderCosts.of(rankings, "abcde")
    order = search_order(costs, rankings, "abcde")
    cost = costs.doubled_cost(order)
    assert sorted(one for group in order for one in group) == list(range(5))
    for number in range(5):
        rest = [[one for one in group if one != number] for group in order]
        rest = [group for group in rest if group]
        moves = [[*rest[:i], [number], *rest[i:]] for i in range(len(rest) + 1)]
        moves += [[*rest[:i], sorted([*rest[i], number]), *rest[i + 1 :]] for i in range(len(rest))]
        assert cost <= min(costs.doubled_cost(move) for move in moves)


def test_opposite_raters_tie_the_candidates() -> None:
    result = kemeny_consensus([[["a"], ["b"]], [["b"], ["a"]]], "ab")
    assert result.groups == [["a", "b"]]
    assert (result.distance, result.optimal_orders) == (1, 3)


def test_a_majority_of_ties_is_a_tie_and_of_orders_an_order() -> None:
    tie, order = [["a", "b"]], [["a"], ["b"]]
    assert kemeny_consensus([tie, tie, order], "ab").groups == [["a", "b"]]
    assert kemeny_consensus([tie, order, order], "ab").groups == [["a"], ["b"]]


def test_no_ranking_ties_all() -> None:
    assert kemeny_consensus([], "abc").groups == [["a", "b", "c"]]
    assert borda_consensus([], "abc") == [["a", "b", "c"]]
    assert kemeny_consensus([], "").groups == borda_consensus([], "") == []


def noisy_rankings(seed: int, count: int, raters: int) -> list[Groups]:
    rng, rankings = np.random.default_rng(seed), list[Groups]()
    for _ in range(raters):
        levels = np.rint(np.arange(count) / 2 + rng.normal(scale=1.5, size=count))
        rankings.append(
            [[f"c{i:02}" for i in np.flatnonzero(levels == level)] for level in np.unique(levels)]
        )
    return rankings


@pytest.mark.parametrize("seed", range(3))
def test_twelve_candidates_are_ordered_exactly_and_no_worse_than_by_search(seed: int) -> None:
    rankings, ids = noisy_rankings(seed, 12, 6), [f"c{i:02}" for i in range(12)]
    result, costs = kemeny_consensus(rankings, ids), OrderCosts.of(rankings, ids)
    assert result.exact
    assert result.distance == total_distance(result.groups, rankings)
    assert 2 * result.distance <= costs.doubled_cost(search_order(costs, rankings, ids))
    assert result.distance <= min(total_distance(one, rankings) for one in rankings)


def test_above_twelve_candidates_the_result_is_marked_as_a_heuristic() -> None:
    rankings, ids = noisy_rankings(0, 30, 5), [f"c{i:02}" for i in range(30)]
    result = kemeny_consensus(rankings, ids)
    assert (result.exact, result.optimal_orders) == (False, None)
    assert result.distance == total_distance(result.groups, rankings)
    assert result.distance <= min(total_distance(one, rankings) for one in rankings)
    unanimous = kemeny_consensus([rankings[0]] * 3, ids)
    assert (unanimous.groups, unanimous.distance) == (rankings[0], 0)


@given(st.lists(weak_orders(), min_size=1, max_size=5))
def test_borda_orders_by_the_mean_number_of_better_candidates(rankings: list[Groups]) -> None:
    def worse_points(one: str) -> float:
        total = 0.0
        for ranking in rankings:
            place = places(ranking)
            total += sum((place[it] < place[one]) + (place[it] == place[one]) / 2 for it in place)
        return total

    points = {one: worse_points(one) for one in "abcdef"}
    expected = [
        [one for one in "abcdef" if points[one] == level] for level in sorted(set(points.values()))
    ]
    assert borda_consensus(rankings, "abcdef") == expected


def test_a_ranking_of_other_ids_is_refused() -> None:
    with pytest.raises(ValueError, match="ids of its question"):
        kemeny_consensus([[["a"], ["z"]]], "ab")
