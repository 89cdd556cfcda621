"""Textual conditions: a phrase that the document of an answer must have, word for word."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from backend.graphs.source_records import Section

WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
PHRASE_WORDS = 3
MIN_WORD_LENGTH = 4
MAX_DOCUMENT_WORDS = 5_000  # of one document, that are read
MAX_DRAWS = 20


def split_words(text: str) -> list[str]:
    """Words without case; hyphens and apostrophes join."""
    return [match[0].casefold() for match in WORD.finditer(text)]


def document_words(document: Sequence[Section]) -> list[list[str]]:
    """The words of each section."""
    return [split_words(section.text)[:MAX_DOCUMENT_WORDS] for section in document]


def has_phrase(sections: Sequence[Sequence[str]], phrase: Sequence[str]) -> bool:
    """Whether the words of the phrase follow each other in one section."""
    size = len(phrase)
    return any(
        list(words[at : at + size]) == list(phrase)
        for words in sections
        for at in range(len(words) - size + 1)
    )


def draw_phrase(
    sections: Sequence[Sequence[str]], names: Sequence[str], chance: random.Random
) -> tuple[str, ...]:
    """Some words of a document, long enough to mean something, and none of the entity's name.

    Empty if the document has none.
    """
    own = {word for name in names for word in split_words(name)}
    places = [
        (section, at)
        for section, words in enumerate(sections)
        for at in range(len(words) - PHRASE_WORDS + 1)
    ]
    for _ in range(MAX_DRAWS if places else 0):
        section, at = places[chance.randrange(len(places))]
        phrase = tuple(sections[section][at : at + PHRASE_WORDS])
        is_meaningful = all(len(phrase[end]) >= MIN_WORD_LENGTH for end in (0, -1))
        if is_meaningful and not own & {*phrase}:
            return phrase
    return ()
