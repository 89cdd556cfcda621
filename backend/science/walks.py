"""Random walks over a graph's edges, each walked either way.

From an entity of d entries (both sides, so a self-loop has two) each is taken with the chance
1 / d. With a restart, each step is instead a return to the start with that chance. An entity
without entries ends the walk, or, with a restart, returns it. Walk i of a seed is always the same,
whatever else is walked with it and on any machine: its numbers come from SplitMix64 (Steele, Lea
and Flood, OOPSLA 2014), and are made uniform over d without bias by rejection (Lemire, ACM
TOMACS 29, 2019, in its simplest form).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import compiled
from backend.science.links import Links, Longs, degree, edge_at, first_of
from backend.science.stopping import Stop

RETURN, END = -1, -2
State = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Walks:
    """n walks of m steps: entities int64 [n, m + 1], edges and codes int64 [n, m].

    A step's edge is RETURN (-1) where it went back to the start, and END (-2) behind the end of
    the walk, where the entities stay the last. Codes are 2 x relation + (1 against the edge).
    """

    entities: Longs
    edges: Longs
    codes: Longs

    def length(self, walk: int) -> int:
        """Steps until the walk's end."""
        return int((self.edges[walk] != END).sum())


def random_walks(
    links: Links,
    starts: Longs,
    steps: int,
    *,
    seed: int,
    restart: float = 0.0,
    stop: Stop | None = None,
) -> Walks:
    """One walk from each start. A pulled stop ends those that go on.

    Raises IndexError for a start that is not there, and ValueError for fewer than no steps or a
    restart that is no chance.
    """
    count = len(links.out_offsets) - 1
    if len(starts) and not 0 <= starts.min() <= starts.max() < count:
        raise IndexError(f"entities are numbered from 0 to {count - 1}")
    if steps < 0 or not 0 <= restart <= 1:
        raise ValueError("a walk has some steps, and a chance is from 0 to 1")
    entities = np.empty((len(starts), steps + 1), np.int64)
    edges, codes = np.full((2, len(starts), steps), END, np.int64)
    entities[:] = starts[:, None]
    walk_all(links, entities, edges, codes, np.uint64(seed % 2**64), restart, (stop or Stop()).flag)
    return Walks(entities, edges, codes)


@compiled
def walk_all(
    links: Links,
    entities: Longs,
    edges: Longs,
    codes: Longs,
    seed: np.uint64,
    restart: float,
    stop: NDArray[np.uint8],
) -> None:
    state = np.empty(1, np.uint64)
    for walk in range(len(entities)):
        state[0] = seed
        state[0] = mixed(state) ^ np.uint64(walk)
        for step in range(edges.shape[1]):
            here = entities[walk, step]
            around = degree(links, here)
            if stop[0] or (around == 0 and restart == 0):
                entities[walk, step + 1 :] = here
                break
            if restart > 0 and (around == 0 or uniform(state) < restart):
                entities[walk, step + 1] = entities[walk, 0]
                edges[walk, step] = RETURN
                continue
            take(links, entities, edges, codes, walk, step, below(state, np.uint64(around)))


@compiled
def take(
    links: Links, entities: Longs, edges: Longs, codes: Longs, walk: int, step: int, chosen: int
) -> None:
    """Go over one of an entity's entries: the forward ones come first."""
    here = entities[walk, step]
    place, way = first_of(links, here, 0) + chosen, 0
    if place >= first_of(links, here + 1, 0):
        place += first_of(links, here, 1) - first_of(links, here + 1, 0)
        way = 1
    neighbours = links.out_neighbours if way == 0 else links.in_neighbours
    relations = links.out_relations if way == 0 else links.in_relations
    entities[walk, step + 1] = neighbours[place]
    edges[walk, step] = edge_at(links, way, place)
    codes[walk, step] = np.int64(relations[place]) * 2 + way


@compiled
def mixed(state: State) -> np.uint64:
    """The next number of SplitMix64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    found = state[0]
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed_in: np.uint64 = found ^ (found >> np.uint64(31))
    return mixed_in


@compiled
def uniform(state: State) -> float:
    """From 0 to below 1, of 53 bits."""
    return np.float64(mixed(state) >> np.uint64(11)) / 9007199254740992.0


@compiled
def below(state: State, limit: np.uint64) -> int:
    """From 0 to limit - 1, each with the same chance."""
    uneven = (np.uint64(0) - limit) % limit
    while True:
        drawn = mixed(state)
        if drawn >= uneven:
            return int(drawn % limit)
