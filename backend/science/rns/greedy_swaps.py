"""Greedy best swap (SerenQA §4.2, algorithm 1) with S among the candidates, in compiled code.

After a swap of i (out of A_s) and j (into it), R and N follow from row and column sums of two
tables; only S must be evaluated entry by entry. With many candidates most swaps are excluded by an
upper bound of S (`surprise_bound`).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_vectorize
from backend.science.rns.row_kernels import Floats, Longs, divergence_terms_float64, pairwise_sum
from backend.science.rns.surprise_bound import fill_bounds
from backend.science.rns.swap_tables import SwapTables, SwapTotals, mean_row

TIE_TOLERANCE: Final = 1e-12  # totals closer than this are equal; a swap must gain more
BOUND_SLACK: Final = 1e-9  # far above the rounding error of the bound


@jit_vectorize
def climb_swaps(
    tables: SwapTables, start: Longs, stop: NDArray[np.uint8]
) -> tuple[Longs, int, bool]:
    """Swap until no swap gains: the final set, the evaluations of S, whether it converged."""
    count = len(tables.distances)
    inside = np.zeros(count, np.bool_)
    inside[start] = True
    evaluated = 0
    while True:
        members, others = np.flatnonzero(inside), np.flatnonzero(~inside)
        now = split_total(tables, members, others)
        swaps = SwapTotals(
            np.empty((len(members), len(others))),
            np.full((len(members), len(others)), np.inf),
            np.full((len(members), len(others)), -np.inf),
        )
        evaluated += 1 + evaluate_swaps(tables, members, others, now, swaps)
        best = max(now + TIE_TOLERANCE, swaps.total.max() - TIE_TOLERANCE)
        place = first_above_threshold(swaps.total, best)
        if place < 0 or stop[0]:
            return members, evaluated, place < 0
        inside[members[place // len(others)]] = False
        inside[others[place % len(others)]] = True


@jit_vectorize
def first_above_threshold(total: Floats, least: float) -> int:
    """The first swap, ordered by leaving and then by entering candidate."""
    flat = total.ravel()
    for place in range(len(flat)):
        if flat[place] > least:
            return place
    return -1


@jit_vectorize
def split_total(tables: SwapTables, members: Longs, others: Longs) -> float:
    """RNS of one split from the tables alone, independent of the swaps that led to it."""
    cut = information = mass = 0.0
    for i in others:
        mass += tables.marginal[i]
        for j in members:
            cut += tables.distances[i, j]
            information += tables.information[i, j]
    p, q = mean_row(tables, members), mean_row(tables, others)
    parts = np.empty(len(p))
    divergence_terms_float64(p, q, parts)
    surprise = pairwise_sum(parts) / 4
    pairs = len(members) * len(others)
    return combine(tables, cut / pairs, information, mass) + tables.weights[2] * surprise


@jit_vectorize
def combine(tables: SwapTables, distance: float, information: float, mass: float) -> float:
    """alpha R + beta N."""
    if tables.conditional:
        information /= mass
    return tables.weights[1] * (1 - information) - tables.weights[0] * distance


@jit_vectorize
def evaluate_swaps(
    tables: SwapTables, members: Longs, others: Longs, now: float, swaps: SwapTotals
) -> int:
    """Fill in the swaps; return the number of evaluations of S that the bound leaves."""
    fill_bases(tables, members, others, swaps.base)
    p, q = mean_row(tables, members), mean_row(tables, others)
    evaluated, best = 0, now
    if tables.bounded:
        fill_bounds(tables, members, others, p, q, swaps)
        # The swap with the largest bound of each member first, to raise the threshold early.
        for row in range(len(members)):
            column = int(swaps.bound[row].argmax())
            evaluated += 1
            best = max(best, evaluate_swap(tables, members, others, p, q, swaps, row, column))
    for row in range(len(members)):
        for column in range(len(others)):
            known = swaps.total[row, column] > -np.inf
            if not known and swaps.bound[row, column] > best - BOUND_SLACK:
                evaluated += 1
                best = max(best, evaluate_swap(tables, members, others, p, q, swaps, row, column))
    return evaluated


@jit_vectorize
def evaluate_swap(
    tables: SwapTables,
    members: Longs,
    others: Longs,
    p: Floats,
    q: Floats,
    swaps: SwapTotals,
    row: int,
    column: int,
) -> float:
    """RNS after one swap."""
    parts, after_p, after_q = np.empty(len(p)), np.empty(len(p)), np.empty(len(p))
    leaving, coming = tables.rows[members[row]], tables.rows[others[column]]
    of_p, of_q = 1.0 / len(members), 1.0 / len(others)
    for place in range(len(p)):
        step = coming[place] - leaving[place]
        # Rounding may make this slightly negative.
        after_p[place] = abs(p[place] + step * of_p)
        after_q[place] = abs(q[place] - step * of_q)
    divergence_terms_float64(after_p, after_q, parts)
    result = swaps.base[row, column] + tables.weights[2] * pairwise_sum(parts) / 4
    swaps.total[row, column] = result
    return float(result)


@jit_vectorize
def fill_bases(tables: SwapTables, members: Longs, others: Longs, base: Floats) -> None:
    """alpha R + beta N after each swap, from what the two rows and columns add and remove."""
    d, w = tables.distances, tables.information
    count = len(d)
    near, far, into, out_of = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count)
    for x in range(count):
        for member in members:
            near[x] += d[x, member]
            out_of[x] += w[x, member]
        for other in others:
            far[x] += d[x, other]
            into[x] += w[other, x]
    cut = information = mass = 0.0
    for member in members:
        cut += far[member]
        information += into[member]
    for other in others:
        mass += tables.marginal[other]
    pairs = len(members) * len(others)
    for row in range(len(members)):
        i = members[row]
        for column in range(len(others)):
            j = others[column]
            new_cut = cut + near[i] - far[i] + far[j] - near[j] + 2 * d[i, j]
            gained = out_of[i] - w[i, i] - into[i] + into[j] - w[j, j] - out_of[j]
            new_information = information + gained + w[j, i] + w[i, j]
            new_mass = mass + tables.marginal[i] - tables.marginal[j]
            base[row, column] = combine(tables, new_cut / pairs, new_information, new_mass)
