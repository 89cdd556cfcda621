"""Metrics as functions of summed components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


class Metric(Protocol):
    """A function of summed components, finite for every sum of rows.

    bounded: the values lie between 0 and 1.
    """

    @property
    def bounded(self) -> bool: ...

    def __call__(self, sums: FloatArray) -> FloatArray:
        """Values (...) of sums (..., k), computed element by element."""
        ...

    def contributes(self, sums: FloatArray) -> BoolArray:
        """Whether adding sums (..., k) to others can change the value: (...)."""
        ...


@dataclass(frozen=True)
class Ratio:
    """Quotient of two weighted sums of components: a mean, accuracy, precision, recall or F1.

    With components (TP, FP, FN, TN), precision is Ratio((1, 0, 0, 0), (1, 1, 0, 0)) and F1 is
    Ratio((2, 0, 0, 0), (2, 1, 1, 0)). Weights are whole numbers, so that equal sums give equal
    values. 0/0 is `undefined`, which is the metric's worst value: precision without a predicted
    link is 0 and never ranks first by accident. In a draw or half without a denominator it is
    counted as that value too.
    """

    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    undefined: float = 0.0
    bounded: bool = True

    def __call__(self, sums: FloatArray) -> FloatArray:
        bottom = weighted_sum(sums, self.denominator)
        values = np.full(bottom.shape, self.undefined)
        np.divide(weighted_sum(sums, self.numerator), bottom, out=values, where=bottom != 0)
        return values

    def contributes(self, sums: FloatArray) -> BoolArray:
        pairs = enumerate(zip(self.numerator, self.denominator, strict=True))
        used = [index for index, weights in pairs if any(weights)]
        return np.asarray((sums[..., used] != 0).any(axis=-1))


@dataclass(frozen=True)
class Difference:
    """First minus second entry, of components (..., 2k): those of the first, then the second."""

    metric: Metric
    bounded: bool = False

    def __call__(self, sums: FloatArray) -> FloatArray:
        middle = sums.shape[-1] // 2
        return self.metric(sums[..., :middle]) - self.metric(sums[..., middle:])

    def contributes(self, sums: FloatArray) -> BoolArray:
        middle = sums.shape[-1] // 2
        first, second = sums[..., :middle], sums[..., middle:]
        return self.metric.contributes(first) | self.metric.contributes(second)


def weighted_sum(sums: FloatArray, weights: tuple[int, ...]) -> FloatArray:
    """Σ_j w_j sums[..., j], term by term: a matrix product would round by position."""
    if sums.shape[-1] != len(weights):
        raise ValueError(f"the metric has {len(weights)} components, the sums {sums.shape[-1]}")
    total = np.zeros(sums.shape[:-1])
    for index, weight in enumerate(weights):
        if weight:
            total += sums[..., index] if weight == 1 else weight * sums[..., index]
    return total
