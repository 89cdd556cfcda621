"""Arrays of strings in one byte buffer: hash, compare and sort without Python objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots import kernels

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class StringArray:
    """String i is pool[offsets[i]:offsets[i + 1]], in UTF-8."""

    pool: Bytes
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[bytes]) -> StringArray:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        return cls(np.frombuffer(b"".join(texts), np.uint8), offsets_from_lengths(lengths))

    @classmethod
    def of_lengths(cls, pool: Bytes, lengths: NDArray[np.integer]) -> StringArray:
        return cls(pool, offsets_from_lengths(lengths))

    @classmethod
    def concatenate(cls, parts: Sequence[StringArray]) -> StringArray:
        if len(parts) == 1:
            return parts[0]
        lengths = [part.lengths for part in parts]
        pool = np.concatenate([part.pool[part.offsets[0] : part.offsets[-1]] for part in parts])
        return cls(pool, offsets_from_lengths(np.concatenate(lengths)))

    @classmethod
    def empty(cls, count: int) -> StringArray:
        return cls(np.empty(0, np.uint8), np.zeros(count + 1, np.int64))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, place: int) -> bytes:
        return self.pool[self.offsets[place] : self.offsets[place + 1]].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        pool, bounds = self.pool.tobytes(), self.offsets.tolist()
        return (pool[a:b] for a, b in pairwise(bounds))

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    @property
    def nbytes(self) -> int:
        return int(self.offsets[-1] - self.offsets[0]) + self.offsets.nbytes

    @property
    def is_blank(self) -> bool:
        """Whether every string is empty."""
        return bool(self.offsets[-1] == self.offsets[0])

    def slice_strings(self, first: int, last: int) -> StringArray:
        """Strings first to last - 1; the bytes are a view."""
        offsets = self.offsets[first : last + 1]
        return StringArray(self.pool[offsets[0] : offsets[-1]], offsets - offsets[0])

    def take(self, order: NDArray[np.integer]) -> StringArray:
        starts = offsets_from_lengths(self.offsets[order + 1] - self.offsets[order])
        pool = np.empty(int(starts[-1]), np.uint8)
        kernels.gather_texts(self.pool, self.offsets, order, starts, pool)
        return StringArray(pool, starts)

    def hashes(self) -> NDArray[np.uint64]:
        result = np.empty(len(self), np.uint64)
        kernels.hash_texts(self.pool, self.offsets, result)
        return result

    def sort_order(self) -> NDArray[np.int64]:
        """Permutation that sorts by bytes, which is the order of code points.

        Compares eight bytes at a time, and only strings that are still tied.
        """
        order = np.arange(len(self))
        tied, groups, depth = order.copy(), np.zeros(len(self), np.int64), 0
        while len(tied):
            words = np.empty(len(tied), np.uint64)
            left = np.empty(len(tied), np.uint8)
            kernels.eight_bytes(self.pool, self.offsets, order[tied], depth, words, left)
            by = np.lexsort((left, words, groups))
            order[tied] = order[tied][by]
            groups, words, left = groups[by], words[by], left[by]
            tied, groups = still_tied(tied, groups, words, left)
            depth += 8
        return order


def still_tied(
    places: NDArray[np.int64],
    groups: NDArray[np.int64],
    words: NDArray[np.uint64],
    left: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions still tied with a neighbour and not exhausted, and their new groups."""
    new = np.ones(len(places), np.bool_)
    new[1:] = (groups[1:] != groups[:-1]) | (words[1:] != words[:-1]) | (left[1:] != left[:-1])
    numbers = np.cumsum(new)
    alone = new & np.append(new[1:], True)
    keep = ~alone & (left > 8)
    return places[keep], numbers[keep]


def offsets_from_lengths(lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    """Start of each of consecutive items, and the end of the last."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


class StringIndex:
    """Lookup of strings among distinct strings sorted by hash.

    Strings are compared byte for byte after their hashes, so hash collisions are resolved.
    """

    def __init__(self, texts: StringArray, hashes: NDArray[np.uint64]) -> None:
        self.texts, self.hashes = texts, hashes
        self.bits = max(len(texts).bit_length() - 2, 1)
        edges = np.arange(1 << self.bits, dtype=np.uint64) << np.uint64(64 - self.bits)
        self.starts = np.append(np.searchsorted(hashes, edges), len(texts)).astype(np.int32)

    def find(self, strings: StringArray) -> NDArray[np.int32]:
        """Position of each string, -1 if absent."""
        result = np.empty(len(strings), np.int32)
        index = (self.texts.pool, self.texts.offsets, self.hashes, self.starts, self.bits)
        kernels.find_texts(*index, strings.pool, strings.offsets, strings.hashes(), result)
        return result
