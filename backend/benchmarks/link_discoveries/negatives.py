"""Entities that a subject was never linked with, drawn beside each of its later links."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.link_discoveries.dated_pairs import DatedPairs
from backend.science.importance.dated_links import Longs


@dataclass
class PoolDraws:
    """Draws the members of a pool in one order, and in the same order again once all were drawn."""

    order: Longs
    begin: int = 0

    @classmethod
    def of_subject(cls, pool: Longs, subject: str, seed: int) -> PoolDraws:
        """The order depends on the pool, the subject's identifier and the seed alone."""
        digest = hashlib.sha256(subject.encode()).digest()
        rng = np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])
        return cls(rng.permutation(pool))

    def draw(self, count: int) -> Longs | None:
        """`count` different members; None if there are not as many."""
        if len(self.order) < count:
            return None
        drawn = np.take(self.order, np.arange(self.begin, self.begin + count), mode="wrap")
        self.begin = (self.begin + count) % len(self.order)
        return drawn


@dataclass
class NegativeDraws:
    """`allowed` [V]: entities of the training graph. Nothing is drawn that the subject was linked
    with until the horizon, or at an unknown time.

    A subject's draws do not repeat while there are others. They depend neither on other subjects
    nor on the numbers of entities, which change with every edge.
    """

    pairs: DatedPairs
    identifier: Callable[[int], str]
    types: NDArray[np.integer]
    allowed: NDArray[np.bool_]
    horizon: int
    seed: int
    _pools: dict[tuple[int, int], PoolDraws] = field(default_factory=dict, init=False)
    _of_type: dict[int, Longs] = field(default_factory=dict, init=False)

    def draw(self, subject: int, object_: int, count: int) -> Longs | None:
        """`count` entities of the object's type; None if there are not as many."""
        kind = int(self.types[object_])
        key = (subject, kind)
        if key not in self._pools:
            pool = self._unlinked(subject, kind)
            self._pools[key] = PoolDraws.of_subject(pool, self.identifier(subject), self.seed)
        return self._pools[key].draw(count)

    def _unlinked(self, subject: int, kind: int) -> Longs:
        if kind not in self._of_type:
            of_kind: list[int] = np.flatnonzero((self.types == kind) & self.allowed).tolist()
            self._of_type[kind] = np.array(sorted(of_kind, key=self.identifier), dtype=np.int64)
        candidates = self._of_type[kind]
        beside = np.column_stack([np.full(len(candidates), subject), candidates])
        numbers = self.pairs.links.find(beside)
        years = np.append(self.pairs.links.years, self.horizon + 1)[numbers]
        known = (years <= self.horizon) | self.pairs.is_undated(beside)
        unlinked: Longs = candidates[~known & (candidates != subject)]
        return unlinked
