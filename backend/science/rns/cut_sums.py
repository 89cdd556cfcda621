"""Sums over pairs across each split, in compiled code."""

import numpy as np

from backend.runtime.jit import jit_compile
from backend.science.rns.row_kernels import Floats, Longs


@jit_compile
def add_cuts(
    distances: Floats, information: Floats, marginal: Floats, splits: Longs, sums: Floats
) -> None:
    """Add to sums [m, 3], for i outside and j inside each split: the distances of all pairs, the
    information of all pairs, and the marginals of the i.
    """
    inside = np.zeros(len(marginal), np.bool_)
    for number in range(len(splits)):
        inside[:] = False
        for chosen in splits[number]:
            inside[chosen] = True
        for i in range(len(marginal)):
            if inside[i]:
                continue
            sums[number, 2] += marginal[i]
            for chosen in splits[number]:
                sums[number, 0] += distances[i, chosen]
                sums[number, 1] += information[i, chosen]
