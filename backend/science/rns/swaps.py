"""Greedy best swap (SerenQA §4.2, algorithm 1) with S among the candidates, in compiled code.

After a swap of i (out of A_s) and j (into it), R and N follow from sums over the rows and columns
of two tables, and only S must be looked at entry by entry. Of many candidates most swaps are put
aside by an upper bound of S (`bounds`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import vectorised
from backend.science.rns.bounds import find_bounds
from backend.science.rns.row_kernels import Floats, Longs, halved, parts_double
from backend.science.rns.swap_tables import Swaps, Tables, mean_row

GAIN: Final = 1e-12  # a swap must gain more; totals closer than this are equal
SLACK: Final = 1e-9  # far above the rounding of the bound


@vectorised
def climb(tables: Tables, start: Longs, stop: NDArray[np.uint8]) -> tuple[Longs, int, bool]:
    """Swap for the better until nothing gains: the set, how many S were found, whether it ended."""
    count = len(tables.distances)
    inside = np.zeros(count, np.bool_)
    inside[start] = True
    evaluated = 0
    while True:
        members, others = np.flatnonzero(inside), np.flatnonzero(~inside)
        now = total_of(tables, members, others)
        swaps = Swaps(
            np.empty((len(members), len(others))),
            np.full((len(members), len(others)), np.inf),
            np.full((len(members), len(others)), -np.inf),
        )
        evaluated += 1 + find_totals(tables, members, others, now, swaps)
        best = max(now + GAIN, swaps.total.max() - GAIN)
        place = first_above(swaps.total, best)
        if place < 0 or stop[0]:
            return members, evaluated, place < 0
        inside[members[place // len(others)]] = False
        inside[others[place % len(others)]] = True


@vectorised
def first_above(total: Floats, least: float) -> int:
    """The first swap, by the candidate that leaves and then by the one that comes."""
    flat = total.ravel()
    for place in range(len(flat)):
        if flat[place] > least:
            return place
    return -1


@vectorised
def total_of(tables: Tables, members: Longs, others: Longs) -> float:
    """RNS of one split, from nothing but the tables: the way that led to it leaves no trace."""
    cut = information = mass = 0.0
    for i in others:
        mass += tables.marginal[i]
        for j in members:
            cut += tables.distances[i, j]
            information += tables.information[i, j]
    p, q = mean_row(tables, members), mean_row(tables, others)
    parts = np.empty(len(p))
    parts_double(p, q, parts)
    surprise = halved(parts) / 4
    pairs = len(members) * len(others)
    return joined(tables, cut / pairs, information, mass) + tables.weights[2] * surprise


@vectorised
def joined(tables: Tables, distance: float, information: float, mass: float) -> float:
    """alpha R + beta N."""
    if tables.conditional:
        information /= mass
    return tables.weights[1] * (1 - information) - tables.weights[0] * distance


@vectorised
def find_totals(tables: Tables, members: Longs, others: Longs, now: float, swaps: Swaps) -> int:
    """Fill in the swaps, and say of how many S was found: those that the bound leaves open."""
    find_bases(tables, members, others, swaps.base)
    p, q = mean_row(tables, members), mean_row(tables, others)
    evaluated, best = 0, now
    if tables.bounded:
        find_bounds(tables, members, others, p, q, swaps)
        # The most promising swap of each member first, so that the best is high early.
        for row in range(len(members)):
            column = int(swaps.bound[row].argmax())
            evaluated += 1
            best = max(best, find_total(tables, members, others, p, q, swaps, row, column))
    for row in range(len(members)):
        for column in range(len(others)):
            known = swaps.total[row, column] > -np.inf
            if not known and swaps.bound[row, column] > best - SLACK:
                evaluated += 1
                best = max(best, find_total(tables, members, others, p, q, swaps, row, column))
    return evaluated


@vectorised
def find_total(
    tables: Tables,
    members: Longs,
    others: Longs,
    p: Floats,
    q: Floats,
    swaps: Swaps,
    row: int,
    column: int,
) -> float:
    """RNS after one swap."""
    parts, after_p, after_q = np.empty(len(p)), np.empty(len(p)), np.empty(len(p))
    leaving, coming = tables.rows[members[row]], tables.rows[others[column]]
    of_p, of_q = 1.0 / len(members), 1.0 / len(others)
    for place in range(len(p)):
        step = coming[place] - leaving[place]
        # Rounding may leave less than nothing.
        after_p[place] = abs(p[place] + step * of_p)
        after_q[place] = abs(q[place] - step * of_q)
    parts_double(after_p, after_q, parts)
    found = swaps.base[row, column] + tables.weights[2] * halved(parts) / 4
    swaps.total[row, column] = found
    return float(found)


@vectorised
def find_bases(tables: Tables, members: Longs, others: Longs, base: Floats) -> None:
    """alpha R + beta N after each swap, by what the two rows and columns add and take away."""
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
            base[row, column] = joined(tables, new_cut / pairs, new_information, new_mass)
