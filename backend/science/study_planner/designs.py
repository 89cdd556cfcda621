"""Sizes of studies, and the spread of what they estimate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

MIN_STUDIES, MAX_STUDIES = 20, 400
MIN_FOR_QUANTILES, NORMAL_QUANTILE = 200, 1.96
MAX_CELLS = 10_000_000
MAX_JUDGEMENTS = 20_000


@dataclass(frozen=True)
class PlannedStudy:
    """Each of `items` is judged by `overlap` of the raters, who share the work equally."""

    raters: int
    items: int
    overlap: int
    seconds_per_item: float

    def __post_init__(self) -> None:
        if not 1 <= self.overlap <= self.raters or self.items < 1 or self.seconds_per_item < 0:
            raise ValueError("a design needs items, and at least as many raters as its overlap")
        if self.judgements > MAX_JUDGEMENTS:
            raise ValueError(f"a plan has at most {MAX_JUDGEMENTS} judgements")

    @property
    def judgements(self) -> int:
        return self.items * self.overlap

    @property
    def hours(self) -> float:
        return self.judgements * self.seconds_per_item / 3600

    @property
    def hours_per_rater(self) -> float:
        return self.hours / self.raters

    def assigned_raters(self) -> IntArray:
        """(items, overlap), the raters in turn; all different in an item."""
        return np.arange(self.judgements).reshape(self.items, self.overlap) % self.raters

    def study_count(self, cells_per_judgement: int) -> int:
        """How many studies are simulated."""
        cells = self.judgements * cells_per_judgement
        return int(np.clip(MAX_CELLS // cells, MIN_STUDIES, MAX_STUDIES))


@dataclass(frozen=True)
class PlannedEstimate:
    """value: mean of an estimate over the simulated studies. low, high: 95% of them lie between.

    With fewer than 200 studies these are the mean ± 1.96 standard deviations, else quantiles.
    """

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    @classmethod
    def of(cls, estimates: FloatArray) -> PlannedEstimate | None:
        """None if fewer than half of the studies have the estimate; NaN is none."""
        defined = estimates[~np.isnan(estimates)]
        if 2 * len(defined) < len(estimates):
            return None
        mean = float(defined.mean())
        if len(defined) < MIN_FOR_QUANTILES:
            reach = NORMAL_QUANTILE * float(defined.std(ddof=1))
            return cls(mean, mean - reach, mean + reach)
        low, high = np.quantile(defined, [0.025, 0.975])
        return cls(mean, float(low), float(high))


def nominal_counts(choices: IntArray, categories: int) -> IntArray:
    """(studies, items, categories), from choices (studies, items, overlap)."""
    return np.stack([(choices == one).sum(axis=2) for one in range(categories)], axis=2)
