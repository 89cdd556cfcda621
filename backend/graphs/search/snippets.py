"""Selection of the passage of a document to show with a result."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backend.graphs.search.normalization import normalize
from backend.graphs.source_records import Section

SNIPPET_LENGTH = 240
CONTEXT_BEFORE = 60  # characters shown before the first query word
MAX_SCANNED = 100_000
STEM_LENGTH = 5  # words with the same first letters count as forms of one word
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage as in the source, its section title, and the section's source."""

    title: str
    text: str
    source: str


def best_snippet(sections: Sequence[Section], query: str) -> Snippet | None:
    """From the section with most query words; from the first section if none has any."""
    if not sections:
        return None
    stems = {word[:STEM_LENGTH] for word in normalize(query).split() if len(word) > 2}
    places = [find_words(section.text[:MAX_SCANNED], stems) for section in sections]
    best = max(range(len(sections)), key=lambda place: len(places[place]))
    section, positions = sections[best], places[best]
    return Snippet(
        section.title, cut_passage(section.text, min(positions.values(), default=0)), section.source
    )


def find_words(text: str, stems: set[str]) -> dict[str, int]:
    """The query words in a text, and the position of each first occurrence."""
    positions: dict[str, int] = {}
    for match in WORD.finditer(text):
        word = normalize(match[0])[:STEM_LENGTH]
        if word in stems:
            positions.setdefault(word, match.start())
    return positions


def cut_passage(text: str, place: int) -> str:
    """SNIPPET_LENGTH characters around a position, cut between words; '…' where text is omitted."""
    first = max(place - CONTEXT_BEFORE, 0)
    if first:
        first = text.find(" ", first, place) + 1 or place
    last = min(first + SNIPPET_LENGTH, len(text))
    if last < len(text):
        cut = text.rfind(" ", first, last)
        last = cut if cut > first else last
    return ("…" if first else "") + text[first:last] + ("…" if last < len(text) else "")
