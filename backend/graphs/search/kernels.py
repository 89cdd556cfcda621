"""Compiled loops over words. They check nothing: their callers have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]
WIDTH = 64  # bytes of a word that are compared
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
    twice: optimal string alignment). What is more than `most` edits away is told as 255.
    """
    length = len(wanted)
    before, last, now = (
        np.empty(length + 1, np.int64),
        np.empty(length + 1, np.int64),
        np.empty(length + 1, np.int64),
    )
    for i in range(len(places)):
        first = offsets[places[i]]
        size = min(offsets[places[i] + 1] - first, WIDTH)
        for column in range(length + 1):
            last[column] = column
        nearest = length if length <= most else most + 1
        reached = True
        rows = min(size, length + most)
        for row in range(rows):
            now[0] = row + 1
            smallest = now[0]
            letter = pool[first + row]
            for column in range(length):
                cost = 0 if wanted[column] == letter else 1
                best = min(last[column] + cost, last[column + 1] + 1, now[column] + 1)
                if (
                    row > 0
                    and column > 0
                    and wanted[column] == pool[first + row - 1]
                    and wanted[column - 1] == letter
                ):
                    best = min(best, before[column - 1] + 1)
                now[column + 1] = best
                smallest = min(smallest, best)
            nearest = min(nearest, now[length])
            before, last, now = last, now, before
            if smallest > most:
                reached = False
                break
        begun[i] = nearest if nearest <= most else FAR
        there = reached and rows == size and last[length] <= most
        whole[i] = last[length] if there else FAR


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
