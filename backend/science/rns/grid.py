"""Which split wins at which weights: what a screen needs to follow the hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from backend.science.rns.candidates import Candidates, Longs, Novelty
from backend.science.rns.measures import Measured, Weights
from backend.science.rns.search import (
    Among,
    Hunt,
    Source,
    decide,
    in_order,
    score_splits,
    select,
)
from backend.science.rns.seen import Seen
from backend.science.rns.splits import EXACT_LIMIT, serendipity_size, split_count
from backend.science.stopping import Stop

STEPS: Final = 20
COARSE: Final = 5
STARTS: Final = 12  # at each point of the coarse grid
ROUNDS: Final = 2  # over the points of the fine one


@dataclass(frozen=True, eq=False)
class Winners:
    """The splits that win somewhere on a grid of weights.

    measured: those splits alone, in lexicographic order. winner int64 [g]: the place among them of
    the best at each point of the grid. approximate: they come from climbs, and a better one may
    have been missed. stopped: the grid was not finished, and the points that are left took the
    best of what had been found.
    """

    measured: Measured
    grid: tuple[Weights, ...]
    winner: Longs
    approximate: bool
    stopped: bool = False


@cache
def weight_grid(steps: int = STEPS) -> tuple[Weights, ...]:
    """All weights that are whole multiples of 1/steps: (steps + 1)(steps + 2)/2 of them."""
    return tuple(
        Weights(a / steps, b / steps, (steps - a - b) / steps)
        for a in range(steps + 1)
        for b in range(steps + 1 - a)
    )


def winners_on_grid(
    candidates: Candidates,
    *,
    size: int | None = None,
    novelty: Novelty = "printed",
    source: Source | None = None,
    steps: int = STEPS,
    stop: Stop | None = None,
    seed: int = 0,
) -> Winners:
    """The winners at each point: of all splits to 5,000, above that of climbs."""
    chosen = serendipity_size(candidates.count, size)
    if split_count(candidates.count, chosen) <= EXACT_LIMIT:
        found = score_splits(candidates, chosen, novelty=novelty, source=source)
        return winners_of(found, weight_grid(steps), approximate=False)
    hunt = Hunt(
        candidates,
        Weights(),
        chosen,
        novelty,
        source or Among(candidates),
        stop or Stop(),
        Seen(candidates.count, chosen),
    )
    return climbed(hunt, weight_grid(steps), seed)


def climbed(hunt: Hunt, grid: tuple[Weights, ...], seed: int) -> Winners:
    """Many climbs at the points of a coarse grid; then from each point of the fine one, on from the
    best that was found anywhere; then each may take any other's."""
    found = list[Longs]()
    for number, weights in enumerate(weight_grid(COARSE)):
        if number and hunt.stop.pulled:
            break
        there = replace(hunt, weights=weights)
        found.append(best_of(there, there.starts(seed + number, STARTS)))
    tried = set[tuple[Weights, bytes]]()
    for _ in range(ROUNDS):
        pool = pooled(hunt, found)
        for weights in grid:
            start = pool.splits[decide(pool, weights)]
            if hunt.stop.pulled or (weights, start.tobytes()) in tried:
                continue
            tried.add((weights, start.tobytes()))
            found.append(best_of(replace(hunt, weights=weights), [start]))
    pool = pooled(hunt, found)
    return winners_of(pool, grid, approximate=True, stopped=hunt.stop.pulled)


def best_of(hunt: Hunt, starts: list[Longs]) -> Longs:
    return np.array(hunt.greedy(starts).serendipity, np.int64)


def pooled(hunt: Hunt, found: list[Longs]) -> Measured:
    return in_order(hunt.measured(np.unique(np.stack(found), axis=0)))


def winners_of(
    found: Measured, grid: tuple[Weights, ...], *, approximate: bool, stopped: bool = False
) -> Winners:
    places, winner = np.unique([decide(found, weights) for weights in grid], return_inverse=True)
    return Winners(select(found, places), grid, winner, approximate, stopped)
