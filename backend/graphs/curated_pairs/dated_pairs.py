"""What papers state of curated pairs: the first year, the first papers, mentions of each year."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from backend.graphs.curated_pairs.cross_reference import CuratedPairs, Longs, Mentions

MOST_PAPERS = 20
NEVER = np.iinfo(np.int64).max
YEARS = 10_000


@dataclass
class PairDates:
    """papers [P, MOST_PAPERS]: year · 2³² + PMID of the earliest papers of a pair, NEVER where it
    has fewer. counts: mentions of a pair in a year, by pair · YEARS + year, sorted."""

    pairs: CuratedPairs
    papers: Longs = field(init=False)
    _keys: Longs = field(default_factory=lambda: np.zeros(0, np.int64))
    _counts: Longs = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        self.papers = np.full((len(self.pairs.keys), MOST_PAPERS), NEVER, np.int64)

    def add(self, mentions: Mentions) -> None:
        self._add_counts(mentions)
        self._add_papers(mentions)

    def _add_counts(self, mentions: Mentions) -> None:
        keys, counts = np.unique(mentions.pairs * YEARS + mentions.years, return_counts=True)
        merged, places = np.unique(np.concatenate([self._keys, keys]), return_inverse=True)
        weights = np.concatenate([self._counts, counts])
        self._keys = merged
        self._counts = np.bincount(places, weights, minlength=len(merged)).astype(np.int64)

    def _add_papers(self, mentions: Mentions) -> None:
        """The earliest of those that are stored and the new ones."""
        touched = np.unique(mentions.pairs)
        values = self.papers[touched]
        stored = values != NEVER
        pairs = np.concatenate([np.repeat(touched, stored.sum(axis=1)), mentions.pairs])
        papers = np.concatenate([values[stored], mentions.years << 32 | mentions.pmids])
        order = np.lexsort((papers, pairs))
        pairs, papers = pairs[order], papers[order]
        starts = np.searchsorted(pairs, touched)
        ranks = np.arange(len(pairs)) - np.repeat(starts, np.diff(np.append(starts, len(pairs))))
        is_early = ranks < MOST_PAPERS
        self.papers[touched] = NEVER
        self.papers[pairs[is_early], ranks[is_early]] = papers[is_early]

    @property
    def first_years(self) -> Longs:
        """[P]; 0 of a pair that no paper mentions."""
        first = self.papers[:, 0]
        return np.where(first == NEVER, 0, first >> 32)

    def pmids_of(self, number: int) -> list[int]:
        """Of the first papers, the earliest first."""
        papers = self.papers[number]
        pmids: list[int] = (papers[papers != NEVER] & 0xFFFFFFFF).tolist()
        return pmids

    def yearly_mentions(self) -> tuple[Longs, Longs, Longs]:
        """Pairs, years and how many papers of that year mention the pair: [m] each, in order."""
        return self._keys // YEARS, self._keys % YEARS, self._counts

    def mention_counts(self) -> Longs:
        """[P]: papers that mention a pair."""
        pairs, _, counts = self.yearly_mentions()
        return np.bincount(pairs, counts, minlength=len(self.pairs.keys)).astype(np.int64)
