"""Compiled loops over strings and edges. Callers must validate all indices."""

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
Hashes = NDArray[np.uint64]

HASH_START = np.uint64(0xCBF29CE484222325)
HASH_PRIME = np.uint64(0x100000001B3)
MIX_1, MIX_2 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
HALF = np.uint64(33)
EIGHT = np.uint64(8)
ZERO = np.uint64(0)


@jit_compile
def hash_texts(pool: Bytes, offsets: Offsets, out: Hashes) -> None:
    """FNV-1a followed by the finalizer of MurmurHash3, which spreads the high bits."""
    for i in range(len(out)):
        value = HASH_START
        for place in range(offsets[i], offsets[i + 1]):
            value = (value ^ np.uint64(pool[place])) * HASH_PRIME
        value = (value ^ (value >> HALF)) * MIX_1
        value = (value ^ (value >> HALF)) * MIX_2
        out[i] = value ^ (value >> HALF)


@jit_compile
def gather_texts(
    pool: Bytes, offsets: Offsets, order: NDArray[np.integer], starts: Offsets, out: Bytes
) -> None:
    for i in range(len(order)):
        first, to = offsets[order[i]], starts[i]
        for place in range(starts[i + 1] - to):
            out[to + place] = pool[first + place]


@jit_compile
def eight_bytes(
    pool: Bytes,
    offsets: Offsets,
    order: Offsets,
    depth: int,
    words: Hashes,
    left: NDArray[np.uint8],
) -> None:
    """The eight bytes at a depth as an integer, and the bytes left there (9 if there are more)."""
    for i in range(len(order)):
        first, last = offsets[order[i]] + depth, offsets[order[i] + 1]
        word = ZERO
        for place in range(first, first + 8):
            word <<= EIGHT
            if place < last:
                word |= np.uint64(pool[place])
        words[i] = word
        left[i] = max(0, min(last - first, 9))


@jit_compile
def find_texts(
    pool: Bytes,
    offsets: Offsets,
    hashes: Hashes,
    starts: NDArray[np.int32],
    bits: int,
    target_pool: Bytes,
    target_offsets: Offsets,
    target_hashes: Hashes,
    out: NDArray[np.int32],
) -> None:
    """starts[b] is the first of the sorted hashes whose highest bits equal b."""
    shift = np.uint64(64 - bits)
    for i in range(len(out)):
        bucket = np.int64(target_hashes[i] >> shift)
        first, length = target_offsets[i], target_offsets[i + 1] - target_offsets[i]
        out[i] = -1
        for place in range(starts[bucket], starts[bucket + 1]):
            if hashes[place] != target_hashes[i]:
                continue
            begin = offsets[place]
            if offsets[place + 1] - begin != length:
                continue
            same = 0
            while same < length and pool[begin + same] == target_pool[first + same]:
                same += 1
            if same == length:
                out[i] = place
                break


@jit_compile
def is_greater(
    pool: Bytes, offsets: Offsets, one: NDArray[np.int32], other: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Whether string one[i] sorts after string other[i]."""
    later = np.zeros(len(one), np.bool_)
    for i in range(len(one)):
        a, b = offsets[one[i]], offsets[other[i]]
        last_a, last_b = offsets[one[i] + 1], offsets[other[i] + 1]
        while a < last_a and b < last_b and pool[a] == pool[b]:
            a += 1
            b += 1
        later[i] = a < last_a and (b == last_b or pool[a] > pool[b])
    return later


@jit_compile
def equals_previous(pool: Bytes, offsets: Offsets) -> NDArray[np.bool_]:
    """Whether each string equals the previous one, byte for byte."""
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


@jit_compile
def count_into(counts: NDArray[np.int64], numbers: NDArray[np.integer]) -> None:
    """Increment the count of each number."""
    for i in range(len(numbers)):
        counts[numbers[i]] += 1
