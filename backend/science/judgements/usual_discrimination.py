"""How well abilities predict who agrees on an item, and items on which they do so less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from backend.science.judgements.tables import BoolArray, FloatArray

MAX_SLOPE = 2.0
DRAWS, MOST_DRAWS = 9_999, 99_999
ENOUGH = 20


@dataclass(frozen=True)
class ItemAgreement:
    """Of an item's raters: whether each agreed, and the log-odds of each one's ability; (n,)."""

    agreed: BoolArray
    logits: FloatArray


def estimate_slope(items: Sequence[ItemAgreement]) -> float:
    """The common slope of agreement on the log-odds of ability, between 0 and 2.

    Maximum likelihood in Rasch's model with a slope a: given how many of an item's raters agree,
    the chance that these are the set A is proportional to exp(a Σ_A logit). Difficulties cancel.
    Errors in the abilities make a less than 1; where raters do not differ it is near 0, and
    `usual_tail` a permutation test. Source: Rasch, Probabilistic Models for Some Intelligence and
    Attainment Tests (1960); Andersen, JRSS B 32 (1970), for the conditional likelihood.
    """

    def loss(slope: float) -> float:
        return sum(
            _log_total(slope * one.logits, int(one.agreed.sum()))
            - slope * float(one.logits[one.agreed].sum())
            for one in items
        )

    return float(minimize_scalar(loss, bounds=(0.0, MAX_SLOPE), method="bounded").x)


def usual_tail(item: ItemAgreement, slope: float, rng: np.random.Generator) -> float:
    """P(sum of the logits of those who agree is at most the observed one), given their number.

    From 9,999 draws of the set of those who agree by the model of `estimate_slope`, and 99,999
    where fewer than 20 of them reach it; the observation counts as one of them. Source: Ponocny,
    Psychometrika 66 (2001), for tests of Rasch's model by sampling given the margins.
    """
    observed = float(item.logits[item.agreed].sum()) + 1e-9
    for draws in (DRAWS, MOST_DRAWS):
        sets = draw_sets(slope * item.logits, int(item.agreed.sum()), draws, rng)
        reached = int(np.sum(sets @ item.logits <= observed))
        if reached >= ENOUGH:
            break
    return (1 + reached) / (1 + draws)


def draw_sets(weights: FloatArray, size: int, draws: int, rng: np.random.Generator) -> BoolArray:
    """Sets (draws, n) of `size` members, each with a chance proportional to exp(Σ weights)."""
    n = len(weights)
    odds = np.exp(weights - weights.mean())
    totals = _subset_totals(odds)
    left = np.full(draws, size)
    sets = np.zeros((draws, n), dtype=np.bool_)
    for place in range(n):
        rest = totals[place + 1]
        joins = np.where(left > 0, odds[place] * rest[np.maximum(left - 1, 0)], 0.0)
        taken = rng.random(draws) * (joins + rest[left]) < joins
        sets[:, place] = taken
        left -= taken
    return sets


def _subset_totals(odds: FloatArray) -> FloatArray:
    """(n + 1, n + 1): at [i, k] the elementary symmetric polynomial of degree k of odds[i:]."""
    n = len(odds)
    totals = np.zeros((n + 1, n + 1))
    totals[n, 0] = 1.0
    for place in range(n - 1, -1, -1):
        totals[place] = totals[place + 1]
        totals[place, 1:] += odds[place] * totals[place + 1, :-1]
    return totals


def _log_total(weights: FloatArray, size: int) -> float:
    mean = float(weights.mean())
    return float(np.log(_subset_totals(np.exp(weights - mean))[0, size])) + size * mean
