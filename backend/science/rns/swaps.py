"""Greedy best swap (SerenQA §4.2, algorithm 1) with S among the candidates, in compiled code.

After a swap of i (out of A_s) and j (into it), R and N follow from sums over the rows and columns
of two tables, and only S must be looked at entry by entry. For many candidates most swaps are put
aside by an upper bound of S that a matrix product gives. With p and q the mean rows, m their mean,
p', q', m' those after the swap and f(x) = x ln x,

    S' ln 2 = (sum f(p') + sum f(q')) / 2 - sum f(m')

and for a > 0 and x >= least, f(x) <= f(a) + f'(a) (x - a) + c(least / a) / (2 a) (x - a)^2 with
c(t) = 2 (t ln t - t + 1) / (1 - t)^2, which falls from c(0) = 2 by c(1) = 1; for x <= most the same
with c(most / a) is a lower bound. So S' is at most a quadratic in Q_j - Q_i. a is the mean of p',
q' or m' over all swaps, where the bound is tight; least and most come from the largest and
smallest entries of the rows that may leave and come.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import vectorised
from backend.science.rns.candidates import Candidates, Floats, Longs, Novelty
from backend.science.rns.divergence import halved, parts_double, power_of_two
from backend.science.rns.measures import Weights

GAIN: Final = 1e-12  # a swap must gain more; totals closer than this are equal
BOUNDED: Final = 16  # candidates from which on the upper bound pays
SLACK: Final = 1e-9  # far above the rounding of the bound
LN2: Final = 0.6931471805599453


class Tables(NamedTuple):
    """What compiled code reads: n candidates, rows filled up with zeros to a power of two.

    distances, information float64 [n, n]; marginal float64 [n]; rows float64 [n, w]; columns, the
    same the other way round, float64 [w, n]; weights alpha, beta and gamma.
    """

    distances: Floats
    information: Floats
    marginal: Floats
    rows: Floats
    columns: Floats
    weights: tuple[float, float, float]
    conditional: bool
    bounded: bool


class Swaps(NamedTuple):
    """RNS after each swap, float64 [b, n - b]: `base` without S, then all of it."""

    base: Floats
    bound: Floats
    total: Floats


def tables_of(candidates: Candidates, weights: Weights, novelty: Novelty) -> Tables:
    count = candidates.count
    rows = np.zeros((count, power_of_two(count)))
    rows[:, :count] = candidates.rows_among
    return Tables(
        candidates.distances,
        candidates.information,
        candidates.marginal,
        rows,
        np.ascontiguousarray(rows.T),
        weights.values,
        novelty == "conditional",
        count >= BOUNDED,
    )


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
def mean_row(tables: Tables, numbers: Longs) -> Floats:
    found = np.zeros(tables.rows.shape[1])
    for number in numbers:
        found += tables.rows[number]
    return found / len(numbers)


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


@vectorised
def find_bounds(
    tables: Tables, members: Longs, others: Longs, p: Floats, q: Floats, swaps: Swaps
) -> None:
    """No S after a swap can make more of RNS than this."""
    rows, width = tables.rows, len(p)
    linear, squared = np.zeros(width), np.zeros(width)
    constant = quadratic(tables, members, others, p, q, linear, squared)
    own = np.zeros((len(rows), 2))
    for x in range(len(rows)):
        for place in range(width):
            own[x, 0] += rows[x, place] * linear[place]
            own[x, 1] += rows[x, place] ** 2 * squared[place]
    product = np.empty(len(rows))
    for row in range(len(members)):
        i = members[row]
        multiply(tables, rows[i] * squared, product)
        for column in range(len(others)):
            j = others[column]
            change = own[j, 0] - own[i, 0] + own[j, 1] + own[i, 1] - 2 * product[j]
            high = tables.weights[2] * (constant + change) / LN2
            swaps.bound[row, column] = swaps.base[row, column] + high


@vectorised
def multiply(tables: Tables, factors: Floats, product: Floats) -> None:
    """The sum of factors[k] * rows[x, k] over k, for every x; four k at once, to write less."""
    product[:] = 0
    for place in range(0, len(factors), 4):
        one, two, three, four = factors[place : place + 4]
        a, b = tables.columns[place], tables.columns[place + 1]
        c, d = tables.columns[place + 2], tables.columns[place + 3]
        for x in range(len(product)):
            product[x] += (one * a[x] + two * b[x]) + (three * c[x] + four * d[x])


@vectorised
def quadratic(
    tables: Tables,
    members: Longs,
    others: Longs,
    p: Floats,
    q: Floats,
    linear: Floats,
    squared: Floats,
) -> float:
    """What multiplies Q_j - Q_i and its square in the bound of S' ln 2, and the constant."""
    of_p, of_q = 1.0 / len(members), 1.0 / len(others)
    of_m = (of_p - of_q) / 2
    leaving, coming = ends(tables, members), ends(tables, others)
    constant = 0.0
    for place in range(len(p)):
        step, m = q[place] - p[place], (p[place] + q[place]) / 2
        low = coming[0, place] - leaving[1, place]
        high = coming[1, place] - leaving[0, place]
        far = high if of_m > 0 else low
        for here, rate, reach, share in (
            (p[place], of_p, low, 0.5),
            (q[place], -of_q, high, 0.5),
            (m, of_m, far, -1.0),
        ):
            a = here + rate * step
            if a <= 0:  # it is 0 after every swap
                continue
            bend = share * curvature(max(0.0, here + rate * reach) / a) / a
            slope = share * (np.log(a) + 1)
            off = here - a
            constant += share * a * np.log(a) + slope * off + bend * off * off / 2
            linear[place] += rate * (slope + bend * off)
            squared[place] += rate * rate * bend / 2
    return constant


@vectorised
def curvature(t: float) -> float:
    """c(t) of the module's head; close to 1 by its series, where the formula loses its digits."""
    away = 1 - t
    if abs(away) < 1e-3:
        return 1 + away / 3 + away * away / 6
    return float(2 * (t * np.log(t + 1e-300) + away) / (away * away))


@vectorised
def ends(tables: Tables, numbers: Longs) -> Floats:
    """The smallest and the largest entry of some rows at each place, float64 [2, w]."""
    found = np.empty((2, tables.rows.shape[1]))
    found[0], found[1] = tables.rows[numbers[0]], tables.rows[numbers[0]]
    for number in numbers:
        found[0] = np.minimum(found[0], tables.rows[number])
        found[1] = np.maximum(found[1], tables.rows[number])
    return found
