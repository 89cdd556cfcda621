"""The compiled loops, compared with plain Python."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.graphs.search.fuzzy_match import filter_by_letters
from backend.graphs.search.int_sets import MatchedEntities, empty_bits, intersect, smallest
from backend.graphs.search.kernels import TOO_FAR, edit_distances, letter_masks

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
def test_edit_distances_match_the_dynamic_programming_table(
    target: str, words: list[str], most: int
) -> None:
    pool = np.frombuffer("".join(words).encode() or b" ", np.uint8)
    offsets = np.cumsum([0, *map(len, words)])
    whole, started = np.empty((2, len(words)), np.uint8)
    letters = np.frombuffer(target.encode(), np.uint8)
    edit_distances(letters, pool, offsets, np.arange(len(words)), most, whole, started)
    for place, word in enumerate(words):
        result = edits(target, word)
        assert whole[place] == (result[-1] if result[-1] <= most else TOO_FAR)
        assert started[place] == (min(result) if min(result) <= most else TOO_FAR)


@given(st.lists(NUMBERS | st.just(MANY), max_size=4))
def test_intersections_match_python_sets(lists: list[list[int]]) -> None:
    arrays = [np.array(one, np.int32) for one in lists]
    common = set.intersection(*map(set, lists)) if lists else set()
    assert set(intersect(arrays, TOTAL).tolist()) == common
    for one, array in zip(lists, arrays, strict=True):
        assert smallest(array, 3).tolist() == sorted(one)[:3]


@given(st.lists(NUMBERS | st.just(MANY), max_size=4))
def test_an_entity_matched_twice_is_counted_once(lists: list[list[int]]) -> None:
    types = np.arange(TOTAL, dtype=np.uint8) % 3
    matched = MatchedEntities(types, empty_bits(TOTAL), np.zeros(3, np.int64))
    for one in lists:
        matched.add_entities(one)
    everyone = {number for one in lists for number in one}
    assert matched.counts.tolist() == [
        sum(types[it] == kind for it in everyone) for kind in range(3)
    ]
    assert len(matched) == len(everyone)


@example("abcdefgh", ["abcdefxy", "xabcdefgy"])
@given(st.text("abcdef", min_size=1, max_size=9), st.lists(st.text("abcdef", max_size=12)))
def test_letter_masks_never_exclude_a_close_word(target: str, words: list[str]) -> None:
    offsets = np.cumsum([0, *map(len, words)])
    pool = np.frombuffer("".join(words).encode() or b" ", np.uint8)
    letters = np.empty(len(words), np.uint64)
    letter_masks(pool, offsets, letters)
    typed = np.frombuffer(target.encode(), np.uint8)
    for most in (1, 2):
        result = filter_by_letters(letters, offsets, typed, most).tolist()
        near = [place for place, word in enumerate(words) if is_near(edits(target, word), most)]
        assert set(near) <= set(result)


def is_near(result: list[int], most: int) -> bool:
    """The whole word or a prefix."""
    return result[-1] <= most or min(result) <= 1


def test_letter_masks_exclude_most_words() -> None:
    words = ["aspirin", "asprin", "aspirins", "warfarin", "a", "spirit"]
    offsets = np.cumsum([0, *map(len, words)])
    letters = np.empty(len(words), np.uint64)
    letter_masks(np.frombuffer("".join(words).encode(), np.uint8), offsets, letters)
    typed = np.frombuffer(b"asprin", np.uint8)
    assert [words[place] for place in filter_by_letters(letters, offsets, typed, 1)] == words[:3]


@pytest.mark.parametrize("entity", [-1, TOTAL])
def test_an_unknown_entity_is_rejected(entity: int) -> None:
    matched = MatchedEntities(np.zeros(TOTAL, np.uint8), empty_bits(TOTAL), np.zeros(1, np.int64))
    with pytest.raises(ValueError, match=f"{entity} is outside 0 to {TOTAL - 1}"):
        matched.add_entities([3, entity])
