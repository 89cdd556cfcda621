"""Candidate words for a mistyped word.

Scans every word of the index; a mask of letters rules most of them out. This costs about as much as
a deletion dictionary, which would be nine times as large as the words, and also finds two edits and
prefixes.
"""

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import (
    MAX_WORD_BYTES,
    edit_distances,
    filter_possible,
    letter_masks,
)
from backend.graphs.search.term_index import WordIndex

MIN_LETTERS = 4  # shorter words have too many neighbours
MIN_LETTERS_FOR_TWO_EDITS = 8  # words this long may have two edits
MAX_EXTRA_LETTERS = 4
CLOSENESS_LEVELS = 3
Places = NDArray[np.int64]
Utf8 = NDArray[np.uint8]


def find_likely_words(words: WordIndex, typed: str) -> tuple[Places, ...]:
    """Positions of words: one edit away; with a prefix one edit away; two edits away.

    None for words with digits: CYP2D6 is not a misspelling of CYP2D7.
    """
    encoded = np.frombuffer(typed.encode(), np.uint8)
    is_number = any(one.isdigit() for one in typed)
    if len(typed) < MIN_LETTERS or len(encoded) > MAX_WORD_BYTES - MAX_EXTRA_LETTERS or is_number:
        return (np.empty(0, np.int64),) * CLOSENESS_LEVELS
    most = 2 if len(typed) >= MIN_LETTERS_FOR_TWO_EDITS else 1
    places = filter_by_letters(words.letters, words.texts.offsets, encoded, most)
    whole, started = np.empty((2, len(places)), np.uint8)
    edit_distances(encoded, words.texts.pool, words.texts.offsets, places, most, whole, started)
    near = whole <= 1
    return places[near], places[~near & (started <= 1)], places[whole == 2]


def filter_by_letters(
    letters: NDArray[np.uint64], offsets: NDArray[np.int64], encoded: Utf8, most: int
) -> Places:
    """The words that their letters do not rule out."""
    typed = np.empty(1, np.uint64)
    letter_masks(encoded, np.array([0, len(encoded)]), typed)
    places = np.empty(len(letters) + 1, np.int64)
    return places[: filter_possible(letters, offsets, typed[0], len(encoded), most, places)]
