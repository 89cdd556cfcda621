"""The edges among a set of entities."""

from __future__ import annotations

import numpy as np

from backend.science.compiled import compiled
from backend.science.ends import Ints, Words, filter_of, may_hold, place_of
from backend.science.links import Bytes, Links, Longs, edge_at
from backend.science.pages import lower
from backend.science.stopping import Stop

SEARCHES = 24


def edges_among(
    links: Links, numbers: Ints, allowed: Bytes, *, limit: int, stop: Stop | None = None
) -> tuple[Longs, int]:
    """The first `limit` edges, by source, with both ends in the set, and how many there are.

    numbers int32 [n], rising; allowed uint8 [relations]. Self-loops and parallel edges count.
    Each is found once, in its source's row: O(sum of out-degrees), or for a long row
    O(n x relations x log). Raises IndexError for an entity that is not there. A pulled stop
    leaves entities out.
    """
    count = len(links.out_offsets) - 1
    if len(numbers) and not 0 <= numbers[0] <= numbers[-1] < count:
        raise IndexError(f"entities are numbered from 0 to {count - 1}")
    found = np.empty(limit, np.int64)
    total = gather(links, numbers, filter_of(numbers), allowed, found, (stop or Stop()).flag)
    return found[: min(total, limit)], total


@compiled
def gather(
    links: Links, numbers: Ints, words: Words, allowed: Bytes, found: Longs, stop: Bytes
) -> int:
    total = 0
    for number in numbers:
        if stop[0]:
            break
        row = links.out_offsets[number + 1] - links.out_offsets[number]
        if row > SEARCHES * min(row, len(allowed)) * len(numbers):
            total = search_out(links, number, numbers, allowed, found, total)
        else:
            total = scan_out(links, number, numbers, words, allowed, found, total)
    return total


@compiled
def scan_out(
    links: Links,
    number: int,
    numbers: Ints,
    words: Words,
    allowed: Bytes,
    found: Longs,
    total: int,
) -> int:
    for place in range(links.out_offsets[number], links.out_offsets[number + 1]):
        end = links.out_neighbours[place]
        if may_hold(words, end) and allowed[links.out_relations[place]]:
            if place_of(numbers, end) < 0:
                continue
            if total < len(found):
                found[total] = edge_at(links, 0, place)
            total += 1
    return total


@compiled
def search_out(
    links: Links, number: int, numbers: Ints, allowed: Bytes, found: Longs, total: int
) -> int:
    first, last = links.out_offsets[number], links.out_offsets[number + 1]
    while first < last:
        relation = int(links.out_relations[first])
        end = lower(links.out_relations, first, last, relation + 1)
        if allowed[relation]:
            for wanted in numbers:
                first = lower(links.out_neighbours, first, end, wanted)
                while first < end and links.out_neighbours[first] == wanted:
                    if total < len(found):
                        found[total] = edge_at(links, 0, first)
                    total += 1
                    first += 1
        first = end
    return total
