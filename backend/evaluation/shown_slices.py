"""Which slices of test items have scores that reveal those of no few items.

A score is hidden if it is over few items, or if the score of few items follows from it and others
that are shown: of two slices with nearly the same items, or of a slice and its parts.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from backend.tracks.item_table import Masks

# A score of fewer test items would reveal that of single ones.
MIN_TEST_ITEMS = 5

Flags = NDArray[np.bool_]


def safe_slices(masks: Masks, counted: Flags, overall: str) -> frozenset[str]:
    """Names of those to show, as far as `counted` items go; the overall one is always among them.

    What is over the same items is shown together or not at all, as it has the same score.
    """
    slices = _CountedSlices.of(masks, counted, overall)
    shown = np.ones(len(slices.names), dtype=np.bool_)
    while (hidden := slices.find_revealing(shown)) is not None:
        shown &= slices.differences[hidden] > 0
        shown[0] = True
    return frozenset(name for name, is_shown in zip(slices.names, shown, strict=True) if is_shown)


@dataclass(frozen=True)
class _CountedSlices:
    """names: the overall one first, the others from the smallest on. sets: (slices, items)."""

    names: list[str]
    sets: Flags

    @classmethod
    def of(cls, masks: Masks, counted: Flags, overall: str) -> Self:
        sets = {name: mask & counted for name, mask in masks.items()}
        others = sorted((name for name in sets if name != overall), key=lambda one: sets[one].sum())
        names = [overall, *others]
        return cls(names, np.stack([sets[name] for name in names]))

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        sizes: NDArray[np.int64] = self.sets.sum(axis=1, dtype=np.int64)
        return sizes

    @cached_property
    def differences(self) -> NDArray[np.int64]:
        """(slices, slices) items that one of both has."""
        apart: NDArray[np.int64] = self.sizes[:, None] + self.sizes[None, :] - 2 * self._shared
        return apart

    @cached_property
    def parts(self) -> Flags:
        """(slices, slices) whether all items of the first, and not only those, are of the other."""
        within: Flags = (self._shared == self.sizes[:, None]) & (self.differences > 0)
        return within

    @cached_property
    def _shared(self) -> NDArray[np.int64]:
        table = self.sets.astype(np.float64)
        return np.rint(table @ table.T).astype(np.int64)

    def find_revealing(self, shown: Flags) -> int | None:
        """The next one to hide, the smallest that will do; None if no few items are revealed."""
        others = [at for at in range(1, len(shown)) if shown[at]]
        for at in others:
            is_near = _are_few(self.differences[at]) & shown
            if self.sizes[at] < MIN_TEST_ITEMS or is_near.any():
                return at
        for whole in [*others, 0]:
            parts = self.parts[:, whole]
            chosen = np.flatnonzero(parts & shown)
            if chosen.size and self._leaves_few(whole, parts, shown):
                return int(chosen[0])
        return None

    def _leaves_few(self, whole: int, parts: Flags, shown: Flags) -> bool:
        """Whether the parts that are hidden, or what no part that is shown has, are few items."""
        hidden = self.sets[parts & ~shown].any(axis=0).sum()
        left = (self.sets[whole] & ~self.sets[parts & shown].any(axis=0)).sum()
        return bool(_are_few(hidden) or _are_few(left))


def _are_few(count: NDArray[np.int64]) -> Flags:
    few: Flags = (count > 0) & (count < MIN_TEST_ITEMS)
    return few
