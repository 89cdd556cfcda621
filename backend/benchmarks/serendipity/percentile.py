"""Where one's own sets stand among random sets of the same sizes and types."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from backend.benchmarks.serendipity.basis import Basis
from backend.benchmarks.serendipity.measuring import Measures, told_of_sets
from backend.benchmarks.serendipity.scoring import held_rows
from backend.common.errors import DomainError
from backend.science.rns.candidates import Floats
from backend.science.rns.measures import Weights, measure_splits, surprises_among
from backend.science.rns.percentile import RandomPercentile, draw, placed

DRAWS = 200
SEED = 0
MOST_READ = 4 * 10**9  # entries of the graph that are read while somebody waits


@dataclass(frozen=True)
class Percentiles:
    """0 to 100 for each part and for the whole, of `draws` random sets."""

    draws: int
    relevance: RandomPercentile
    novelty: RandomPercentile
    surprise: RandomPercentile
    total: RandomPercentile


def percentiles_of(basis: Basis, found: Measures, weights: Weights) -> Percentiles:
    """The same sets and graph give the same numbers. Raises too_costly, TooFewOfType, Stopped."""
    count = len(found.entities)
    if basis.options.support == "all":
        _require_affordable(basis, count)
    types = [int(basis.snapshot.type_of[number]) for number in found.entities]
    places = {kind: [at for at, one in enumerate(types) if one == kind] for kind in types}
    pools = {kind: np.flatnonzero(basis.snapshot.type_of == kind) for kind in places}
    chance = np.random.default_rng(SEED)
    drawn = [draw(places, pools, count, chance) for _ in range(DRAWS)]
    parts = np.array([_parts(basis, one, found.existing) for one in drawn])
    score = found.score
    own = np.array([score.relevance, score.novelty, score.surprise])
    totals, whole = parts @ np.array(weights.values), float(own @ np.array(weights.values))
    relevance, novelty, surprise = (placed(float(own[n]), parts[:, n]) for n in range(3))
    return Percentiles(DRAWS, relevance, novelty, surprise, placed(whole, totals))


def _require_affordable(basis: Basis, count: int) -> None:
    hops = basis.model.parameters.hops
    read = basis.model.entry_count * hops * basis.passes(count) * DRAWS
    if read > MOST_READ:
        raise DomainError(
            "In a graph of this size, random sets are compared with support=candidates only.",
            code="too_costly",
        )


def _parts(basis: Basis, entities: list[int], existing: int) -> Floats:
    """R, N and S of one draw."""
    if basis.stop is not None:
        basis.stop.check()
    with told_of_sets():
        candidates = basis.candidates(entities)
        split = np.arange(existing, len(entities), dtype=np.int64)[None, :]
        if basis.options.support == "candidates":
            found = surprises_among(candidates, split)
        else:
            found = basis.surprises(held_rows(basis, entities), split)
        novelty = basis.options.novelty
        measured = measure_splits(candidates, split, novelty=novelty, surprises=found)
    parts: Floats = measured.parts[0]
    return parts
