"""What a search has found of splits so far: a row for each, in arrays that grow by doubling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from backend.science.rns.candidates import Floats, Longs
from backend.science.rns.measures import Measured

FIRST = 256
PARTS = 3  # R, the mutual information and S


@dataclass
class Seen:
    """count: candidates of the question. Rows are in the order in which splits came."""

    count: int
    size: int
    error: float = 0.0
    rows: dict[bytes, int] = field(default_factory=dict)
    splits: Longs = field(init=False)
    parts: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.splits = np.empty((FIRST, self.size), np.int64)
        self.parts = np.empty((FIRST, PARTS))

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, keys: Sequence[bytes], found: Measured) -> None:
        """Splits that are not there yet, each once."""
        first, last = len(self), len(self) + len(keys)
        while last > len(self.splits):
            self.splits = np.concatenate([self.splits, np.empty_like(self.splits)])
            self.parts = np.concatenate([self.parts, np.empty_like(self.parts)])
        self.splits[first:last] = found.splits
        self.parts[first:last, 0] = found.relevance
        self.parts[first:last, 1] = found.mutual_information
        self.parts[first:last, 2] = found.surprise
        self.error = max(self.error, found.error)
        self.rows.update(zip(keys, range(first, last), strict=True))

    def of(self, keys: Sequence[bytes]) -> Measured:
        return self._at(np.array([self.rows[key] for key in keys], np.int64))

    def every(self) -> Measured:
        return self._at(np.arange(len(self)))

    def _at(self, rows: Longs) -> Measured:
        relevance, information, surprise = self.parts[rows].T
        return Measured(self.count, self.splits[rows], relevance, information, surprise, self.error)
