"""Where one's own sets stand among random sets of the same size and types."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange, TooFewOfType
from backend.science.rns.swaps import GAIN
from backend.science.stopping import Stop

Kind = TypeVar("Kind", bound=Hashable)
Longs = NDArray[np.int64]
Scorer = Callable[[Sequence[int], Sequence[int]], float]  # existing, serendipity -> RNS


@dataclass(frozen=True)
class RandomPercentile:
    """percentile: of 100, the share of random sets that score lower, equal ones (to 1e-12) by half.

    draws: how many were scored; fewer than asked for when it was stopped. low, middle, high: the
    quartiles of their scores.
    """

    percentile: float
    draws: int
    own: float
    low: float
    middle: float
    high: float


def random_percentile(
    existing: Sequence[Kind],
    serendipity: Sequence[Kind],
    pools: Mapping[Kind, Longs],
    score: Scorer,
    *,
    own: float,
    draws: int,
    seed: int,
    stop: Stop | None = None,
) -> RandomPercentile:
    """Draw sets with the same types in each part and score them.

    existing, serendipity: the types of one's own entities. pools: all entities of a type, each
    once. Within a draw no entity comes twice; every choice is as likely as another; one's own
    entities may be drawn. The same seed gives the same sets.

    Raises TooFewOfType when a type has fewer entities than its places, SizeOutOfRange for no draws,
    InvalidNumbers when a score is not finite.
    """
    scores = list[float]()
    for drawn in random_sets(existing, serendipity, pools, draws=draws, seed=seed):
        if scores and stop is not None and stop.pulled:
            break
        scores.append(score(*drawn))
    return percentile_of(own, scores)


def random_sets(
    existing: Sequence[Kind],
    serendipity: Sequence[Kind],
    pools: Mapping[Kind, Longs],
    *,
    draws: int,
    seed: int,
) -> Iterator[tuple[list[int], list[int]]]:
    """The sets alone, for whoever scores many at a time; raises as `random_percentile` does."""
    if draws < 1:
        raise SizeOutOfRange("draws", "One draw or more is needed.")
    kinds = [*existing, *serendipity]
    places = {kind: [n for n, one in enumerate(kinds) if one == kind] for kind in kinds}
    for kind, wanted in places.items():
        if len(pools.get(kind, ())) < len(wanted):
            raise TooFewOfType(str(kind), f"{len(wanted)} are needed, and there are fewer.")
    chance = np.random.default_rng(seed)
    for _ in range(draws):
        drawn = draw(places, pools, len(kinds), chance)
        yield drawn[: len(existing)], drawn[len(existing) :]


def draw(
    places: Mapping[Kind, list[int]],
    pools: Mapping[Kind, Longs],
    count: int,
    chance: np.random.Generator,
) -> list[int]:
    drawn = np.empty(count, np.int64)
    for kind, wanted in places.items():
        pool = pools[kind]
        drawn[wanted] = pool[chance.choice(len(pool), len(wanted), replace=False)]
    return [int(entity) for entity in drawn]


def percentile_of(own: float, scores: Sequence[float]) -> RandomPercentile:
    """Where a score stands among those of random sets."""
    found = np.array(scores)
    if not np.isfinite(found).all() or not np.isfinite(own):
        raise InvalidNumbers("score", "A score is not finite.")
    below = (found < own - GAIN).sum() + (np.abs(found - own) <= GAIN).sum() / 2
    low, middle, high = np.quantile(found, [0.25, 0.5, 0.75]).tolist()
    share = 100 * float(below) / len(found)
    return RandomPercentile(share, len(found), own, low, middle, high)
