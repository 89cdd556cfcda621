"""Atomic claims of a rationale by sentence and clause, without a model.

A sentence is divided where a conjunction joins two clauses that have a verb each. Headings and
questions claim nothing. Whatever a text orders, it is only divided.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from backend.runtime.sentences import split_sentences
from backend.tracks.grounding_words import is_verb

MOST_CLAIMS = 200  # of a rationale
LEAST_WORDS = 2
LONGEST_HEADING = 8  # words before a colon that ends the line
MARKS = re.compile(r"\s*(?:#{1,6}\s+|>\s+|[-*\u2022\u2013]\s+|\(?\d{1,3}[.)]\s+|\*\*|__)+")
CONNECTIVES = re.compile(
    r"(?:and|but|or|so|thus|hence|therefore|however|moreover|furthermore|additionally|consequently"
    r"|in addition|as a result|in contrast|first|firstly|second|secondly|third|finally"
    r"|because|since|whereas|while|although|though)\b,?\s+",
    re.IGNORECASE,
)
JOINT = re.compile(
    r";\s+"
    r"|(?:,|(?<![\s,]))\s+(?=(?:but|whereas|although|though|because|while|therefore|thus|hence)\s)"
    r"|,\s+(?=(?:and|so|or)\s)",
    re.IGNORECASE,
)
# Ends that the sentences of papers do not have: before markup, and in other scripts.
FURTHER_END = re.compile(
    r"[.!?][\"'\u2019\u201d)\]]*\s+"
    r"(?=(?:<[^<>]{0,100}>\s*|[*_#>\u2022\u2013-]{1,9}\s*){1,9}[A-Z0-9])"
    r"|[.!?\u061f]\s+(?=[^\W\d_a-zA-Z\u00df-\u00f6\u00f8-\u00ff])"
    r"|[\u3002\uff01\uff1f]"
)
WORD = re.compile(r"\w+(?:[-'\u2019]\w+)*")
CLOSING = " \t\n*_"


@dataclass(frozen=True, slots=True)
class Claim:
    """start, end: of the characters of the rationale that it stands in; None where a model's words
    are not in the rationale."""

    text: str
    start: int | None
    end: int | None


def split_claims(rationale: str) -> Iterator[Claim]:
    """In the order of the text, without overlaps; each is exactly its characters."""
    start = 0
    for sentence in split_sentences(rationale):
        end = start + len(sentence)
        ends = [one.end() for one in FURTHER_END.finditer(rationale, start, end)]
        for first, last in pairwise([start, *ends, end]):
            yield from _claims_of_sentence(rationale, first, last)
        start = end


def _claims_of_sentence(text: str, start: int, end: int) -> Iterator[Claim]:
    start, end = _trim(text, start, end)
    if _claims_nothing(text[start:end]):
        return
    for first, last in _clauses(text, start, end):
        first, last = _trim(text, first, last)
        if len(WORD.findall(text, first, last)) >= LEAST_WORDS or _is_unspaced(text[first:last]):
            yield Claim(text[first:last], first, last)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the marks of lists and headings, leading conjunctions, and spaces at the ends."""
    while match := MARKS.match(text, start, end):
        start = match.end()
    while match := CONNECTIVES.match(text, start, end):
        start = match.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1] in CLOSING:
        end -= 1
    return start, end


def _claims_nothing(sentence: str) -> bool:
    if sentence.endswith(("?", "\uff1f")):
        return True
    return sentence.endswith(":") and len(sentence.split()) <= LONGEST_HEADING


def _is_unspaced(text: str) -> bool:
    """A sentence of a script that puts no spaces between words."""
    return sum(one.isalpha() and ord(one) >= 0x2E80 for one in text) >= 2 * LEAST_WORDS


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    words = SentenceWords(text, start, end)
    first = start
    for joint in JOINT.finditer(text, start, end):
        has_clauses = words.are_clause(first, joint.start()) and words.are_clause(joint.end(), end)
        if has_clauses and (";" in joint[0] or words.begin_clause(joint.end())):
            yield first, joint.start()
            first = joint.end()
    yield first, end


class SentenceWords:
    """The words of a sentence, each read once: a sentence may be as long as the whole text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        matches = [*WORD.finditer(text, start, end)]
        self._forms = [one[0].casefold() for one in matches]
        self._starts = [one.start() for one in matches]
        self._is_verb = [is_verb(one[0]) for one in matches]
        self._verbs_before = [0, *accumulate(self._is_verb)]

    def are_clause(self, start: int, end: int) -> bool:
        """Whether the words of this part are enough for a claim, with a verb after the first."""
        first, last = (bisect_left(self._starts, one) for one in (start, end))
        has_verb = self._verbs_before[last] > self._verbs_before[min(first + 1, last)]
        return last - first > LEAST_WORDS and has_verb

    def begin_clause(self, start: int) -> bool:
        """After `, and`, a list may go on: then a subject must stand before the verb."""
        first = bisect_left(self._starts, start)
        if self._forms[first] not in ("and", "or", "so"):
            return True
        return not self._is_verb[first + 1] and any(self._is_verb[first + 2 : first + 7])
