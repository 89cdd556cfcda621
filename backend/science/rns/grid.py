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
    joined,
    score_splits,
    select,
)
from backend.science.rns.seen import Seen
from backend.science.rns.splits import EXACT_LIMIT, serendipity_size, split_count
from backend.science.stopping import Stop

STEPS: Final = 20
STARTS: Final = 3  # of each point of the grid, beside the winner of the point before


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
    """Each point starts from the winner of the one before; then each may take any other's."""
    ends = list[Longs]()
    for number, weights in enumerate(grid):
        if number and hunt.stop.pulled:
            break
        here = replace(hunt, weights=weights)
        found = here.greedy([*here.starts(seed + number, STARTS), *ends[-1:]])
        ends.append(np.array(found.serendipity, np.int64))
    pool = in_order(joined([hunt.measured(np.unique(np.stack(ends), axis=0))]))
    return winners_of(pool, grid, approximate=True, stopped=hunt.stop.pulled)


def winners_of(
    found: Measured, grid: tuple[Weights, ...], *, approximate: bool, stopped: bool = False
) -> Winners:
    places, winner = np.unique([decide(found, weights) for weights in grid], return_inverse=True)
    return Winners(select(found, places), grid, winner, approximate, stopped)
