"""Confidence sequences: coverage over all looks, and the contrast with intervals of fixed n."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.confidence_sequences import (
    current_mean,
    mean_confidence_sequence,
)
from backend.science.judgements.tables import FloatArray

STREAMS, LOOKS = 400, 500
Source = Callable[[np.random.Generator], FloatArray]


def share(truth: float) -> Source:
    return lambda rng: (rng.random(LOOKS) < truth).astype(np.float64)


def streams(source: Source) -> list[FloatArray]:
    return [source(np.random.default_rng([20_261_122, number])) for number in range(STREAMS)]


@pytest.mark.parametrize(
    ("source", "truth", "bounded"),
    [
        (share(0.5), 0.5, True),
        (share(0.1), 0.1, True),
        (share(0.97), 0.97, True),
        (lambda rng: rng.beta(2, 5, LOOKS), 2 / 7, True),
        (lambda rng: rng.normal(size=LOOKS), 0.0, False),
        (lambda rng: rng.exponential(size=LOOKS), 1.0, False),
    ],
)
def test_all_500_looks_together_cover_the_mean(source: Source, truth: float, bounded: bool) -> None:
    inside = []
    for values in streams(source):
        sequence = mean_confidence_sequence(values, bounded=bounded)
        looked_at = ~np.isnan(sequence.low)
        outside = (sequence.low > truth) | (sequence.high < truth)
        inside.append(not (outside & looked_at).any())
    assert np.mean(inside) >= 0.95 - 0.035  # 1 point of the method, 2.3 standard errors


def test_an_interval_of_fixed_n_fails_when_it_is_looked_at_500_times() -> None:
    """The contrast: Wilson's interval covers 95% of fair coins at each look, and few at all."""
    every, last = [], []
    bounds = {
        n: np.array([wilson_interval(k, n) for k in range(n + 1)]) for n in range(10, LOOKS + 1)
    }
    for values in streams(share(0.5)):
        heads = np.cumsum(values).astype(int)
        inside = [bounds[n][heads[n - 1], 0] <= 0.5 <= bounds[n][heads[n - 1], 1] for n in bounds]
        every.append(all(inside))
        last.append(inside[-1])
    assert np.mean(last) == pytest.approx(0.95, abs=0.035)
    assert np.mean(every) < 0.7


def naive_bounds(values: list[float], ends: int, tightest_at: int) -> tuple[float, float]:
    n, alpha = len(values), 0.05
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / tightest_at
    padded = [*values, *[0.0] * ends, *[1.0] * ends]
    mean = sum(padded) / len(padded)
    variance = sum((value - mean) ** 2 for value in padded) / len(padded)
    logs = math.log(math.sqrt(n * rho2 + 1) / alpha)
    reach = math.sqrt(variance * 2 * (n * rho2 + 1) / (n**2 * rho2) * logs)
    centre = sum(values) / n
    return centre - reach, centre + reach


def test_bounds_equal_the_definition_at_every_look() -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        values = np.round(rng.normal(50, 2, 45), 1)
        sequence = mean_confidence_sequence(values, tightest_at=30)
        for n in (30, 37, 45):
            expected = naive_bounds(values[:n].tolist(), 0, 30)
            assert (sequence.low[n - 1], sequence.high[n - 1]) == pytest.approx(expected, rel=1e-9)
        votes = (rng.random(45) < 0.5).astype(np.float64)
        shares = mean_confidence_sequence(votes, bounded=True, tightest_at=30)
        low, high = naive_bounds(votes[:33].tolist(), 2, 30)
        expected = max(low, 0.0), min(high, 1.0)
        assert (shares.low[32], shares.high[32]) == pytest.approx(expected, rel=1e-9)


def test_the_sequence_is_narrowest_relative_to_fixed_n_about_where_chosen() -> None:
    values = np.random.default_rng(1).normal(size=5_000)
    count = np.arange(1, 5_001)
    for tightest_at in (100, 1_000):
        sequence = mean_confidence_sequence(values, tightest_at=tightest_at)
        variance = np.cumsum(values**2) / count - sequence.mean**2
        fixed = 2 * 1.96 * np.sqrt(variance / count)
        ratio = (sequence.high - sequence.low)[30:] / fixed[30:]
        narrowest = int(np.argmin(ratio)) + 31
        assert tightest_at * 0.8 < narrowest < tightest_at * 1.25
        assert ratio.min() == pytest.approx(1.55, abs=0.02)


def test_a_sequence_looked_at_earlier_is_the_same() -> None:
    values = np.random.default_rng(2).random(80)
    long = mean_confidence_sequence(values, bounded=True)
    short = mean_confidence_sequence(values[:33], bounded=True)
    np.testing.assert_array_equal(long.low[:33], short.low)
    statistic = current_mean(values[:33], bounded=True)
    assert (statistic.low, statistic.high) == (short.low[-1], short.high[-1])
    assert statistic.n == 33


def test_a_share_of_one_so_far_keeps_doubt() -> None:
    statistic = current_mean(np.ones(40), bounded=True)
    assert statistic.high == 1.0 and statistic.low is not None and 0.5 < statistic.low < 0.95


def test_few_observations_have_no_interval_and_none_no_mean() -> None:
    assert current_mean([]).reason == "too_few_items"
    few = current_mean([0.0, 1.0], bounded=True)
    assert (few.value, few.low, few.interval_reason) == (0.5, None, "too_few_items")
    assert current_mean(np.arange(29.0)).low is None
    assert current_mean(np.arange(30.0)).low is not None


@pytest.mark.parametrize("values", [[[1.0]], [float("inf")]])
def test_values_that_are_no_flat_finite_sequence_are_rejected(values: npt.ArrayLike) -> None:
    with pytest.raises(ValueError, match="flat sequence"):
        mean_confidence_sequence(values)


def test_invalid_settings_are_rejected() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        mean_confidence_sequence([1.5], bounded=True)
    with pytest.raises(ValueError, match="tightest_at"):
        mean_confidence_sequence([1.0], tightest_at=0)
    with pytest.raises(ValueError, match="level"):
        mean_confidence_sequence([1.0], level=1.0)
