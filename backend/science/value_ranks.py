"""Ranks of numbers. scipy.stats has them too, and takes half a second to import."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def rank_values(values: ArrayLike) -> NDArray[np.float64]:
    """Mid-ranks [n] of numbers [n], 1 for the least.

    Equal numbers share the mean of their ranks, so that the ranks sum to n(n + 1)/2. Raises
    ValueError for NaN. Source: Kendall and Gibbons, Rank Correlation Methods (5th ed., 1990),
    chapter 3.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if np.isnan(numbers).any():
        raise ValueError("NaN has no rank")
    _, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[places]
