"""Metrics of tracks: what is shown of each, and its value as a function of summed components."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.science.display_ranks import Direction
from backend.science.evaluation.metrics import Metric as Formula
from backend.science.evaluation.metrics import Ratio

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Unit:
    """Unit of a metric: the label in a column head and the range of valid values."""

    id: str
    label: str
    low: float
    high: float


UNITS = {
    unit.id: unit
    for unit in (
        Unit("percent", "%", 0, 100),
        Unit("fraction", "0 to 1", 0, 1),
        Unit("score_1_5", "1 to 5", 1, 5),
        Unit("seconds", "seconds", 0, float("inf")),
        Unit("correlation", "\N{MINUS SIGN}1 to 1", -1, 1),
    )
}


@dataclass(frozen=True)
class Metric:
    """`direction` is None if neither high nor low is better."""

    id: str
    label: str
    direction: Direction | None
    unit: Unit
    description: str
    section: str


@dataclass(frozen=True)
class EvaluatedMetric(Metric):
    """A metric that a track computes.

    formula: a function of summed components, from 0 to 1. counted: the component that counts the
    items the metric is over. is_mean: the value is a mean over items, so that each
    item has a value of its own. ties, missing: what tied and missing predictions count as.
    """

    formula: Formula = field(repr=False)
    counted: int
    is_mean: bool
    ties: str
    missing: str

    @property
    def scale(self) -> float:
        """What the formula's value is multiplied by to be in the metric's unit."""
        return 100.0 if self.unit.id == "percent" else 1.0

    def value(self, sums: Floats) -> Floats:
        """Of summed components (…, k), in the metric's unit: (…,)."""
        return self.scale * self.formula(sums)


def share_metric(
    id_: str,
    label: str,
    above: Sequence[int],
    description: str,
    *,
    below: Sequence[int],
    components: int,
    unit: str,
    section: str,
    ties: str,
    missing: str = "0",
    direction: Direction = "higher",
    counted: int | None = None,
    is_mean: bool = True,
) -> EvaluatedMetric:
    """Σ sums[above] ÷ Σ sums[below]; over the items that `below` counts, or `counted`.

    A track binds what its metrics share, such as the section of its paper.
    """
    return EvaluatedMetric(
        id=id_,
        label=label,
        direction=direction,
        unit=UNITS[unit],
        description=description,
        section=section,
        formula=ratio(above, below, components),
        counted=below[0] if counted is None else counted,
        is_mean=is_mean,
        ties=ties,
        missing=missing,
    )


def ratio(above: Sequence[int], below: Sequence[int], components: int) -> Ratio:
    """Σ sums[above] ÷ Σ sums[below]; a component that is named twice counts twice.

    0/0 is 0: a file without a single positive prediction has precision 0.
    """
    numerator, denominator = Counter(above), Counter(below)
    numbers = range(components)
    return Ratio(
        tuple(numerator[number] for number in numbers),
        tuple(denominator[number] for number in numbers),
    )
