"""The compiled loops beside slow ones that say the same plainly."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from backend.graphs.search.kernels import FAR, distances
from backend.graphs.search.sets import distinct, in_all

WORDS = st.lists(st.text("abc", max_size=9), min_size=1, max_size=8)
TOTAL = 20_000
NUMBERS = st.lists(st.integers(0, TOTAL - 1), max_size=40)
MANY = list(range(0, TOTAL, 2))


def edits(one: str, other: str) -> list[int]:
    """Between a word and each beginning of another: optimal string alignment, by its table."""
    table = {(-1, column): column + 1 for column in range(-1, len(other))}
    for row in range(len(one)):
        table[row, -1] = row + 1
        for column in range(len(other)):
            best = min(
                table[row - 1, column] + 1,
                table[row, column - 1] + 1,
                table[row - 1, column - 1] + (one[row] != other[column]),
            )
            exchanged = other[column - 1 : column + 1][::-1] if column else ""
            if row and one[row - 1 : row + 1] == exchanged:
                best = min(best, table[row - 2, column - 2] + 1)
            table[row, column] = best
    return [table[len(one) - 1, column] for column in range(-1, len(other))]


@given(st.text("abc", min_size=1, max_size=9), WORDS, st.integers(1, 2))
def test_edits_are_those_of_the_table(wanted: str, words: list[str], most: int) -> None:
    pool = np.frombuffer("".join(words).encode() or b" ", np.uint8)
    offsets = np.cumsum([0, *map(len, words)])
    whole, begun = np.empty((2, len(words)), np.uint8)
    letters = np.frombuffer(wanted.encode(), np.uint8)
    distances(letters, pool, offsets, np.arange(len(words)), most, whole, begun)
    for place, word in enumerate(words):
        found = edits(wanted, word)
        assert whole[place] == (found[-1] if found[-1] <= most else FAR)
        assert begun[place] == (min(found) if min(found) <= most else FAR)


@given(st.lists(NUMBERS | st.just(MANY), max_size=4))
def test_sets_are_pythons(lists: list[list[int]]) -> None:
    arrays = [np.array(one, np.int32) for one in lists]
    common = set.intersection(*map(set, lists)) if lists else set()
    assert in_all(arrays, TOTAL).tolist() == sorted(common)
    for one, array in zip(lists, arrays, strict=True):
        assert distinct(array, TOTAL).tolist() == sorted(set(one))
        assert distinct(array).tolist() == sorted(set(one))
