"""Simulated judgements of known truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

from backend.science.judgements.tables import FloatArray
from backend.science.optional_statistic import Statistic

ALPHA = 0.49

Estimated = TypeVar("Estimated")


def crossed_effects(
    rng: np.random.Generator, raters: int, items: int, spreads: tuple[float, float, float]
) -> FloatArray:
    """Mean 0, with standard deviations of raters, items and residuals, and a fifth of gaps."""
    by_rater, by_item, residual = spreads
    values = by_rater * rng.normal(size=(raters, 1)) + by_item * rng.normal(size=items)
    values = values + residual * rng.normal(size=(raters, items))
    values[rng.random(values.shape) < 0.2] = np.nan
    return values


def graded_raters(
    rng: np.random.Generator, raters: int, items: int, categories: int = 2
) -> FloatArray:
    """Rater r gives an item's truth with c_r ~ U(0.5, 0.9), else any category, all as likely.

    Two raters are as similar as c_r c_s + (1 - c_r c_s) s, where s is the mean similarity of two
    categories, which is what chance gives: every coefficient here is E(c)² = 0.49, whatever its
    weights.
    """
    knows = rng.random((raters, items)) < rng.uniform(0.5, 0.9, (raters, 1))
    truth, guess = rng.integers(0, categories, items), rng.integers(0, categories, knows.shape)
    return np.where(knows, truth, guess).astype(np.float64)


def coverage(estimates: Iterable[Statistic], truth: float) -> float:
    bounds = [(one.low, one.high) for one in estimates]
    return float(np.mean([low is not None and low <= truth <= (high or 0) for low, high in bounds]))


def over_worlds(
    worlds: int, estimate: Callable[[np.random.Generator], Estimated]
) -> list[Estimated]:
    return [estimate(np.random.default_rng([20_261_122, number])) for number in range(worlds)]
