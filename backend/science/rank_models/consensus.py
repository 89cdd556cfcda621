"""One weak order for several raters' rankings: Borda's by mean ranks, and Kemeny's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.science.rank_models.order_costs import OrderCosts
from backend.science.rank_models.order_search import search_order
from backend.science.rankings import Groups, mid_ranks

MAX_EXACT = 12

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class KemenyConsensus:
    """A consensus order.

    distance: the sum of its Kendall distances to the rankings.
    exact: whether no other order has a smaller one; a heuristic does not know.
    optimal_orders: how many orders have this distance, if it is exact.
    """

    groups: Groups
    distance: float
    exact: bool
    optimal_orders: int | None


def borda_consensus(rankings: Sequence[Groups], ids: Sequence[str]) -> list[list[str]]:
    """The weak order by the mean of the raters' mid-ranks; ids tie at equal means.

    Groups have the order of `ids`. Without rankings all ids tie. Raises InvalidRanking unless every
    ranking has exactly these ids. Source: Borda (1781); mid-ranks as Kendall and Gibbons, Rank
    Correlation Methods (5th ed., 1990), chapter 3.
    """
    if not rankings:
        return [list(ids)] if ids else []
    means = np.mean([mid_ranks(one, ids) for one in rankings], axis=0)
    return [
        [one for one, mean in zip(ids, means, strict=True) if mean == value]
        for value in np.unique(means)
    ]


def kemeny_consensus(rankings: Sequence[Groups], ids: Sequence[str]) -> KemenyConsensus:
    """The weak order over `ids` with the smallest sum of Kendall distances to the rankings.

    A pair of ids costs 1 for each ranking with the opposite order, and 1/2 for each that ties it
    where the consensus does not, or the reverse. A ranking that lacks one of them costs nothing for
    the pair.

    Exact to 12 ids, by dynamic programming over the 3^n pairs of a set and its first group. Of
    several best orders the one with the fewest groups, so that the raters and not the order of ids
    decide; of these the one whose first group comes first by positions in `ids`, then the second
    group, and so on. Above 12 ids a local search, not `exact`: see `search_order`.

    Raises InvalidRanking for repeated ids in a ranking, ValueError for other ids than `ids`.
    Source: Kemeny, Daedalus 88 (1959); the distance with p = 1/2 of Fagin, Kumar, Mahdian,
    Sivakumar and Vee, SIAM J. Discrete Math. 20 (2006); gaps as the induced measure of
    Cohen-Boulakia, Denise and Hamel, SSDBM 2011.
    """
    costs = OrderCosts.of(rankings, ids)
    if len(ids) > MAX_EXACT:
        groups = search_order(costs, rankings, ids)
        named = [[ids[place] for place in group] for group in groups]
        return KemenyConsensus(named, costs.doubled_cost(groups) / 2, False, None)
    best, orders = _best_costs(costs)
    distance = int(best[-1]) // (len(ids) + 1) / 2
    named = [[ids[place] for place in group] for group in _first_order(costs, best)]
    return KemenyConsensus(named, distance, True, int(orders[-1]))


def _best_costs(costs: OrderCosts) -> tuple[IntArray, IntArray]:
    """The lowest key of the orders of each set, and how many orders cost as little.

    Sets are bits of positions. The key is the doubled cost times n + 1, plus the number of groups.
    """
    count = len(costs.before)
    unit = count + 1
    tie_costs = _tie_costs(costs.tied)
    keys = np.full(2**count, np.iinfo(np.int64).max)
    keys[0] = 0
    orders = np.zeros(2**count, dtype=np.int64)
    orders[0] = 1
    for rest in range(2**count - 1):
        groups, before = _groups_before(costs, rest)
        new = keys[rest] + (before + tie_costs[groups]) * unit + 1
        joined = rest | groups
        old, cheaper = keys[joined] // unit, new // unit
        orders[joined] = np.where(
            cheaper < old, orders[rest], orders[joined] + np.where(cheaper == old, orders[rest], 0)
        )
        keys[joined] = np.minimum(keys[joined], new)
    return keys, orders


def _first_order(costs: OrderCosts, keys: IntArray) -> list[list[int]]:
    """The best order whose groups come first, from the lowest keys of all sets."""
    count = len(costs.before)
    tie_costs = _tie_costs(costs.tied)
    order: list[list[int]] = []
    left = 2**count - 1
    while left:
        groups = _subset_sums(np.array([1 << bit for bit in _bits(left)]))[1:]
        before = np.array([_cost_before(costs, int(group), left & ~int(group)) for group in groups])
        new = keys[left & ~groups] + (before + tie_costs[groups]) * (count + 1) + 1
        best = min(_bits(int(group)) for group in groups[new == keys[left]])
        order.append(best)
        left &= ~sum(1 << bit for bit in best)
    return order


def _groups_before(costs: OrderCosts, rest: int) -> tuple[IntArray, IntArray]:
    """Every group outside a set, as bits, and its doubled cost of standing before the set."""
    count = len(costs.before)
    outside = [bit for bit in range(count) if not rest >> bit & 1]
    to_rest = costs.before[np.ix_(outside, _bits(rest))].sum(axis=1)
    groups = _subset_sums(np.array([1 << bit for bit in outside]))
    return groups[1:], _subset_sums(to_rest)[1:]


def _cost_before(costs: OrderCosts, group: int, rest: int) -> int:
    return int(costs.before[np.ix_(_bits(group), _bits(rest))].sum())


def _tie_costs(tied: IntArray) -> IntArray:
    """Doubled cost of tying all members of each set."""
    result = np.zeros(1, dtype=np.int64)
    for bit in range(len(tied)):
        result = np.concatenate([result, result + _subset_sums(tied[bit, :bit])])
    return result


def _subset_sums(values: IntArray) -> IntArray:
    """Sums of all subsets, the first value as the lowest bit."""
    sums = np.zeros(1, dtype=np.int64)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
