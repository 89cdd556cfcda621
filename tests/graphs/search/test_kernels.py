"""The compiled loops beside slow ones that say the same plainly."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.graphs.search.kernels import FAR, distances, letters_of
from backend.graphs.search.sets import Met, in_all, no_bits, smallest
from backend.graphs.search.typos import possible_among

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
    assert set(in_all(arrays, TOTAL).tolist()) == common
    for one, array in zip(lists, arrays, strict=True):
        assert smallest(array, 3).tolist() == sorted(one)[:3]


@given(st.lists(NUMBERS | st.just(MANY), max_size=4))
def test_who_is_met_again_is_counted_once(lists: list[list[int]]) -> None:
    types = np.arange(TOTAL, dtype=np.uint8) % 3
    met = Met(types, no_bits(TOTAL), np.zeros(3, np.int64))
    for one in lists:
        met.add_these(one)
    everyone = {number for one in lists for number in one}
    assert met.counts.tolist() == [sum(types[it] == kind for it in everyone) for kind in range(3)]
    assert len(met) == len(everyone)


@example("abcdefgh", ["abcdefxy", "xabcdefgy"])
@given(st.text("abcdef", min_size=1, max_size=9), st.lists(st.text("abcdef", max_size=12)))
def test_no_word_that_is_near_is_ruled_out_by_its_letters(wanted: str, words: list[str]) -> None:
    offsets = np.cumsum([0, *map(len, words)])
    pool = np.frombuffer("".join(words).encode() or b" ", np.uint8)
    letters = np.empty(len(words), np.uint64)
    letters_of(pool, offsets, letters)
    typed = np.frombuffer(wanted.encode(), np.uint8)
    for most in (1, 2):
        found = possible_among(letters, offsets, typed, most).tolist()
        near = [place for place, word in enumerate(words) if is_near(edits(wanted, word), most)]
        assert set(near) <= set(found)


def is_near(found: list[int], most: int) -> bool:
    """The whole word, or what it begins with."""
    return found[-1] <= most or min(found) <= 1


def test_most_words_are_ruled_out_by_their_letters() -> None:
    words = ["aspirin", "asprin", "aspirins", "warfarin", "a", "spirit"]
    offsets = np.cumsum([0, *map(len, words)])
    letters = np.empty(len(words), np.uint64)
    letters_of(np.frombuffer("".join(words).encode(), np.uint8), offsets, letters)
    typed = np.frombuffer(b"asprin", np.uint8)
    assert [words[place] for place in possible_among(letters, offsets, typed, 1)] == words[:3]


@pytest.mark.parametrize("entity", [-1, TOTAL])
def test_who_is_not_there_is_refused(entity: int) -> None:
    met = Met(np.zeros(TOTAL, np.uint8), no_bits(TOTAL), np.zeros(1, np.int64))
    with pytest.raises(ValueError, match=f"{entity} is outside 0 to {TOTAL - 1}"):
        met.add_these([3, entity])
