"""The words that a mistyped one may stand for.

A look at every word of the lexicon, most of which the letters they have rule out at once. It costs
about as much as a dictionary of words with a letter taken away (which here would be nine times as
large as the words), finds two edits, too, and what a word begins with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.kernels import WIDTH, distances, letters_of, possible
from backend.graphs.search.lexicon import Words

SHORTEST = 4  # letters: shorter words are near too many others
LONG = 8  # letters of a word that may have two wrong
ROOM = 4
Places = NDArray[np.int64]
Wanted = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Likely:
    """Places of words, the likeliest first: one edit away; beginning so but for one; two away."""

    near: Places
    begun: Places
    far: Places


def likely_words(words: Words, typed: str) -> Likely:
    """None for what has digits: CYP2D6 is not a mistyped CYP2D7."""
    wanted = np.frombuffer(typed.encode(), np.uint8)
    nothing = np.empty(0, np.int64)
    is_number = any(one.isdigit() for one in typed)
    if len(typed) < SHORTEST or len(wanted) > WIDTH - ROOM or is_number:
        return Likely(nothing, nothing, nothing)
    most = 2 if len(typed) >= LONG else 1
    places = possible_among(words.letters, words.texts.offsets, wanted, most)
    whole, begun = np.empty((2, len(places)), np.uint8)
    distances(wanted, words.texts.pool, words.texts.offsets, places, most, whole, begun)
    near = whole <= 1
    return Likely(places[near], places[~near & (begun <= 1)], places[whole == 2])


def possible_among(
    letters: NDArray[np.uint64], offsets: NDArray[np.int64], wanted: Wanted, most: int
) -> Places:
    """The words whose letters do not rule them out."""
    typed = np.empty(1, np.uint64)
    letters_of(wanted, np.array([0, len(wanted)]), typed)
    places = np.empty(len(letters) + 1, np.int64)
    return places[: possible(letters, offsets, typed[0], len(wanted), most, places)]
