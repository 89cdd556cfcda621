"""Corrections of a mistyped word: words of a graph's names that are close to it."""

from collections.abc import Iterator

from backend.graphs.mentions.ordinary_words import ORDINARY_WORDS
from backend.graphs.mentions.spans import Word
from backend.graphs.search.fuzzy_match import find_likely_words
from backend.graphs.search.term_index import WordIndex, lower_position

MIN_LENGTH = 7  # the search corrects words of four letters, which a reader then chooses from
MIN_LENGTH_FOR_TWO_EDITS = 9
MAX_CORRECTIONS = 8
Corrections = list[tuple[str, int]]


def corrected_words(index: WordIndex, word: Word) -> Corrections | None:
    """Words of the graph with their number of edits, closest first, then in alphabetical order.

    None for a word that is not looked up: short, with digits, in upper case, ordinary, or a word
    of the graph's names.
    """
    form = word.form
    is_acronym = word.text.isupper()
    if len(form) < MIN_LENGTH or not form.isalpha() or is_acronym or form in ORDINARY_WORDS:
        return None
    if is_word(index, form):
        return None
    return sorted(likely_corrections(index, form), key=lambda it: (it[1], it[0]))[:MAX_CORRECTIONS]


def is_word(index: WordIndex, form: str) -> bool:
    place = lower_position(index.texts, form.encode())
    return place < len(index.texts) and index.texts[place] == form.encode()


def likely_corrections(index: WordIndex, form: str) -> Iterator[tuple[str, int]]:
    near, _, far = find_likely_words(index, form)
    for place in near.tolist():
        yield index.texts[place].decode(errors="replace"), 1
    if len(form) >= MIN_LENGTH_FOR_TWO_EDITS:
        for place in far.tolist():
            yield index.texts[place].decode(errors="replace"), 2
