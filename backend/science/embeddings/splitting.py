"""Which links are held out, so that an embedding can be asked for what it never saw."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.science.adjacency import Adjacency
from backend.science.compiled import compiled
from backend.science.embeddings.undirected import Longs, Pairs
from backend.science.links import Links, degree, links_of

SHARE = 0.05
MOST = 10_000  # pairs: enough for an interval of one hundredth
TRIES = 20  # drawings for each pair that is wanted


def split_edges(
    forward: Adjacency,
    reverse: Adjacency,
    *,
    seed: int,
    share: float = SHARE,
    most: int = MOST,
) -> Pairs:
    """Pairs of entities to hold out, int64 [n, 2], in the order drawn: pass them as `without`.

    Edges are drawn with equal chances; with an edge goes every parallel one, in both directions
    and of every relation. Self-loops are not drawn, nor a pair that is the last link of one of its
    ends: every entity that has links keeps one. n is the share of the edges, at most `most`, and
    fewer where the graph has not so many that can be spared.
    Raises ValueError for a share outside 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError("a share is from 0 to 1")
    links = links_of(forward, reverse)
    wanted = min(int(share * forward.edge_count), most)
    chance = np.random.default_rng([seed, 0])
    drawn = chance.integers(0, max(forward.edge_count, 1), wanted * TRIES)
    found = np.empty((wanted, 2), np.int64)
    return found[: spare(links, drawn, found)]


@compiled
def spare(links: Links, drawn: Longs, found: Longs) -> int:
    """Fill `found` with the pairs of drawn edges that leave both ends another neighbour."""
    count, filled = len(links.out_offsets) - 1, 0
    taken = {-1}
    for edge in drawn:
        if filled == len(found):
            break
        source = int(np.searchsorted(links.out_offsets, edge, side="right")) - 1
        target = int(links.out_neighbours[edge])
        key = key_of(source, target, count)
        if source == target or key in taken:
            continue
        taken.add(key)
        if keeps_one(links, source, taken) and keeps_one(links, target, taken):
            found[filled, 0], found[filled, 1] = source, target
            filled += 1
        else:
            taken.remove(key)
    return filled


@compiled
def key_of(one: int, other: int, count: int) -> int:
    """A pair as one number, whichever comes first."""
    return min(one, other) * count + max(one, other)


@compiled
def keeps_one(links: Links, entity: int, taken: set[int]) -> bool:
    """Whether a link to another entity is left."""
    count = len(links.out_offsets) - 1
    for way in range(2):
        offsets = links.out_offsets if way == 0 else links.in_offsets
        neighbours = links.out_neighbours if way == 0 else links.in_neighbours
        for place in range(offsets[entity], offsets[entity + 1]):
            other = int(neighbours[place])
            if other != entity and key_of(entity, other, count) not in taken:
                return True
    return False


def are_linked(links: Links, ones: Longs, others: Longs) -> NDArray[np.bool_]:
    """Whether there is any link between each two, bool [n]."""
    found = np.zeros(len(ones), np.bool_)
    look(links, ones, others, found)
    return found


@compiled
def look(links: Links, ones: Longs, others: Longs, found: NDArray[np.bool_]) -> None:
    for i in range(len(ones)):
        one, other = ones[i], others[i]
        if degree(links, other) < degree(links, one):
            one, other = other, one
        for way in range(2):
            offsets = links.out_offsets if way == 0 else links.in_offsets
            neighbours = links.out_neighbours if way == 0 else links.in_neighbours
            for place in range(offsets[one], offsets[one + 1]):
                if neighbours[place] == other:
                    found[i] = True
                    break
