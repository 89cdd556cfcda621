"""The mean groundedness of an entry against a slow bootstrap, and its degenerate cases."""

import numpy as np
import pytest

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judged_scores.share_of_supported import mean_groundedness


def test_the_mean_is_over_rationales_with_claims() -> None:
    result = mean_groundedness([0.25, np.nan, 1.0, 0.5, np.nan], seed=1)
    assert result is not None
    assert result.value == pytest.approx((0.25 + 1 + 0.5) / 3)
    assert result.items == 3


@pytest.mark.parametrize("shares", [[], [np.nan], [np.nan, np.nan]])
def test_without_claims_there_is_no_value(shares: list[float]) -> None:
    assert mean_groundedness(shares, seed=1) is None


def test_rationales_that_are_supported_or_not_have_wilsons_interval() -> None:
    result = mean_groundedness([1.0] * 12 + [0.0] * 28, seed=1)
    assert result is not None
    assert (result.low, result.high) == pytest.approx(wilson_interval(12, 40))


def test_the_interval_is_that_of_a_slow_bootstrap_over_clusters() -> None:
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(80), 3)
    shares = np.clip(rng.random(80)[clusters] * 0.7 + rng.random(240) * 0.3, 0, 1)
    result = mean_groundedness(shares, seed=1, clusters=clusters)
    assert result is not None
    means = [shares.reshape(80, 3)[rng.integers(0, 80, 80)].mean() for _ in range(4_000)]
    assert (result.low, result.high) == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.01)
    alone = mean_groundedness(shares, seed=1)
    assert alone is not None
    assert alone.low is not None
    assert result.low is not None
    assert result.low < alone.low


def test_other_values_are_rejected() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        mean_groundedness([0.5, 1.5], seed=1)
