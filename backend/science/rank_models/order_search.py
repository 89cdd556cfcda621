"""Local search for a weak order of low cost, where there are too many to try all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from backend.science.rank_models.order_costs import OrderCosts
from backend.science.rankings import Groups

MAX_STARTS, MAX_SWEEPS = 20, 100

Order = list[list[int]]


def search_order(costs: OrderCosts, rankings: Sequence[Groups], ids: Sequence[str]) -> Order:
    """A weak order of positions in `ids` which no move of one candidate makes cheaper.

    A move takes a candidate to another group, or to a group of its own between two others. Starts
    from the order by mean cost, and from the first 20 distinct rankings, whose missing ids are tied
    at the end; the cheapest result, of equal ones the first. It may miss the best order. Source:
    BioConsert, Cohen-Boulakia, Denise and Hamel, SSDBM 2011.
    """
    results = [_improve(costs, start) for start in _starts(costs, rankings, ids)]
    return min(results, key=costs.doubled_cost)


def _starts(costs: OrderCosts, rankings: Sequence[Groups], ids: Sequence[str]) -> list[Order]:
    compared = np.maximum((costs.before + costs.before.T).sum(axis=1), 1)
    means = costs.before.sum(axis=1) / compared  # share of comparisons lost
    starts = [[np.flatnonzero(means == value).tolist() for value in np.unique(means)]]
    place = {candidate: number for number, candidate in enumerate(ids)}
    for groups in rankings:
        order = [sorted(place[candidate] for candidate in group) for group in groups]
        missing = sorted(set(range(len(ids))) - {number for group in order for number in group})
        order += [missing] if missing else []
        if order not in starts:
            starts.append(order)
    return starts[: MAX_STARTS + 1]


def _improve(costs: OrderCosts, start: Order) -> Order:
    order = [list(group) for group in start]
    for _ in range(MAX_SWEEPS):
        moved = [_move(costs, order, number) for number in range(len(costs.before))]
        if not any(moved):
            break
    return [sorted(group) for group in order]


def _move(costs: OrderCosts, order: Order, number: int) -> bool:
    """Move one candidate to its cheapest place; whether that is cheaper than its own."""
    (home,) = (index for index, group in enumerate(order) if number in group)
    others = [[one for one in group if one != number] for group in order]
    after = np.array([costs.before[group, number].sum() for group in others])
    ahead = np.array([costs.before[number, group].sum() for group in others])
    tied = np.array([costs.tied[number, group].sum() for group in others])
    # Cost of a group of its own before group i, for i from 0 to the number of groups.
    between = np.append(0, after.cumsum()) + np.append(ahead[::-1].cumsum()[::-1], 0)
    inside = between[:-1] - ahead + tied  # in group i itself
    cost = inside[home] if others[home] else between[home]
    if min(between.min(), inside.min()) >= cost:
        return False
    order[home] = others[home]
    if inside.min() <= between.min():
        order[int(inside.argmin())].append(number)
    else:
        order.insert(int(between.argmin()), [number])
    order[:] = [group for group in order if group]
    return True
