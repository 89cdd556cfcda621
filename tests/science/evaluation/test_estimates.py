from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from backend.science.evaluation.draws import BoardSums, ClusterDraws, drawn_values
from backend.science.evaluation.estimates import Estimate, estimate_metrics
from backend.science.evaluation.jackknife import standard_error
from backend.science.evaluation.metrics import FloatArray, Metric, Ratio
from backend.science.evaluation.proportions import wilson_interval
from tests.science.evaluation.strategies import boards
from tests.science.evaluation.worlds import (
    F1,
    INTERVAL_WORLDS,
    MEAN,
    PRECISION,
    RECALL,
    World,
    confusion_sums,
    coverage,
    f1_worlds,
    mean_sums,
    reciprocal_rank_worlds,
)

WORLDS = 200
TOLERANCE = 0.045  # 2 points of the estimator, and 1.6 standard errors of 200 worlds


def estimate(sums: FloatArray, metric: Metric, items: int = 0, seed: int = 0) -> Estimate:
    draws = ClusterDraws(len(sums), seed, draws=1_000)
    return estimate_metrics(sums[None], [items], [metric], draws)[0][0]


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (0, 20), (7, 9), (50, 100), (30, 30)])
def test_wilson_equals_scipy(successes: int, trials: int) -> None:
    theirs = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert wilson_interval(successes, trials) == pytest.approx(tuple(theirs), abs=1e-14)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_wilson_rejects_impossible_counts(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="proportion"):
        wilson_interval(successes, trials)


def test_many_clusters_have_the_percentiles_of_the_draws() -> None:
    sums = confusion_sums(2, 100, seed=1)
    draws = ClusterDraws(100, seed=4, draws=500)
    [[first, _], [_, second]] = estimate_metrics(sums, [90, 91], [F1, PRECISION], draws)
    values = drawn_values(BoardSums.of(sums), [F1, PRECISION], draws)
    bounds = np.quantile([values[0, 0], values[1, 1]], [0.025, 0.975], axis=1).T
    assert (first.low, first.high) == pytest.approx(tuple(bounds[0]), abs=1e-14)
    assert (second.low, second.high) == pytest.approx(tuple(bounds[1]), abs=1e-14)
    assert (first.method, first.items, second.items) == ("bootstrap", 90, 91)
    assert first.value == float(F1(sums[0].sum(axis=0)))


def test_few_clusters_have_the_t_interval_of_their_mean() -> None:
    values = np.random.default_rng(2).normal(size=12)
    unbounded = Ratio((1, 0), (0, 1), bounded=False)
    result = estimate(mean_sums(values), unbounded, items=12)
    theirs = stats.ttest_1samp(values, 0).confidence_interval()
    assert (result.low, result.high) == pytest.approx(tuple(theirs), abs=1e-12)
    assert result.method == "jackknife" and result.approximate and result.clusters == 12


def test_the_jackknife_of_a_ratio_equals_naive_deletion() -> None:
    sums = confusion_sums(1, 9, seed=3)[0] + [1, 0, 0, 0]
    values = [float(F1(np.delete(sums, one, axis=0).sum(axis=0))) for one in range(9)]
    variance = 8 / 9 * sum((value - np.mean(values)) ** 2 for value in values)
    assert standard_error(sums, F1) == pytest.approx(variance**0.5, rel=1e-12)


def test_an_approximate_interval_of_a_bounded_metric_stays_between_0_and_1() -> None:
    result = estimate(mean_sums(np.array([1.0, 1, 1, 1, 1, 0.2])), MEAN)
    assert result.method == "jackknife" and result.high == 1.0


def test_fewer_than_five_clusters_have_no_interval_and_a_reason() -> None:
    result = estimate(mean_sums(np.array([1.0, 0, 1, 0])), MEAN, items=4)
    assert result == Estimate(0.5, None, None, 4, 4, None, "too_few_clusters")


def test_precision_without_a_predicted_link_is_zero_without_an_interval() -> None:
    sums = np.tile([0.0, 0, 1, 1], (80, 1))
    assert estimate(sums, PRECISION) == Estimate(0.0, None, None, 0, 0, None, "undefined")


def test_precision_counts_the_clusters_with_a_predicted_link() -> None:
    sums = np.tile([0.0, 0, 2, 1], (80, 1))
    sums[:7, 0], sums[3, 1] = 1, 2
    result = estimate(sums, PRECISION)
    assert (result.clusters, result.method) == (7, "jackknife")


def test_clusters_outside_a_slice_change_nothing_but_the_draws() -> None:
    inside = confusion_sums(1, 20, seed=8)[0]
    padded = np.concatenate([inside, np.zeros((100, 4))])
    assert estimate(inside, F1) == estimate(padded, F1)


def test_a_0_1_metric_without_clusters_has_wilsons_interval() -> None:
    hits = (np.arange(100) < 30).astype(np.float64)
    result = estimate(mean_sums(hits), MEAN)
    assert (result.low, result.high) == wilson_interval(30, 100)
    assert result.method == "wilson"


@pytest.mark.parametrize("metric", [F1, PRECISION, RECALL])
@pytest.mark.parametrize(("row", "successes"), [([2.0, 0, 0, 0], 60), ([0.0, 1, 1, 0], 0)])
def test_the_ends_of_the_scale_have_wilsons_interval_over_clusters(
    metric: Metric, row: list[float], successes: int
) -> None:
    result = estimate(np.tile(row, (60, 1)), metric)
    assert result.method == "wilson" and result.value == successes / 60
    assert (result.low, result.high) == wilson_interval(successes, 60)


def test_equal_clusters_inside_the_scale_have_an_interval_of_no_width() -> None:
    result = estimate(mean_sums(np.full(60, 0.5)), MEAN)
    assert (result.low, result.value, result.high) == (0.5, 0.5, 0.5)


@settings(max_examples=30, deadline=None)
@given(boards(clusters=(3, 70)))
def test_each_row_has_its_estimate_wherever_it_stands(sums: FloatArray) -> None:
    draws = ClusterDraws(sums.shape[1], seed=2, draws=100)
    items = list(range(len(sums)))
    together = estimate_metrics(sums, items, [MEAN], draws)
    backwards = estimate_metrics(sums[::-1], items[::-1], [MEAN], draws)
    alone = [estimate_metrics(sums[one, None], [one], [MEAN], draws)[0] for one in items]
    assert together == backwards[::-1] == alone


@settings(max_examples=30, deadline=None)
@given(boards(clusters=(5, 70)))
def test_scaling_the_values_scales_the_interval(sums: FloatArray) -> None:
    unbounded = Ratio((1, 0), (0, 1), bounded=False)
    one, fourfold = (estimate(sums[0] * [scale, 1], unbounded) for scale in (1, 4))
    assert one.low is not None and one.high is not None
    assert (fourfold.low, fourfold.high) == (4 * one.low, 4 * one.high)


@pytest.mark.parametrize(
    ("sums", "items", "clusters"),
    [
        (np.ones((2, 6, 2)), [6], 6),
        (np.ones((1, 6, 2)), [6], 7),
        (np.full((1, 6, 2), np.inf), [6], 6),
    ],
)
def test_invalid_input_is_rejected(sums: FloatArray, items: list[int], clusters: int) -> None:
    with pytest.raises(ValueError, match=r"estimates need|finite"):
        estimate_metrics(sums, items, [MEAN], ClusterDraws(clusters, seed=0, draws=10))


@pytest.mark.parametrize("clusters", [100, 1_000])
@pytest.mark.parametrize("name", INTERVAL_WORLDS)
def test_intervals_cover_the_truth_about_95_percent_of_the_time(name: str, clusters: int) -> None:
    world = INTERVAL_WORLDS[name](WORLDS, clusters, seed=20_261_122)
    assert coverage(world, seed=1, draws=2_000) == pytest.approx(0.95, abs=TOLERANCE)


@pytest.mark.parametrize("clusters", [10, 20, 49, 100, 1_000])
@pytest.mark.parametrize("worlds", [f1_worlds, reciprocal_rank_worlds])
def test_jackknife_intervals_cover_the_truth_about_95_percent_of_the_time(
    worlds: Callable[..., World], clusters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.science.evaluation.estimates.MIN_BOOTSTRAP_CLUSTERS", 10**6)
    world = worlds(WORLDS, clusters, seed=5)
    assert coverage(world, seed=1, draws=2) == pytest.approx(0.95, abs=TOLERANCE)
