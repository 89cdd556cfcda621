"""Curated pairs of concepts, cross-referenced with the papers that mention both.

Dyport, sections 5.3 to 5.6: identifiers of databases become concepts (an identifier with several of
them gives all combinations; one without any is dropped), pairs of all databases are merged, and a
pair is dated by the papers whose concepts contain both ends. Pairs are simple and undirected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from backend.common.errors import DomainError
from backend.graphs.curated_pairs.concept_map import ConceptMap
from backend.graphs.curated_pairs.pair_tables import CuratedPair
from backend.graphs.importers.paper_concepts.paper_table import PaperConcepts

Longs = NDArray[np.int64]
MOST_DATABASES = 62  # bits of a number
BATCH = 1_000_000  # pairs that wait to be merged


@dataclass(frozen=True)
class Mentions:
    """pairs [m]: numbers of the pairs that a paper mentions; years, pmids [m]: of that paper."""

    pairs: Longs
    years: Longs
    pmids: Longs


@dataclass
class PairCollector:
    """Merges pairs of identifiers into pairs of concepts. dropped: pairs by reason."""

    concepts: ConceptMap
    dropped: Counter[str] = field(default_factory=Counter)
    read: int = 0
    databases: dict[str, int] = field(default_factory=dict)
    _merged: dict[int, int] = field(default_factory=dict)

    def add(self, pair: CuratedPair) -> None:
        self.read += 1
        one, other = self.concepts.find(pair.subject), self.concepts.find(pair.object)
        if not (one and other):
            self.dropped["unmapped"] += 1
            return
        bit = 1 << self._number_of(pair.database)
        links = [(a, b) for a, b in product(one, other) if a != b]
        if not links:
            self.dropped["same_concept"] += 1
        for a, b in links:
            key = min(a, b) << 32 | max(a, b)
            self._merged[key] = self._merged.get(key, 0) | bit

    def _number_of(self, database: str) -> int:
        number = self.databases.setdefault(database, len(self.databases))
        if number >= MOST_DATABASES:
            message = f"The tables name more than {MOST_DATABASES} databases. Merge some of them."
            raise DomainError(message, code="databases")
        return number

    def pairs(self) -> CuratedPairs:
        keys = np.fromiter(self._merged, np.int64, len(self._merged))
        bits = np.fromiter(self._merged.values(), np.int64, len(self._merged))
        order = np.argsort(keys)
        return CuratedPairs(self.concepts, tuple(self.databases), keys[order], bits[order])


@dataclass(frozen=True)
class CuratedPairs:
    """keys int64 [P], sorted: smaller number of a concept · 2³² + larger. bits: the databases."""

    concepts: ConceptMap
    databases: tuple[str, ...]
    keys: Longs
    bits: Longs

    @property
    def ends(self) -> Longs:
        """Numbers of concepts [P, 2], the smaller first."""
        return np.column_stack([self.keys >> 32, self.keys & 0xFFFFFFFF])

    def databases_of(self, number: int) -> list[str]:
        bits = int(self.bits[number])
        return [name for at, name in enumerate(self.databases) if bits >> at & 1]

    def find_mentions(self, papers: Iterable[PaperConcepts]) -> Iterator[Mentions]:
        """Of each pair in each paper, in batches."""
        waiting: list[tuple[Longs, int, int]] = []
        size = 0
        is_used = np.zeros(len(self.concepts.concepts), np.bool_)
        is_used[self.ends.ravel()] = True
        for paper in papers:
            known = (self.concepts.get_number(name) for name in paper.concepts)
            numbers = np.array([it for it in known if it is not None], np.int64)
            numbers = np.sort(numbers[is_used[numbers]])
            if len(numbers) < 2:
                continue
            one, other = np.triu_indices(len(numbers), 1)
            waiting.append((numbers[one] << 32 | numbers[other], paper.year, paper.pmid))
            size += len(one)
            if size >= BATCH:
                yield self._match(waiting)
                waiting, size = [], 0
        if waiting:
            yield self._match(waiting)

    def _match(self, waiting: list[tuple[Longs, int, int]]) -> Mentions:
        keys = np.concatenate([given for given, _, _ in waiting])
        lengths = [len(given) for given, _, _ in waiting]
        years = np.repeat(np.array([year for _, year, _ in waiting], np.int64), lengths)
        pmids = np.repeat(np.array([pmid for _, _, pmid in waiting], np.int64), lengths)
        at = np.searchsorted(self.keys, keys)
        is_pair = np.append(self.keys, -1)[at] == keys
        return Mentions(at[is_pair], years[is_pair], pmids[is_pair])
