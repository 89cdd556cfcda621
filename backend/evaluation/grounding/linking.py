"""Entities that a text names, by exact names and synonyms of the graph."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.search.index_cache import get_term_index
from backend.graphs.search.normalization import normalize
from backend.graphs.snapshots.snapshot import Snapshot
from backend.tracks.grounding_words import STOPWORDS

WORD = re.compile(r"\w+(?:[-'\u2019]\w+)*")
LONGEST_NAME = 8  # words
SHORT_NAME = 3  # characters up to which the case of letters must be the same
Method = Literal["exact", "synonym", "typo", "bm25"]


@dataclass(frozen=True, slots=True)
class LinkedMention:
    """identifier: None where it is ambiguous; alternatives: other entities of this name."""

    start: int
    end: int
    text: str
    identifier: str | None
    name: str
    type: str
    method: Method
    score: float
    alternatives: tuple[str, ...] = ()


def open_linker(version: Version) -> "Linker":
    return Linker(open_version_snapshot(version))


class Linker:
    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._names = get_term_index(snapshot).names

    def link(self, text: str) -> list[LinkedMention]:
        """The longest names from left to right, without overlaps."""
        return [*self._longest_names(text)]

    def _longest_names(self, text: str) -> Iterator[LinkedMention]:
        words = [(one.start(), one.end()) for one in WORD.finditer(text)]
        place = 0
        while place < len(words):
            for count in range(min(LONGEST_NAME, len(words) - place), 0, -1):
                start, end = words[place][0], words[place + count - 1][1]
                if (mention := self._find(text, start, end)) is not None:
                    yield mention
                    place += count
                    break
            else:
                place += 1

    def _find(self, text: str, start: int, end: int) -> LinkedMention | None:
        written = text[start:end]
        form = normalize(written)
        if not form or form in STOPWORDS:
            return None
        numbers = np.sort(self._names.numbers_in(self._names.exact_range(form.encode())))
        for number in numbers.tolist():
            entity = int(self._names.entities[number])
            position = number - self._names.first_of(entity)
            record = self._snapshot.entity(entity)
            spelling = record.synonyms[position - 1] if position else record.name
            if len(form) > SHORT_NAME or written == spelling:
                method: Method = "synonym" if position else "exact"
                return LinkedMention(
                    start, end, written, record.id, record.name, record.type, method, 1.0
                )
        return None
