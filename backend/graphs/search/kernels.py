"""Compiled loops over words. They check nothing: their callers have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
WIDTH = 64  # bytes of a word that can be compared with others
FAR = np.uint8(255)


@compiled
def letters_of(pool: Bytes, offsets: Offsets, found: NDArray[np.uint64]) -> None:
    """Which letters a word has, a bit for each."""
    for i in range(len(found)):
        bits = np.uint64(0)
        for place in range(offsets[i], offsets[i + 1]):
            bits |= np.uint64(1) << (np.uint64(pool[place]) & np.uint64(63))
        found[i] = bits


@compiled
def possible(
    letters: NDArray[np.uint64],
    offsets: Offsets,
    wanted: np.uint64,
    length: int,
    most: int,
    found: NDArray[np.int64],
) -> int:
    """Write the words that may be meant by one of `length` letters, by which letters they have.

    Each edit takes away one letter and brings in one at most. The whole of a word is at most `most`
    edits away, the beginning of a longer one at most one.
    """
    count, one = 0, np.uint64(1)
    for i in range(len(letters)):  # one cheap look at all of them, a closer one at the rest
        lacking = wanted & ~letters[i]
        for _ in range(most):
            lacking &= lacking - one
        found[count] = i
        count += int(lacking == 0)
    first, count = count, 0
    for place in range(first):
        i = found[place]
        lacking, more = wanted & ~letters[i], letters[i] & ~wanted
        begun = lacking & (lacking - one) == 0
        for _ in range(most):
            more &= more - one
        size = offsets[i + 1] - offsets[i]
        whole = (more == 0) & (abs(size - length) <= most)
        found[count] = i
        count += int(whole) | (int(begun) & int(size >= length - 1))
    return count


@compiled
def distances(
    wanted: Bytes,
    pool: Bytes,
    offsets: Offsets,
    places: NDArray[np.int64],
    most: int,
    whole: NDArray[np.uint8],
    begun: NDArray[np.uint8],
) -> None:
    """How many edits lie between a word and others, and between it and their beginnings.

    An edit is a letter more, less or another, or two neighbours exchanged (no place is edited
    twice: optimal string alignment). What is more than `most` edits away is told as 255. Columns
    of the table of distances are held as bits: Hyyroe, A bit-vector algorithm for computing
    Levenshtein and Damerau edit distances, Nordic Journal of Computing 10, 2003.
    """
    one, length = np.uint64(1), len(wanted)
    last = one << np.uint64(length - 1)
    stands = np.zeros(256, np.uint64)  # a bit for each place of a letter
    for place in range(length):
        stands[wanted[place]] |= one << np.uint64(place)
    for i in range(len(places)):
        first = offsets[places[i]]
        size = offsets[places[i] + 1] - first
        rows = min(size, length + most)
        distance, nearest = length, length
        rise, fall = ~np.uint64(0), np.uint64(0)  # against the place before, in this column
        level, letter = np.uint64(0), np.uint64(0)
        for row in range(rows):
            before, letter = letter, stands[pool[first + row]]
            exchanged = ((~level & letter) << one) & before
            level = (((letter & rise) + rise) ^ rise) | letter | fall | exchanged
            more, less = fall | ~(level | rise), level & rise  # against the column before
            distance += int((more & last) != 0) - int((less & last) != 0)
            nearest = min(nearest, distance)
            if min(nearest, distance - (rows - 1 - row)) > most:
                break  # each letter still to come takes one edit away at best
            more, less = (more << one) | one, less << one
            rise, fall = less | ~(level | more), more & level
        begun[i] = nearest if nearest <= most else FAR
        whole[i] = distance if rows == size and distance <= most else FAR


@compiled
def lower_bound(pool: Bytes, offsets: Offsets, wanted: Bytes) -> int:
    """How many of sorted texts lie before one."""
    low, high = 0, len(offsets) - 1
    while low < high:
        middle = (low + high) // 2
        first = offsets[middle]
        size = offsets[middle + 1] - first
        shared = min(size, len(wanted))
        place = 0
        while place < shared and pool[first + place] == wanted[place]:
            place += 1
        before = size < len(wanted) if place == shared else pool[first + place] < wanted[place]
        if before:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def mark(numbers: NDArray[np.int32], bits: NDArray[np.uint64]) -> None:
    """Set a bit for each: 64 to a word, so that a million of them stay near the processor."""
    for i in range(len(numbers)):
        number = np.uint64(numbers[i])
        bits[number >> np.uint64(6)] |= np.uint64(1) << (number & np.uint64(63))


@compiled
def keep_marked(
    numbers: NDArray[np.int32], bits: NDArray[np.uint64], kept: NDArray[np.int32]
) -> int:
    """Write those that are marked, in their order, and say how many they are."""
    count = 0
    for i in range(len(numbers)):
        number = np.uint64(numbers[i])
        kept[count] = numbers[i]
        count += int(bits[number >> np.uint64(6)] >> (number & np.uint64(63)) & np.uint64(1))
    return count


@compiled
def tally(
    numbers: NDArray[np.int32],
    entities: NDArray[np.int32],
    types: NDArray[np.unsignedinteger],
    bits: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> None:
    """Mark the entity of each, and count those that were not yet marked under their types."""
    for i in range(len(numbers)):
        entity = np.uint32(entities[np.uint32(numbers[i])])  # unsigned: no end is counted from
        number = np.uint64(entity)
        place, bit = number >> np.uint64(6), np.uint64(1) << (number & np.uint64(63))
        counts[types[entity]] += int(not bits[place] & bit)
        bits[place] |= bit
