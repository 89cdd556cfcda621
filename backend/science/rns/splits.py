"""Splits of a question's candidates into an existing and a serendipity set."""

import math
from itertools import chain, combinations
from typing import Final

import numpy as np

from backend.science.rns.candidates import Longs
from backend.science.rns.errors import SizeOutOfRange, TooManySplits, UnknownSplit

EXACT_LIMIT: Final = 5000


def serendipity_size(count: int, size: int | None = None) -> int:
    """b = max(1, floor(0.2 n)) by default (SerenQA §4.2).

    Raises SizeOutOfRange unless both parts are non-empty.
    """
    result = max(1, count // 5) if size is None else size
    if not 0 < result < count:
        raise SizeOutOfRange("size", f"From 1 to {count - 1} of {count} candidates can be chosen.")
    return result


def split_count(count: int, size: int) -> int:
    return math.comb(count, size)


def all_splits(count: int, size: int) -> Longs:
    """Every serendipity set of b of n candidates, int64 [m, b], in lexicographic order.

    Raises TooManySplits above 5,000.
    """
    serendipity_size(count, size)
    number = split_count(count, size)
    if number > EXACT_LIMIT:
        raise TooManySplits("size", f"There are {number} splits, and {EXACT_LIMIT} are the limit.")
    flat = np.fromiter(chain.from_iterable(combinations(range(count), size)), np.int64)
    return flat.reshape(number, size)


def split_index(splits: Longs, serendipity: Longs) -> int:
    """Index of a serendipity set among splits. Raises UnknownSplit if absent."""
    ordered = np.sort(serendipity)
    if splits.shape[1:] == ordered.shape:
        matches = np.flatnonzero((splits == ordered).all(axis=1))
        if len(matches):
            return int(matches[0])
    raise UnknownSplit("serendipity", "It is not among the splits.")
