"""The part of a document that answers best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backend.graphs.rows import Section
from backend.graphs.search.normal import normal

LENGTH = 240
BEFORE = 60  # characters before the first word that was asked for
LOOKED_THROUGH = 100_000
SAME = 5  # letters by which two words are taken for forms of one
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage as the file has it, of which section, and where its sentences come from."""

    title: str
    text: str
    source: str


def snippet_of(sections: Sequence[Section], asked: str) -> Snippet | None:
    """Of the section with most of the words asked for; of the first, where none has any."""
    if not sections:
        return None
    wanted = {word[:SAME] for word in normal(asked).split() if len(word) > 2}
    places = [matches(section.text[:LOOKED_THROUGH], wanted) for section in sections]
    best = max(range(len(sections)), key=lambda place: len(places[place]))
    section, found = sections[best], places[best]
    return Snippet(
        section.title, passage(section.text, min(found.values(), default=0)), section.source
    )


def matches(text: str, wanted: set[str]) -> dict[str, int]:
    """Which words are there, and where each is first."""
    found: dict[str, int] = {}
    for match in WORD.finditer(text):
        word = normal(match[0])[:SAME]
        if word in wanted:
            found.setdefault(word, match.start())
    return found


def passage(text: str, place: int) -> str:
    """LENGTH characters around a place, cut between words, with '…' where something is left out."""
    first = max(place - BEFORE, 0)
    if first:
        first = text.find(" ", first, place) + 1 or place
    last = min(first + LENGTH, len(text))
    if last < len(text):
        cut = text.rfind(" ", first, last)
        last = cut if cut > first else last
    return ("…" if first else "") + text[first:last] + ("…" if last < len(text) else "")
