"""How likely a rater's answers are to match one choice as often as they do, by chance."""

import numpy as np
import numpy.typing as npt


def matches_tail(shares: npt.ArrayLike, observed: int) -> float:
    """P(X >= observed) for X = the sum of independent draws of 1 with probabilities `shares`, (n,).

    This is the Poisson binomial distribution, convolved exactly: with one number p for all draws
    it is the binomial one. 1 for observed <= 0, 0 for more than n. Raises ValueError for a share
    outside [0, 1] or an array of another shape. Source: Wang, Statistica Sinica 3 (1993) 295-312.
    """
    chances = np.asarray(shares, dtype=np.float64)
    if chances.ndim != 1 or not ((chances >= 0) & (chances <= 1)).all():
        raise ValueError("shares must be a flat array of numbers from 0 to 1")
    if observed <= 0:
        return 1.0
    counts = np.zeros(chances.size + 1)
    counts[0] = 1
    for size, chance in enumerate(chances, start=1):
        counts[1 : size + 1] = counts[1 : size + 1] * (1 - chance) + counts[:size] * chance
        counts[0] *= 1 - chance
    return float(min(counts[observed:].sum(), 1.0))
