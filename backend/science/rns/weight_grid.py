"""The best split at each point of a grid of weights, for interactive display."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.science.rns.candidates import Candidates, Longs, NoveltyForm
from backend.science.rns.evaluated_splits import EvaluatedSplits
from backend.science.rns.measures import SplitScores, Weights
from backend.science.rns.search import (
    CandidateSurprise,
    GreedySearch,
    SurpriseSource,
    choose_split,
    score_all_splits,
    select_splits,
    sort_splits,
)
from backend.science.rns.splits import EXACT_LIMIT, serendipity_size, split_count

GRID_STEPS: Final = 20
COARSE_STEPS: Final = 5
STARTS_PER_POINT: Final = 12  # at each point of the coarse grid
REFINEMENT_ROUNDS: Final = 2  # passes over the fine grid


@dataclass(frozen=True, eq=False)
class GridWinners:
    """The splits that are best somewhere on a grid of weights.

    scores: those splits, in lexicographic order. winner int64 [g]: the index of the best split at
    each point of the grid. is_approximate: they come from climbs, so a better one may exist.
    is_cancelled: the search was cancelled; the remaining points use the best split found by then.
    """

    scores: SplitScores
    grid: tuple[Weights, ...]
    winner: Longs
    is_approximate: bool
    is_cancelled: bool = False


@cache
def weight_grid(steps: int = GRID_STEPS) -> tuple[Weights, ...]:
    """All weights that are multiples of 1/steps: (steps + 1)(steps + 2)/2 points."""
    return tuple(
        Weights(a / steps, b / steps, (steps - a - b) / steps)
        for a in range(steps + 1)
        for b in range(steps + 1 - a)
    )


def winners_on_grid(
    candidates: Candidates,
    *,
    size: int | None = None,
    novelty: NoveltyForm = "printed",
    source: SurpriseSource | None = None,
    steps: int = GRID_STEPS,
    stop: CancellationToken | None = None,
    seed: int = 0,
) -> GridWinners:
    """The best split at each point: of all splits up to 5,000, of climbs above."""
    chosen = serendipity_size(candidates.count, size)
    if split_count(candidates.count, chosen) <= EXACT_LIMIT:
        result = score_all_splits(candidates, chosen, novelty=novelty, source=source)
        return build_winners(result, weight_grid(steps), approximate=False)
    hunt = GreedySearch(
        candidates,
        Weights(),
        chosen,
        novelty,
        source or CandidateSurprise(candidates),
        stop or CancellationToken(),
        EvaluatedSplits(candidates.count, chosen),
    )
    return climb_grid(hunt, weight_grid(steps), seed)


def climb_grid(hunt: GreedySearch, grid: tuple[Weights, ...], seed: int) -> GridWinners:
    """Climbs from many starts on a coarse grid; then, on the fine grid, from the best splits found
    anywhere; finally each point takes the best of all splits found.
    """
    result = list[Longs]()
    for number, weights in enumerate(weight_grid(COARSE_STEPS)):
        if number and hunt.stop.is_cancelled:
            break
        existing = replace(hunt, weights=weights)
        result.append(
            best_at_points(existing, existing.starting_sets(seed + number, STARTS_PER_POINT))
        )
    trial = set[tuple[Weights, bytes]]()
    for _ in range(REFINEMENT_ROUNDS):
        pool = pool_scores(hunt, result)
        for weights in grid:
            start = pool.splits[choose_split(pool, weights)]
            if hunt.stop.is_cancelled or (weights, start.tobytes()) in trial:
                continue
            trial.add((weights, start.tobytes()))
            result.append(best_at_points(replace(hunt, weights=weights), [start]))
    pool = pool_scores(hunt, result)
    return build_winners(pool, grid, approximate=True, stopped=hunt.stop.is_cancelled)


def best_at_points(hunt: GreedySearch, starts: list[Longs]) -> Longs:
    return np.array(hunt.search_greedy(starts).serendipity, np.int64)


def pool_scores(hunt: GreedySearch, out: list[Longs]) -> SplitScores:
    return sort_splits(hunt.score(np.unique(np.stack(out), axis=0)))


def build_winners(
    out: SplitScores, grid: tuple[Weights, ...], *, approximate: bool, stopped: bool = False
) -> GridWinners:
    places, winner = np.unique(
        [choose_split(out, weights) for weights in grid], return_inverse=True
    )
    return GridWinners(select_splits(out, places), grid, winner, approximate, stopped)
