"""What a question set names: candidates, resources, and what else its questions speak of."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.benchmarks.models import Candidate, Question, QuestionSet, Resource
from backend.benchmarks.patterns.binding import spellings_of
from backend.benchmarks.stored import asked_types
from backend.graphs.identifiers import identifier_in_link

WORD = re.compile(r"[^\s,;:?!()\[\]{}\"“”]+")
LONGEST_MENTION = 8  # words
# A shorter word is a name only when it is written as the graph writes it: KIT, not kit.
SHORTEST_FOLDED = 5


@dataclass(frozen=True, slots=True)
class Named:
    """A candidate or a resource of a question; the identifier is what its link is about.

    Where its file says an identifier, it is that, and `spellings` are other ways of writing it;
    `types` are those that the question asks for.
    """

    question: uuid.UUID
    name: str
    identifier: str | None
    candidate: uuid.UUID | None = None
    resource: int | None = None
    spellings: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, whose text may name entities."""

    id: uuid.UUID
    text: str


def folded(name: str) -> str:
    """Equal for two names that differ only in case and in the spaces between words."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def named_in(question_set: QuestionSet) -> list[Named]:
    candidates = Candidate.objects.filter(question__question_set=question_set)
    resources = Resource.objects.filter(question__question_set=question_set)
    asked = asked_types(question_set)
    return [
        *(
            _named(row, asked.get(row.question_id, ()))
            for row in candidates.order_by("question__number", "position")
        ),
        *(
            Named(row.question_id, row.name, identifier_in_link(row.link), resource=row.pk)
            for row in resources.order_by("question__number", "position")
        ),
    ]


def _named(row: Candidate, types: Sequence[str]) -> Named:
    if not row.identifier:
        identifier = identifier_in_link(row.link)
        return Named(row.question_id, row.name, identifier, candidate=row.id)
    first, *others = dict.fromkeys(
        one for kind in types or ("",) for one in spellings_of(row.identifier, kind)
    )
    spelt = tuple(others)
    return Named(row.question_id, row.name, first, row.id, spellings=spelt, types=tuple(types))


def asked_in(question_set: QuestionSet) -> list[Asked]:
    rows = Question.objects.filter(question_set=question_set)
    return [Asked(row.id, row.text) for row in rows.order_by("number", "file_id")]


def spans_of(text: str) -> Iterator[tuple[int, int, str]]:
    """Every run of words that may be a name, the longest first, with where it begins and ends."""
    words = [match.span() for match in WORD.finditer(text)]
    for length in range(min(LONGEST_MENTION, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            start, end = words[first][0], words[first + length - 1][1]
            yield start, end, text[start:end].rstrip(".")


def may_be_folded(name: str) -> bool:
    return len(name) >= SHORTEST_FOLDED
