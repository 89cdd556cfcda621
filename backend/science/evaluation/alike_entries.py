"""Entries whose outcomes agree where independent ones would not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from backend.science.evaluation.metrics import BoolArray, FloatArray, Metric

COMPONENT_SEED = 1


@dataclass(frozen=True)
class Outcomes:
    """Of the items of one entry: a number for each row of components, equal for equal rows, and
    whether the row is informative: it counts in the metric, and is not at the metric's best."""

    numbers: FloatArray
    is_informative: BoolArray

    @classmethod
    def of(cls, components: FloatArray, metric: Metric, *, higher_is_better: bool) -> Outcomes:
        """components: (items, k). A metric without bounds is at its best nowhere, unless it is 0
        and lower is better."""
        weights = np.random.default_rng(COMPONENT_SEED).random(components.shape[1])
        values = metric(components)
        best = np.inf if not metric.bounded else 1.0
        is_best = values == (best if higher_is_better else 0.0)
        return cls(components @ weights, metric.contributes(components) & ~is_best)


def alike_pairs(
    outcomes: list[Outcomes], *, least_share: float, least_items: int
) -> Iterator[tuple[int, int, float]]:
    """Pairs i < j with the share of equal rows among the items where either one is not at its best.

    Two entries that are right on the same items are no sign of copying, two that fail alike are.
    Pairs with fewer than `least_items` such items, or a share below `least_share`, are left out.
    Time: a pass over the items for each pair.
    """
    for second, other in enumerate(outcomes):
        for first, one in enumerate(outcomes[:second]):
            counted = one.is_informative | other.is_informative
            items = int(counted.sum())
            if items < least_items:
                continue
            share = float((one.numbers == other.numbers)[counted].mean())
            if share >= least_share:
                yield first, second, share
