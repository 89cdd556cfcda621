"""Compiled loops over texts and edges. They check nothing: their callers have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
Hashes = NDArray[np.uint64]

START = np.uint64(0xCBF29CE484222325)
PRIME = np.uint64(0x100000001B3)
MIX_1, MIX_2 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
HALF = np.uint64(33)
EIGHT = np.uint64(8)
ZERO = np.uint64(0)


@compiled
def hash_texts(pool: Bytes, offsets: Offsets, found: Hashes) -> None:
    """FNV-1a, then MurmurHash3's last step, for FNV alone leaves the high bits uneven."""
    for i in range(len(found)):
        value = START
        for place in range(offsets[i], offsets[i + 1]):
            value = (value ^ np.uint64(pool[place])) * PRIME
        value = (value ^ (value >> HALF)) * MIX_1
        value = (value ^ (value >> HALF)) * MIX_2
        found[i] = value ^ (value >> HALF)


@compiled
def gather_texts(
    pool: Bytes, offsets: Offsets, order: NDArray[np.integer], starts: Offsets, found: Bytes
) -> None:
    for i in range(len(order)):
        first, to = offsets[order[i]], starts[i]
        for place in range(starts[i + 1] - to):
            found[to + place] = pool[first + place]


@compiled
def lengths_of_rows(square: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many bytes each row has up to its last that is not NUL."""
    lengths = np.zeros(square.shape[0], np.int64)
    for i in range(square.shape[0]):
        length = square.shape[1]
        while length > 0 and square[i, length - 1] == 0:
            length -= 1
        lengths[i] = length
    return lengths


@compiled
def pack_rows(square: NDArray[np.uint8], starts: Offsets, found: Bytes) -> None:
    for i in range(square.shape[0]):
        for place in range(starts[i + 1] - starts[i]):
            found[starts[i] + place] = square[i, place]


@compiled
def eight_bytes(
    pool: Bytes,
    offsets: Offsets,
    order: Offsets,
    depth: int,
    words: Hashes,
    left: NDArray[np.uint8],
) -> None:
    """Eight bytes from a depth as a number, and how many bytes were left there: 9 says more."""
    for i in range(len(order)):
        first, last = offsets[order[i]] + depth, offsets[order[i] + 1]
        word = ZERO
        for place in range(first, first + 8):
            word <<= EIGHT
            if place < last:
                word |= np.uint64(pool[place])
        words[i] = word
        left[i] = max(0, min(last - first, 9))


@compiled
def find_texts(
    pool: Bytes,
    offsets: Offsets,
    hashes: Hashes,
    starts: NDArray[np.int32],
    bits: int,
    wanted_pool: Bytes,
    wanted_offsets: Offsets,
    wanted_hashes: Hashes,
    found: NDArray[np.int32],
) -> None:
    """starts[b] is the first of the sorted hashes whose highest bits are b."""
    shift = np.uint64(64 - bits)
    for i in range(len(found)):
        bucket = np.int64(wanted_hashes[i] >> shift)
        first, length = wanted_offsets[i], wanted_offsets[i + 1] - wanted_offsets[i]
        found[i] = -1
        for place in range(starts[bucket], starts[bucket + 1]):
            if hashes[place] != wanted_hashes[i]:
                continue
            begin = offsets[place]
            if offsets[place + 1] - begin != length:
                continue
            same = 0
            while same < length and pool[begin + same] == wanted_pool[first + same]:
                same += 1
            if same == length:
                found[i] = place
                break


@compiled
def comes_later(
    pool: Bytes, offsets: Offsets, one: NDArray[np.int32], other: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Whether text one[i] sorts behind text other[i]."""
    later = np.zeros(len(one), np.bool_)
    for i in range(len(one)):
        a, b = offsets[one[i]], offsets[other[i]]
        last_a, last_b = offsets[one[i] + 1], offsets[other[i] + 1]
        while a < last_a and b < last_b and pool[a] == pool[b]:
            a += 1
            b += 1
        later[i] = a < last_a and (b == last_b or pool[a] > pool[b])
    return later


@compiled
def same_as_before(pool: Bytes, offsets: Offsets) -> NDArray[np.bool_]:
    """Whether each text is the one before it, byte for byte."""
    same = np.zeros(len(offsets) - 1, np.bool_)
    for i in range(1, len(same)):
        length = offsets[i + 1] - offsets[i]
        if offsets[i] - offsets[i - 1] != length:
            continue
        place = 0
        while place < length and pool[offsets[i] + place] == pool[offsets[i - 1] + place]:
            place += 1
        same[i] = place == length
    return same


@compiled
def count_into(counts: NDArray[np.int64], numbers: NDArray[np.integer]) -> None:
    """Add one to the count of each number."""
    for i in range(len(numbers)):
        counts[numbers[i]] += 1
