from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.fuzzy_match import CLOSENESS_LEVELS, find_likely_words
from backend.graphs.search.identifiers import IdentifierMatch, find_by_prefix, find_exact
from backend.graphs.search.int_sets import Intersection, MatchedEntities, intersect, smallest
from backend.graphs.search.normalization import normalize
from backend.graphs.search.term_index import TermIndex, WordIndex, prefix_range
from backend.graphs.snapshots.snapshot import Snapshot

Numbers = NDArray[np.int32]
MAX_WORDS = 12
MAX_MISTYPED = 2
OVERSAMPLING = 4


@dataclass(frozen=True, slots=True)
class NameHit:
    """An entity, how it matched, and the matched string as in the source."""

    entity: int
    match_kind: str
    text: str


@dataclass(frozen=True, slots=True)
class NameMatches:
    """The best entities, and all matched ones regardless of the type filter."""

    hits: list[NameHit]
    matched: MatchedEntities


@dataclass(slots=True)
class NameSearch:
    """One query on one snapshot. Each step adds entities that earlier steps did not find."""

    snapshot: Snapshot
    term_index: TermIndex
    limit: int
    types: Collection[int] | None = None
    hits: list[NameHit] = field(default_factory=list)
    matched: MatchedEntities = field(init=False)

    def __post_init__(self) -> None:
        self.matched = MatchedEntities.empty(self.snapshot)

    def execute(self, query: str) -> NameMatches:
        """Exact identifiers, names and synonyms; prefixes; words in any order; mistyped words."""
        typed = normalize(query)
        self.add_identifiers("identifier", find_exact(self.snapshot, self.term_index, query))
        if typed:
            self.match_name(typed)
            self.match_words(typed, query)
        if len(self.hits) < self.limit:
            self.add_identifiers("prefix", find_by_prefix(self.snapshot, self.term_index, query))
        if typed and self.term_index.words and not len(self.matched):
            self.match_mistyped_words(self.term_index.words, typed.split()[:MAX_WORDS])
        return NameMatches(self.hits, self.matched)

    def add_identifiers(self, kind: str, out: Iterable[IdentifierMatch]) -> None:
        hits = [NameHit(entity, kind, text) for entity, text in out]
        self.matched.add_entities([hit.entity for hit in hits])
        for hit in hits:
            if self.accepts(hit.entity):
                self.hits.append(hit)

    def match_name(self, typed: str) -> None:
        """Exact matches, names before synonyms; then prefixes. Each by descending degree."""
        column, text = self.term_index.names, typed.encode()
        exact = np.sort(column.numbers_in(column.exact_range(text)))
        is_name = column.entities[exact] != column.entities[exact - 1]
        is_name[exact == 0] = True
        self.take_best("name", exact[is_name])
        self.take_best("synonym", exact[~is_name])
        started = column.numbers_in(prefix_range(column.texts, text))
        if self.term_index.words is None:  # otherwise the word index counts them
            self.matched.add(started, column.entities)
        self.take_best("prefix", started)

    def match_words(self, typed: str, query: str) -> None:
        words = self.term_index.words
        if words is None:
            return
        result = self.terms_with_all(words, typed)
        if "-" in query:
            joined = self.terms_with_all(words, normalize(query.replace("-", "")))
            result = np.concatenate([result, joined])
        self.add_matches("prefix", result)

    def terms_with_all(self, words: WordIndex, typed: str) -> Numbers:
        """The terms in which every typed word is a prefix of some word."""
        prefixes = typed.split()[:MAX_WORDS]
        total = len(self.term_index.names.entities)
        return intersect(
            [words.terms_in(prefix_range(words.texts, one.encode())) for one in prefixes], total
        )

    def match_mistyped_words(self, words: WordIndex, typed: list[str]) -> None:
        """Words that are no prefix are taken as mistyped; if there are none, each word in turn."""
        if len(typed) > 1:
            self.add_matches("typo", self.terms_with_all(words, "".join(typed)))
        unknown = {one for one in typed if not len(prefix_range(words.texts, one.encode()))}
        options = [unknown] if unknown else [{one} for one in sorted(typed, key=len, reverse=True)]
        for mistyped in options[:MAX_MISTYPED]:
            self.match_likely_words(words, typed, mistyped)

    def match_likely_words(self, words: WordIndex, typed: list[str], mistyped: set[str]) -> None:
        likely = [find_likely_words(words, one) for one in mistyped]
        total = len(self.term_index.names.entities)
        others = [one for one in typed if one not in mistyped]
        right = Intersection(
            [words.terms_in(prefix_range(words.texts, one.encode())) for one in others], total
        )
        for level in range(CLOSENESS_LEVELS):
            if len(self.hits) >= self.limit:
                return
            candidates = [words.terms_of(one[level]) for one in likely]
            self.add_matches("typo", right.filter(intersect(candidates, total)))

    def add_matches(self, kind: str, terms: Numbers) -> None:
        """Count the entities of these terms, and add the best as hits."""
        self.matched.add(terms, self.term_index.names.entities)
        self.take_best(kind, terms)

    def take_best(self, kind: str, terms: Numbers) -> None:
        """Add the best of these terms as hits, up to the limit."""
        places_left = self.limit - len(self.hits)
        if places_left <= 0 or not len(terms):
            return
        entities = self.term_index.names.entities
        if self.types is not None:
            types = self.snapshot.type_of[entities[terms]]
            terms = terms[np.isin(types, list(self.types))]
        # Other names of the same entities and existing hits may use up some of the terms.
        for some in (smallest(terms, OVERSAMPLING * self.limit), np.sort(terms)):
            for number in some.tolist():
                if len(self.hits) >= self.limit:
                    return
                self.take_one(kind, number)
            if len(some) == len(terms):
                return

    def take_one(self, kind: str, number: int) -> None:
        entity = int(self.term_index.names.entities[number])
        if self.accepts(entity):
            self.hits.append(
                NameHit(entity, kind, self.name_text(entity, self.name_position(number)))
            )

    def name_text(self, entity: int, place: int) -> str:
        """A name of an entity: its own or a synonym."""
        if not place:
            return self.snapshot.entity_summary(entity).name
        return self.snapshot.entity(entity).synonyms[place - 1]

    def name_position(self, number: int) -> int:
        """Index of a term among its entity's names; 0 is the entity's own name."""
        column = self.term_index.names
        return number - column.first_of(int(column.entities[number]))

    def accepts(self, entity: int) -> bool:
        if len(self.hits) >= self.limit or any(hit.entity == entity for hit in self.hits):
            return False
        return self.types is None or int(self.snapshot.type_of[entity]) in self.types
