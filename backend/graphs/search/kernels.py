"""Compiled loops over words. Callers must validate all indices."""

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_compile

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
MAX_WORD_BYTES = 64  # longest word that can be compared, in bytes
TOO_FAR = np.uint8(255)


@jit_compile
def letter_masks(pool: Bytes, offsets: Offsets, out: NDArray[np.uint64]) -> None:
    """Bit mask of the letters of each word."""
    for i in range(len(out)):
        bits = np.uint64(0)
        for place in range(offsets[i], offsets[i + 1]):
            bits |= np.uint64(1) << (np.uint64(pool[place]) & np.uint64(63))
        out[i] = bits


@jit_compile
def filter_possible(
    letters: NDArray[np.uint64],
    offsets: Offsets,
    word: np.uint64,
    length: int,
    most: int,
    out: NDArray[np.int64],
) -> int:
    """Write the words whose letter masks allow a match with a word of `length` letters.

    Each edit removes at most one letter and adds at most one. The whole word may be `most` edits
    away, a prefix of a longer word at most one.
    """
    count, one = 0, np.uint64(1)
    for i in range(len(letters)):  # cheap test for all, exact test for the rest
        lacking = word & ~letters[i]
        for _ in range(most):
            lacking &= lacking - one
        out[count] = i
        count += int(lacking == 0)
    first, count = count, 0
    for place in range(first):
        i = out[place]
        lacking, more = word & ~letters[i], letters[i] & ~word
        started = lacking & (lacking - one) == 0
        for _ in range(most):
            more &= more - one
        size = offsets[i + 1] - offsets[i]
        whole = (more == 0) & (abs(size - length) <= most)
        out[count] = i
        count += int(whole) | (int(started) & int(size >= length - 1))
    return count


@jit_compile
def edit_distances(
    word: Bytes,
    pool: Bytes,
    offsets: Offsets,
    places: NDArray[np.int64],
    most: int,
    whole: NDArray[np.uint8],
    started: NDArray[np.uint8],
) -> None:
    """Edit distance between a word and others, and between it and their prefixes.

    An edit inserts, deletes or substitutes a letter, or swaps two neighbours (no substring is
    edited twice: optimal string alignment). Distances above `most` are reported as 255. Columns of
    the dynamic programming table are bit vectors: Hyyrö, A bit-vector algorithm for computing
    Levenshtein and Damerau edit distances, Nordic Journal of Computing 10, 2003.
    """
    one, length = np.uint64(1), len(word)
    last = one << np.uint64(length - 1)
    stands = np.zeros(256, np.uint64)  # one bit per position of a letter
    for place in range(length):
        stands[word[place]] |= one << np.uint64(place)
    for i in range(len(places)):
        first = offsets[places[i]]
        size = offsets[places[i] + 1] - first
        rows = min(size, length + most)
        distance, nearest = length, length
        rise, fall = ~np.uint64(0), np.uint64(0)  # difference to the previous row of this column
        level, letter = np.uint64(0), np.uint64(0)
        for row in range(rows):
            before, letter = letter, stands[pool[first + row]]
            exchanged = ((~level & letter) << one) & before
            level = (((letter & rise) + rise) ^ rise) | letter | fall | exchanged
            more, less = fall | ~(level | rise), level & rise  # difference to the previous column
            distance += int((more & last) != 0) - int((less & last) != 0)
            nearest = min(nearest, distance)
            if min(nearest, distance - (rows - 1 - row)) > most:
                break  # each remaining letter can reduce the distance by one
            more, less = (more << one) | one, less << one
            rise, fall = less | ~(level | more), more & level
        started[i] = nearest if nearest <= most else TOO_FAR
        whole[i] = distance if rows == size and distance <= most else TOO_FAR


@jit_compile
def lower_bound(pool: Bytes, offsets: Offsets, word: Bytes) -> int:
    """Number of sorted strings that precede a string."""
    low, high = 0, len(offsets) - 1
    while low < high:
        middle = (low + high) // 2
        first = offsets[middle]
        size = offsets[middle + 1] - first
        shared = min(size, len(word))
        place = 0
        while place < shared and pool[first + place] == word[place]:
            place += 1
        before = size < len(word) if place == shared else pool[first + place] < word[place]
        if before:
            low = middle + 1
        else:
            high = middle
    return low


@jit_compile
def mark(numbers: NDArray[np.int32], bits: NDArray[np.uint64]) -> None:
    """Set one bit per number: 64 in a word, so that a million fit into the cache."""
    for i in range(len(numbers)):
        number = np.uint64(numbers[i])
        bits[number >> np.uint64(6)] |= np.uint64(1) << (number & np.uint64(63))


@jit_compile
def filter_marked(
    numbers: NDArray[np.int32], bits: NDArray[np.uint64], out: NDArray[np.int32]
) -> int:
    """Write the marked numbers in order; return their count."""
    count = 0
    for i in range(len(numbers)):
        number = np.uint64(numbers[i])
        out[count] = numbers[i]
        count += int(bits[number >> np.uint64(6)] >> (number & np.uint64(63)) & np.uint64(1))
    return count


@jit_compile
def count_new(
    numbers: NDArray[np.int32],
    entities: NDArray[np.int32],
    types: NDArray[np.unsignedinteger],
    bits: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> None:
    """Mark the entity of each number, and count newly marked ones by type."""
    for i in range(len(numbers)):
        # Unsigned, which avoids the check for negative indices.
        entity = np.uint32(entities[np.uint32(numbers[i])])
        number = np.uint64(entity)
        place, bit = number >> np.uint64(6), np.uint64(1) << (number & np.uint64(63))
        counts[types[entity]] += int(not bits[place] & bit)
        bits[place] |= bit
