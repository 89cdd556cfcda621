"""Many texts in one array of bytes: kept, hashed, compared and sorted without Python objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots import kernels

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Texts:
    """Text i is pool[offsets[i]:offsets[i + 1]], in UTF-8."""

    pool: Bytes
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[bytes]) -> Texts:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        return cls(np.frombuffer(b"".join(texts), np.uint8), starts_of(lengths))

    @classmethod
    def of_lengths(cls, pool: Bytes, lengths: NDArray[np.integer]) -> Texts:
        return cls(pool, starts_of(lengths))

    @classmethod
    def of_fixed(cls, texts: NDArray[np.bytes_]) -> Texts:
        """From numpy's fixed width, which cannot tell a text from one with NULs at its end."""
        width = texts.dtype.itemsize
        square = np.ascontiguousarray(texts).view(np.uint8).reshape(len(texts), width)
        lengths = kernels.lengths_of_rows(square)
        starts = starts_of(lengths)
        pool = np.empty(int(starts[-1]), np.uint8)
        kernels.pack_rows(square, starts, pool)
        return cls(pool, starts)

    @classmethod
    def joined(cls, parts: Sequence[Texts]) -> Texts:
        if len(parts) == 1:
            return parts[0]
        lengths = [part.lengths for part in parts]
        pool = np.concatenate([part.pool[part.offsets[0] : part.offsets[-1]] for part in parts])
        return cls(pool, starts_of(np.concatenate(lengths)))

    @classmethod
    def empty(cls, count: int) -> Texts:
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
    def blank(self) -> bool:
        """Whether every text is empty."""
        return bool(self.offsets[-1] == self.offsets[0])

    def part(self, first: int, last: int) -> Texts:
        """Texts first to last - 1, in memory of their own only where they are small."""
        offsets = self.offsets[first : last + 1]
        return Texts(self.pool[offsets[0] : offsets[-1]], offsets - offsets[0])

    def take(self, order: NDArray[np.integer]) -> Texts:
        starts = starts_of(self.lengths[order])
        pool = np.empty(int(starts[-1]), np.uint8)
        kernels.gather_texts(self.pool, self.offsets, order, starts, pool)
        return Texts(pool, starts)

    def hashes(self) -> NDArray[np.uint64]:
        found = np.empty(len(self), np.uint64)
        kernels.hash_texts(self.pool, self.offsets, found)
        return found

    def order(self) -> NDArray[np.int64]:
        """The order that sorts them by their bytes, which is that of their code points.

        Eight bytes at a time, and only among those that have been alike so far.
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
    """The places whose text goes on and is like a neighbour's up to here, and their new groups."""
    new = np.ones(len(places), np.bool_)
    new[1:] = (groups[1:] != groups[:-1]) | (words[1:] != words[:-1]) | (left[1:] != left[:-1])
    numbers = np.cumsum(new)
    alone = new & np.append(new[1:], True)
    keep = ~alone & (left > 8)
    return places[keep], numbers[keep]


def starts_of(lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    """Where each begins when they lie one behind the other, and where the last ends."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def hash_of(text: bytes) -> np.uint64:
    return np.uint64(Texts.of([text]).hashes()[0])


class TextIndex:
    """Which of some distinct texts, kept in the order of their hashes, another text is.

    Texts are compared byte for byte after their hashes, so that two with one hash stay two.
    """

    def __init__(self, texts: Texts, hashes: NDArray[np.uint64]) -> None:
        self.texts, self.hashes = texts, hashes
        self.bits = max(len(texts).bit_length() - 2, 1)
        edges = np.arange(1 << self.bits, dtype=np.uint64) << np.uint64(64 - self.bits)
        self.starts = np.append(np.searchsorted(hashes, edges), len(texts)).astype(np.int32)

    def places(self, wanted: Texts) -> NDArray[np.int32]:
        """The place of each, -1 where there is none."""
        found = np.empty(len(wanted), np.int32)
        index = (self.texts.pool, self.texts.offsets, self.hashes, self.starts, self.bits)
        kernels.find_texts(*index, wanted.pool, wanted.offsets, wanted.hashes(), found)
        return found
