"""Seeded short documents of any number: words by Zipf's law, as titles and first sentences have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

SEED = 20_261_123
VOCABULARY = 200_000
WORDS_EACH = 30
BATCH = 5_000
CONSONANTS = np.array(list("bcdfghklmnprstvz"))
VOWELS = np.array(list("aeiou"))


def vocabulary() -> NDArray[np.str_]:
    """Pronounceable words, all different, none of them English on purpose."""
    numbers = np.arange(VOCABULARY)
    word = np.full(VOCABULARY, "", dtype="U12")
    for _ in range(4):
        word = np.char.add(np.char.add(word, CONSONANTS[numbers % 16]), VOWELS[numbers % 5])
        numbers = numbers * 7 // 16 + 3
    return np.char.add(word, np.arange(VOCABULARY).astype("U6"))


def draw_words(rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Numbers of words, the small ones often."""
    places = VOCABULARY ** rng.random(count) - 1
    return places.astype(np.int64)


def text_batches(count: int) -> Iterator[list[str]]:
    rng, words = np.random.default_rng(SEED), vocabulary()
    for first in range(0, count, BATCH):
        size = min(BATCH, count - first)
        drawn = words[draw_words(rng, size * WORDS_EACH)].reshape(size, WORDS_EACH)
        yield [" ".join(row) for row in drawn.tolist()]


def queries(count: int) -> list[str]:
    """Of two to five words; two in three of them are not among the commonest."""
    rng, words = np.random.default_rng(SEED + 1), vocabulary()
    result = []
    for _ in range(count):
        size = int(rng.integers(2, 6))
        places = draw_words(rng, size)
        rare = rng.random(size) < 2 / 3
        places[rare] = np.maximum(places[rare], rng.integers(100, VOCABULARY, int(rare.sum())))
        result.append(" ".join(words[places].tolist()))
    return result
