"""Entries whose outcomes agree where independent ones would not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from backend.science.evaluation.metrics import BoolArray, FloatArray, Metric

COMPONENT_SEED = 1


@dataclass(frozen=True)
class Outcomes:
    """Of the items of one entry: a number for each row of components, equal for equal rows, whether
    the row counts in the metric, and whether it is informative: not at the metric's best either."""

    numbers: FloatArray
    counts: BoolArray
    is_informative: BoolArray

    @classmethod
    def of(cls, components: FloatArray, metric: Metric, *, higher_is_better: bool) -> Outcomes:
        """components: (items, k). A metric without bounds is at its best nowhere, unless it is 0
        and lower is better."""
        weights = np.random.default_rng(COMPONENT_SEED).random(components.shape[1])
        values = metric(components)
        best = np.inf if not metric.bounded else 1.0
        is_best = values == (best if higher_is_better else 0.0)
        counts = metric.contributes(components)
        return cls(components @ weights, counts, counts & ~is_best)


def alike_pairs(
    outcomes: list[Outcomes], *, least_share: float, least_items: int, least_kappa: float
) -> Iterator[tuple[int, int, float]]:
    """Pairs i < j with the share of equal rows among the items where either one is not at its best.

    Two entries that are right on the same items are no sign of copying, two that fail alike are.
    Pairs with fewer than `least_items` such items, or a share below `least_share`, are left out, as
    are those whose agreement on all items chance explains: two weak entries of 0/1 outcomes fail on
    nearly all items alike. Time: a pass over the items for each pair.
    """
    for second, other in enumerate(outcomes):
        for first, one in enumerate(outcomes[:second]):
            counted = one.is_informative | other.is_informative
            items = int(counted.sum())
            if items < least_items:
                continue
            share = float((one.numbers == other.numbers)[counted].mean())
            if share >= least_share and chance_corrected(one, other) >= least_kappa:
                yield first, second, share


def chance_corrected(one: Outcomes, other: Outcomes) -> float:
    """Cohen's kappa of the rows that count for either; 0 where every row is the same."""
    counted = one.counts | other.counts
    rows = one.numbers[counted], other.numbers[counted]
    _, kinds = np.unique(np.concatenate(rows), return_inverse=True)
    size = int(kinds.max()) + 1
    shares = [np.bincount(part, minlength=size) / len(part) for part in np.split(kinds, 2)]
    by_chance = float(shares[0] @ shares[1])
    agreement = float((rows[0] == rows[1]).mean())
    return (agreement - by_chance) / (1 - by_chance) if by_chance < 1 else 0.0
