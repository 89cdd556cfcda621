"""Words of a text, and the runs of words that may be a name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.runtime.normal_form import APOSTROPHES, normalize

MAX_CHARACTERS = 20_000  # of a text that are read
MAX_NAME_WORDS = 12
MAX_WORD_CHARACTERS = 100
# Letters and digits with their accents. Linear: no two parts match the same character.
WORD_PATTERN = re.compile(r"[^\W_][^\W_\u0300-\u036f]*(?:[\u0300-\u036f]+[^\W_\u0300-\u036f]*)*")
SENTENCE_END = re.compile(r"[.;:!?]\s|[\r\n\t\"“”]|[.;:!?]{2}|.{6}", re.DOTALL)
PLURAL_OF_ABBREVIATION = re.compile(r"[A-Z0-9]{2,}s")
MIN_LENGTH_OF_PLURAL = 4
NO_PLURAL = ("ss", "us", "is")


@dataclass(frozen=True, slots=True)
class Word:
    """text[start:end] and its normal form. begins_span: false for the s of a possessive."""

    start: int
    end: int
    text: str
    form: str
    begins_span: bool
    joins_previous: bool


@dataclass(frozen=True, slots=True)
class Span:
    """text[start:end], words first to last, and one way to write them without spaces.

    is_inflected: singular and plural were exchanged. surface: as written, without the s of an
    abbreviation's plural.
    """

    first: int
    last: int
    start: int
    end: int
    surface: str
    form: str
    is_inflected: bool


def read_words(text: str) -> list[Word]:
    text = text[:MAX_CHARACTERS]
    words: list[Word] = []
    end = 0
    for match in WORD_PATTERN.finditer(text):
        gap, start = text[end : match.start()], match.start()
        end = match.end()
        form = normalize(match[0], MAX_WORD_CHARACTERS).replace(" ", "")
        joins = bool(words) and SENTENCE_END.search(gap) is None
        is_possessive = bool(gap) and gap[-1] in APOSTROPHES and match[0] in ("s", "S")
        words.append(Word(start, end, match[0], form, not is_possessive, joins))
    return words


def spans_of(text: str, words: Sequence[Word]) -> Iterator[Span]:
    """Every run of at most MAX_NAME_WORDS words of one sentence, in each of its forms."""
    for first, word in enumerate(words):
        if not word.begins_span:
            continue
        joined = ""
        for last in range(first, min(first + MAX_NAME_WORDS, len(words))):
            if last > first and not words[last].joins_previous:
                break
            yield from forms_of(text, words, first, last, joined)
            joined += words[last].form


def forms_of(
    text: str, words: Sequence[Word], first: int, last: int, before: str
) -> Iterator[Span]:
    """The run itself, and with the last word in the other number."""
    start, end = words[first].start, words[last].end
    surface, final = text[start:end], words[last]
    if not (before or final.form):
        return
    yield Span(first, last, start, end, surface, before + final.form, False)
    if PLURAL_OF_ABBREVIATION.fullmatch(final.text):
        yield Span(first, last, start, end, surface[:-1], before + final.form[:-1], True)
        return
    for form in other_numbers(final.form):
        yield Span(first, last, start, end, surface, before + form, True)


def other_numbers(word: str) -> list[str]:
    """The singular of a plural, or the plural of a singular: 'seizures', 'therapies', 'rashes'."""
    if len(word) < MIN_LENGTH_OF_PLURAL or not word.isalpha():
        return []
    if not word.endswith("s") or word.endswith(NO_PLURAL):
        return [word + "s"]
    singulars = [word[:-1]]
    if word.endswith("ies"):
        singulars.append(word[:-3] + "y")
    elif word.endswith("es"):
        singulars.append(word[:-2])
    return singulars
