"""Which entities a person may mean by what she has typed so far."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.identifiers import Identified, beginning_with, exactly
from backend.graphs.search.lexicon import Lexicon, Words
from backend.graphs.search.normal import normal
from backend.graphs.search.sets import Common, Met, in_all, smallest
from backend.graphs.search.typos import Likely, likely_words
from backend.graphs.snapshots.opening import Snapshot

Numbers = NDArray[np.int32]
MOST_WORDS = 12
MOST_MISTYPED = 2
AMPLE = 4


@dataclass(frozen=True, slots=True)
class Hit:
    """An entity, how it was met, and the text that was met, as its file has it."""

    entity: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """The best entities, and all that were met, whichever types are wanted."""

    hits: list[Hit]
    met: Met


@dataclass(slots=True)
class Search:
    """One question to one snapshot; each step adds the entities that those before it lack."""

    snapshot: Snapshot
    lexicon: Lexicon
    limit: int
    types: Collection[int] | None = None
    hits: list[Hit] = field(default_factory=list)
    met: Met = field(init=False)

    def __post_init__(self) -> None:
        self.met = Met.none_of(self.snapshot)

    def run(self, asked: str) -> Found:
        """Exact identifiers, names, synonyms; beginnings; words in any order; mistyped words."""
        typed = normal(asked)
        self.add_identifiers("identifier", exactly(self.snapshot, self.lexicon, asked))
        if typed:
            self.by_name(typed)
            self.by_words(typed, asked)
        if len(self.hits) < self.limit:
            self.add_identifiers("prefix", beginning_with(self.snapshot, self.lexicon, asked))
        if typed and self.lexicon.words and not len(self.met):
            self.by_mistyped_words(self.lexicon.words, typed.split()[:MOST_WORDS])
        return Found(self.hits, self.met)

    def add_identifiers(self, kind: str, found: Iterable[Identified]) -> None:
        hits = [Hit(entity, kind, text) for entity, text in found]
        self.met.add_these([hit.entity for hit in hits])
        for hit in hits:
            if self.wants(hit.entity):
                self.hits.append(hit)

    def by_name(self, typed: str) -> None:
        """Exactly so, names before synonyms; then what begins so. Each by falling degree."""
        column, text = self.lexicon.names, typed.encode()
        exact = np.sort(column.within(column.exactly(text)))
        is_name = column.entities[exact] != column.entities[exact - 1]
        is_name[exact == 0] = True
        self.take("name", exact[is_name])
        self.take("synonym", exact[~is_name])
        begun = column.within(column.beginning(text))
        if self.lexicon.words is None:  # else the words count them, too
            self.met.add(begun, column.entities)
        self.take("prefix", begun)

    def by_words(self, typed: str, asked: str) -> None:
        words = self.lexicon.words
        if words is None:
            return
        found = self.with_all(words, typed)
        if "-" in asked:
            joined = self.with_all(words, normal(asked.replace("-", "")))
            found = np.concatenate([found, joined])
        self.add("prefix", found)

    def with_all(self, words: Words, typed: str) -> Numbers:
        """The terms in which every word typed begins a word."""
        prefixes = typed.split()[:MOST_WORDS]
        total = len(self.lexicon.names.entities)
        return in_all([words.within(words.beginning(one.encode())) for one in prefixes], total)

    def by_mistyped_words(self, words: Words, typed: list[str]) -> None:
        """Words that begin none are taken as mistyped; if there is no such, each in turn."""
        if len(typed) > 1:
            self.add("typo", self.with_all(words, "".join(typed)))
        unknown = {one for one in typed if not len(words.beginning(one.encode()))}
        chances = [unknown] if unknown else [{one} for one in longest_first(typed)]
        for mistyped in chances[:MOST_MISTYPED]:
            self.by_likely_words(words, typed, mistyped)

    def by_likely_words(self, words: Words, typed: list[str], mistyped: set[str]) -> None:
        likely = [likely_words(words, one) for one in mistyped]
        total = len(self.lexicon.names.entities)
        others = [one for one in typed if one not in mistyped]
        right = Common([words.within(words.beginning(one.encode())) for one in others], total)
        for closeness in Likely.__slots__:
            if len(self.hits) >= self.limit:
                return
            meant = [words.of_places(getattr(one, closeness)) for one in likely]
            self.add("typo", right.among(in_all(meant, total)))

    def add(self, kind: str, terms: Numbers) -> None:
        """Count the entities of these terms, and take the best."""
        self.met.add(terms, self.lexicon.names.entities)
        self.take(kind, terms)

    def take(self, kind: str, terms: Numbers) -> None:
        """The best of these terms as hits, as long as there is room."""
        room = self.limit - len(self.hits)
        if room <= 0 or not len(terms):
            return
        entities = self.lexicon.names.entities
        if self.types is not None:
            types = self.snapshot.type_of[entities[terms]]
            terms = terms[np.isin(types, list(self.types))]
        # An entity's other names and the hits that there are may fill as many places again.
        for some in (smallest(terms, AMPLE * self.limit), np.sort(terms)):
            for number in some.tolist():
                if len(self.hits) >= self.limit:
                    return
                self.take_one(kind, number)
            if len(some) == len(terms):
                return

    def take_one(self, kind: str, number: int) -> None:
        entity = int(self.lexicon.names.entities[number])
        if self.wants(entity):
            self.hits.append(Hit(entity, kind, self.text(entity, self.place(number))))

    def text(self, entity: int, place: int) -> str:
        """A name of an entity: its own, or a synonym."""
        if not place:
            return self.snapshot.named(entity).name
        return self.snapshot.entity(entity).synonyms[place - 1]

    def place(self, number: int) -> int:
        """Which of its entity's names a term is; the first is its own."""
        column = self.lexicon.names
        return number - column.first_of(int(column.entities[number]))

    def wants(self, entity: int) -> bool:
        if len(self.hits) >= self.limit or any(hit.entity == entity for hit in self.hits):
            return False
        return self.types is None or int(self.snapshot.type_of[entity]) in self.types


def longest_first(words: list[str]) -> list[str]:
    return sorted(words, key=len, reverse=True)
