"""Cache of evaluated splits of a search, in arrays that grow by doubling."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from backend.science.rns.candidates import Floats, Longs
from backend.science.rns.measures import SplitScores

INITIAL_CAPACITY = 256
PART_COUNT = 3  # R, mutual information and S


@dataclass
class EvaluatedSplits:
    """`count` is the number of candidates. Rows are in order of insertion."""

    count: int
    size: int
    error: float = 0.0
    rows: dict[bytes, int] = field(default_factory=dict)
    splits: Longs = field(init=False)
    parts: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.splits = np.empty((INITIAL_CAPACITY, self.size), np.int64)
        self.parts = np.empty((INITIAL_CAPACITY, PART_COUNT))

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, keys: Sequence[bytes], out: SplitScores) -> None:
        """Add splits that are not present yet, each once."""
        first, last = len(self), len(self) + len(keys)
        while last > len(self.splits):
            self.splits = np.concatenate([self.splits, np.empty_like(self.splits)])
            self.parts = np.concatenate([self.parts, np.empty_like(self.parts)])
        self.splits[first:last] = out.splits
        self.parts[first:last, 0] = out.relevance
        self.parts[first:last, 1] = out.mutual_information
        self.parts[first:last, 2] = out.surprise
        self.error = max(self.error, out.error)
        self.rows.update(zip(keys, range(first, last), strict=True))

    def select(self, keys: Sequence[bytes]) -> SplitScores:
        return self._at(np.array([self.rows[key] for key in keys], np.int64))

    def all_scores(self) -> SplitScores:
        return self._at(np.arange(len(self)))

    def _at(self, rows: Longs) -> SplitScores:
        relevance, information, surprise = self.parts[rows].T
        return SplitScores(
            self.count, self.splits[rows], relevance, information, surprise, self.error
        )
