"""Upper bound of S after each swap, from a matrix product.

With p and q the mean rows, m their mean, p', q', m' those after the swap and f(x) = x ln x,

    S' ln 2 = (sum f(p') + sum f(q')) / 2 - sum f(m')

and for a > 0 and x >= least, f(x) <= f(a) + f'(a) (x - a) + c(least / a) / (2 a) (x - a)^2 with
c(t) = 2 (t ln t - t + 1) / (1 - t)^2, which decreases from c(0) = 2 through c(1) = 1; for x <= most
the same expression with c(most / a) is a lower bound. So S' is at most a quadratic in Q_j - Q_i. a
is the mean of p', q' or m' over all swaps, where the bound is tight; least and most come from the
largest and smallest entries of the rows that may leave and enter.
"""

from typing import Final

import numpy as np

from backend.runtime.jit import jit_vectorize
from backend.science.rns.row_kernels import Floats, Longs
from backend.science.rns.swap_tables import SwapTables, SwapTotals

LN2: Final = 0.6931471805599453


@jit_vectorize
def fill_bounds(
    tables: SwapTables, members: Longs, others: Longs, p: Floats, q: Floats, swaps: SwapTotals
) -> None:
    """Upper bound of RNS after each swap."""
    rows, width = tables.rows, len(p)
    linear, squared = np.zeros(width), np.zeros(width)
    constant = quadratic_bound(tables, members, others, p, q, linear, squared)
    own = np.zeros((len(rows), 2))
    for x in range(len(rows)):
        for place in range(width):
            own[x, 0] += rows[x, place] * linear[place]
            own[x, 1] += rows[x, place] ** 2 * squared[place]
    product = np.empty(len(rows))
    for row in range(len(members)):
        i = members[row]
        multiply_rows(tables, rows[i] * squared, product)
        for column in range(len(others)):
            j = others[column]
            change = own[j, 0] - own[i, 0] + own[j, 1] + own[i, 1] - 2 * product[j]
            high = tables.weights[2] * (constant + change) / LN2
            swaps.bound[row, column] = swaps.base[row, column] + high


@jit_vectorize
def multiply_rows(tables: SwapTables, factors: Floats, product: Floats) -> None:
    """The sum of factors[k] * rows[x, k] over k, for every x; unrolled by four to reduce stores."""
    product[:] = 0
    for place in range(0, len(factors), 4):
        one, two, three, four = factors[place : place + 4]
        a, b = tables.columns[place], tables.columns[place + 1]
        c, d = tables.columns[place + 2], tables.columns[place + 3]
        for x in range(len(product)):
            product[x] += (one * a[x] + two * b[x]) + (three * c[x] + four * d[x])


@jit_vectorize
def quadratic_bound(
    tables: SwapTables,
    members: Longs,
    others: Longs,
    p: Floats,
    q: Floats,
    linear: Floats,
    squared: Floats,
) -> float:
    """Coefficients of Q_j - Q_i and of its square in the bound of S' ln 2; returns the constant."""
    of_p, of_q = 1.0 / len(members), 1.0 / len(others)
    of_m = (of_p - of_q) / 2
    leaving, coming = entry_bounds(tables, members), entry_bounds(tables, others)
    constant = 0.0
    for place in range(len(p)):
        step, m = q[place] - p[place], (p[place] + q[place]) / 2
        low = coming[0, place] - leaving[1, place]
        high = coming[1, place] - leaving[0, place]
        far = high if of_m > 0 else low
        for current, rate, reach, share in (
            (p[place], of_p, low, 0.5),
            (q[place], -of_q, high, 0.5),
            (m, of_m, far, -1.0),
        ):
            a = current + rate * step
            if a <= 0:  # 0 after every swap
                continue
            bend = share * curvature(max(0.0, current + rate * reach) / a) / a
            slope = share * (np.log(a) + 1)
            off = current - a
            constant += share * a * np.log(a) + slope * off + bend * off * off / 2
            linear[place] += rate * (slope + bend * off)
            squared[place] += rate * rate * bend / 2
    return constant


@jit_vectorize
def curvature(t: float) -> float:
    """c(t) of the module docstring; near 1 by its series, where the formula cancels."""
    away = 1 - t
    if abs(away) < 1e-3:
        return 1 + away / 3 + away * away / 6
    return float(2 * (t * np.log(t + 1e-300) + away) / (away * away))


@jit_vectorize
def entry_bounds(tables: SwapTables, numbers: Longs) -> Floats:
    """The smallest and the largest entry of some rows at each position, float64 [2, w]."""
    result = np.empty((2, tables.rows.shape[1]))
    result[0], result[1] = tables.rows[numbers[0]], tables.rows[numbers[0]]
    for number in numbers:
        result[0] = np.minimum(result[0], tables.rows[number])
        result[1] = np.maximum(result[1], tables.rows[number])
    return result
