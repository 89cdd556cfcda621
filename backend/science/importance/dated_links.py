"""A simple undirected graph whose links have years, read until any of them without a copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from backend.runtime.jit import jit_compile

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


class Rows(NamedTuple):
    """Entity v is linked to neighbours[starts[v]] up to neighbours[ends[v]], by links[…]."""

    starts: Longs
    ends: Longs
    neighbours: NDArray[np.int32]
    links: Longs

    @property
    def entity_count(self) -> int:
        return len(self.starts)


@dataclass(frozen=True)
class DatedLinks:
    """L links between V entities.

    pairs   int64 [L, 2], the smaller entity first, sorted and without repetition
    years   int64 [L], that in which each was first seen
    offsets int64 [V + 1]; row v is offsets[v] to offsets[v + 1], in the order of years
    neighbours int32 [2 L], and links int64 [2 L], the number of the link of each entry
    """

    pairs: Longs
    years: Longs
    offsets: Longs
    neighbours: NDArray[np.int32]
    links: Longs

    @property
    def count(self) -> int:
        """V."""
        return len(self.offsets) - 1

    def until(self, year: int) -> Rows:
        """The links first seen in this year or before."""
        ends = np.empty(self.count, np.int64)
        find_ends(self.offsets, self.links, self.years, year, ends)
        return Rows(self.offsets[:-1], ends, self.neighbours, self.links)

    def find(self, pairs: Longs) -> Longs:
        """The number of the link of each pair [n, 2], in either order; -1 where there is none."""
        keys = self.pairs @ [self.count, 1]
        given = np.sort(pairs, axis=1) @ [self.count, 1]
        at = np.searchsorted(keys, given)
        return np.where(np.append(keys, -1)[at] == given, at, -1)

    def matrix(self, until: int, weights: Floats | None = None) -> csr_array[np.float64]:
        """Symmetric [V, V] of the links until a year, each with its weight [L] or 1."""
        chosen = self.years <= until
        one, other = self.pairs[chosen].T
        values = np.ones(len(one)) if weights is None else weights[chosen].astype(np.float64)
        both = (np.concatenate([one, other]), np.concatenate([other, one]))
        return csr_array((np.concatenate([values, values]), both), shape=(self.count, self.count))


def dated_links(pairs: Longs, years: Longs, count: int) -> DatedLinks:
    """From pairs [n, 2] with years [n] in any order; a repeated pair has its first year.

    Pairs of an entity with itself are left out. Raises IndexError for unknown entities, ValueError
    for other shapes.
    """
    if pairs.shape != (len(years), 2):
        raise ValueError("each pair has two entities and a year")
    if len(pairs) and not 0 <= pairs.min() <= pairs.max() < count:
        raise IndexError(f"entities are numbered from 0 to {count - 1}")
    is_link = pairs[:, 0] != pairs[:, 1]
    pairs, years = np.sort(pairs[is_link], axis=1).astype(np.int64), years[is_link]
    order = np.lexsort((years, pairs[:, 1], pairs[:, 0]))
    pairs, years = pairs[order], years[order].astype(np.int64)
    is_first = np.ones(len(pairs), dtype=np.bool_)
    is_first[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    pairs, years = pairs[is_first], years[is_first]
    numbers = np.tile(np.arange(len(pairs), dtype=np.int64), 2)
    sources = np.concatenate([pairs[:, 0], pairs[:, 1]])
    targets = np.concatenate([pairs[:, 1], pairs[:, 0]])
    order = np.lexsort((targets, years[numbers], sources))
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=count), out=offsets[1:])
    return DatedLinks(pairs, years, offsets, targets[order].astype(np.int32), numbers[order])


@jit_compile
def find_ends(offsets: Longs, links: Longs, years: Longs, until: int, ends: Longs) -> None:
    for entity in range(len(offsets) - 1):
        low, high = offsets[entity], offsets[entity + 1]
        while low < high:
            middle = (low + high) >> 1
            if years[links[middle]] <= until:
                low = middle + 1
            else:
                high = middle
        ends[entity] = low
